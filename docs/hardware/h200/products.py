#!/usr/bin/env python3
"""Writes products.cu: what the tensor cores make of operands that tell how they align, cut and round.

For each kind of product (mma.sync and wgmma, by type of factors and accumulator) many small tiles are computed; the
logical matrices A[M][K], B[N][K], C[M][N] and the result D[M][N] are written to KIND.bin, tile after tile, elements as
the bits of their type.
"""

# name, instruction, M, K, bytes per factor, (exponent bits, mantissa bits) of A and B, accumulator, 'm': mma.sync, 'w': wgmma
F16, BF16, TF32, E4, E5, F64 = (5, 10), (8, 7), (8, 10), (4, 3), (5, 2), (11, 52)
KINDS = []


def mma(name, shape, dtype, atype, btype, ctype, k, size, a, b):
    KINDS.append(dict(name=name, op=f"mma.sync.aligned.{shape}.row.col.{dtype}.{atype}.{btype}.{ctype}", m=16, k=k, size=size, a=a, b=b,
                      acc={"f32": 4, "f16": 2, "f64": 8}[dtype], how="m"))


def wg(name, k, dtype, atype, btype, size, a, b):
    KINDS.append(dict(name=name, op=f"wgmma.mma_async.sync.aligned.m64n8k{k}.{dtype}.{atype}.{btype}", m=64, k=k, size=size, a=a, b=b,
                      acc={"f32": 4, "f16": 2}[dtype], how="w", trans=atype in ("f16", "bf16")))


mma("mma_f16_k16", "m16n8k16", "f32", "f16", "f16", "f32", 16, 2, F16, F16)
mma("mma_f16_k8", "m16n8k8", "f32", "f16", "f16", "f32", 8, 2, F16, F16)
mma("mma_f16_k16_h", "m16n8k16", "f16", "f16", "f16", "f16", 16, 2, F16, F16)
mma("mma_f16_k8_h", "m16n8k8", "f16", "f16", "f16", "f16", 8, 2, F16, F16)
mma("mma_bf16_k16", "m16n8k16", "f32", "bf16", "bf16", "f32", 16, 2, BF16, BF16)
mma("mma_bf16_k8", "m16n8k8", "f32", "bf16", "bf16", "f32", 8, 2, BF16, BF16)
mma("mma_tf32_k8", "m16n8k8", "f32", "tf32", "tf32", "f32", 8, 4, TF32, TF32)
mma("mma_tf32_k4", "m16n8k4", "f32", "tf32", "tf32", "f32", 4, 4, TF32, TF32)
mma("mma_e4m3_k32", "m16n8k32", "f32", "e4m3", "e4m3", "f32", 32, 1, E4, E4)
mma("mma_e5m2_k32", "m16n8k32", "f32", "e5m2", "e4m3", "f32", 32, 1, E5, E4)
KINDS.append(dict(name="mma_f64_k4", op="mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", m=8, k=4, size=8, a=F64, b=F64, acc=8, how="m"))
KINDS.append(dict(name="mma_f64_k16", op="mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", m=16, k=16, size=8, a=F64, b=F64, acc=8, how="m"))
wg("wgmma_f16", 16, "f32", "f16", "f16", 2, F16, F16)
wg("wgmma_f16_h", 16, "f16", "f16", "f16", 2, F16, F16)
wg("wgmma_bf16", 16, "f32", "bf16", "bf16", 2, BF16, BF16)
wg("wgmma_tf32", 8, "f32", "tf32", "tf32", 4, TF32, TF32)
wg("wgmma_e4m3", 32, "f32", "e4m3", "e4m3", 1, E4, E4)
wg("wgmma_e5m2", 32, "f32", "e5m2", "e5m2", 1, E5, E5)
wg("wgmma_e4m3_e5m2", 32, "f32", "e4m3", "e5m2", 1, E4, E5)
wg("wgmma_e4m3_h", 32, "f16", "e4m3", "e4m3", 1, E4, E4)

HEAD = r'''// Written by products.py.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){printf("CUDA %s line %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
typedef uint64_t u64; typedef uint32_t u32;
static u64 state; static u64 rnd(){ u64 z=(state+=0x9E3779B97F4A7C15ull); z=(z^z>>30)*0xBF58476D1CE4E5B9ull; z=(z^z>>27)*0x94D049BB133111EBull; return z^z>>31; }
static int below(int n){ return (int)(rnd()%(u64)n); }
struct Type { int exponent, mantissa, size; };   // size in bytes; tf32 has 13 bits below its mantissa
static int shift(Type t){ return t.size*8-1-t.exponent-t.mantissa; }
static u64 make(Type t,int sign,long e,u64 m){ long top=(1l<<t.exponent)-1; bool small=t.exponent==4; long most=small?top:top-1; if(e<0) e=0; if(e>most) e=most; m&=(1ull<<t.mantissa)-1; if(small&&e==top&&m==7) m=6; return ((u64)sign<<(t.size*8-1))|((((u64)e<<t.mantissa)|m)<<shift(t)); }
static u64 special(Type t){ int sign=below(2); long top=(1l<<t.exponent)-1; if(t.exponent==4) return ((u64)sign<<7)|0x7f; u64 m=below(2)?0:rnd()&((1ull<<t.mantissa)-1); return ((u64)sign<<(t.size*8-1))|((((u64)top<<t.mantissa)|m)<<shift(t)); }
static long bias(Type t){ return (1l<<(t.exponent-1))-1; }
// An element of a factor. Classes tell alignment (one or two products in a row), cutting (wide exponents), cancellation, subnormal and special numbers.
static u64 factor(Type t,int kind){ long b=bias(t),top=(1l<<t.exponent)-1; int s=below(2); u64 m=rnd();
 switch(kind){ case 1: return make(t,s,below((int)top),m); case 2: return below(10)<7?0:make(t,s,b-12+below(25),m); case 4: return make(t,s,below(4)?0:below(t.exponent>5?20:6),m);
  case 5: return below(30)==0?special(t):make(t,s,b-2+below(5),m); case 6: return make(t,s,top-1-below(t.exponent>5?70:4),m); case 9: return make(t,0,b-below(3),m); case 10: return make(t,s,b-7+below(15),m); case 11: return make(t,s,b-30+below(61),m); default: return make(t,s,b-3+below(7),m); } }
static const int KINDS=12;
static void tile(int kind,Type ta,Type tb,Type tc,int M,int K,std::vector<u64>& A,std::vector<u64>& B,std::vector<u64>& C){ int N=8;
 for(auto& x:A) x=factor(ta,kind); for(auto& x:B) x=factor(tb,kind);
 if(kind==3) for(int m=0;m<M;m++) for(int k=0;k+1<K;k+=2){ u64 sa=1ull<<(ta.size*8-1); if(k<K/2) A[m*K+k]=make(ta,below(2),bias(ta)+below(6),rnd()); else A[m*K+k]=make(ta,below(2),bias(ta)-below(14),rnd()); if(k<K/2&&below(4)) A[m*K+k+1]=A[m*K+k]^sa; else A[m*K+k+1]=make(ta,below(2),bias(ta)-14+below(14),rnd()); }
 if(kind==3) for(int n=0;n<N;n++) for(int k=0;k+1<K;k+=2) B[n*K+k+1]=B[n*K+k];
 if(kind==7||kind==8) for(int m=0;m<M;m++){ int k0=below(K),k1=kind==8?below(K):k0; for(int k=0;k<K;k++){ if(k==k0||k==k1) A[m*K+k]=make(ta,below(2),bias(ta)-(ta.exponent>5?20:7)+below(ta.exponent>5?40:14),rnd()); else A[m*K+k]=0; } }
 bool low=below(2); if(shift(ta)) for(auto* v:{&A,&B}) for(auto& x:*v) if(low) x|=rnd()&0x1fff;
 long bc=bias(tc); for(auto& x:C){ int s=below(2); u64 m=rnd(); long span=tc.exponent>5?30:7; switch(below(6)){ case 0: x=0; break; case 1: x=make(tc,s,bc-span+below(2*(int)span),m); break; case 2: x=make(tc,s,bc+below(8),m); break; case 3: x=make(tc,s,bc-8+below(16),m&~((1ull<<(tc.mantissa/2))-1)); break; default: x=make(tc,s,bc-3+below(7),m); }
  if(kind==4) x=make(tc,s,tc.exponent>5?(below(3)?0:below(30)):below(3),m); if(kind==5&&below(20)==0) x=special(tc); if(kind==6) x=make(tc,s,(1l<<tc.exponent)-2-below(4),m); if(kind==1&&tc.exponent>5) x=make(tc,s,below((1<<tc.exponent)-1),m); if(kind==9) x=make(tc,0,bc+below(3),m); } }
static void put(std::vector<char>& v,u64 x,int size){ for(int i=0;i<size;i++) v.push_back((char)(x>>8*i)); }
struct Kind { const char* name; int M,K; Type a,b,c; bool wide; void(*launch)(int,const u32*,const u32*,const u32*,u32*); };
// Where an element of a matrix lies in the fragments of a warp (mma.sync): byte offset in rows of 32 lanes of 4-byte registers.
static size_t placeA(const Kind& t,int m,int k){ int per=4/t.a.size; if(t.a.size==8){ int lane=(m&7)*4+(k&3); int reg=t.M==8?0:((k>>2)*2+(m>>3)); return ((size_t)(reg*2)*32+lane)*4; } int lane=(m&7)*4+(k/per)%4; int reg=2*(k/(4*per))+(m>>3); return ((size_t)reg*32+lane)*4+(k%per)*t.a.size; }
static size_t placeB(const Kind& t,int n,int k){ int per=4/t.a.size; if(t.a.size==8){ int lane=n*4+(k&3); return ((size_t)((k>>2)*2)*32+lane)*4; } int lane=n*4+(k/per)%4; return ((size_t)(k/(4*per))*32+lane)*4+(k%per)*t.a.size; }
static size_t placeC(const Kind& t,int m,int n){ int lane=(m&7)*4+n/2; if(t.c.size==8) return ((size_t)(((m>>3)*2+(n&1))*2)*32+lane)*4; if(t.c.size==4) return ((size_t)((m>>3)*2+(n&1))*32+lane)*4; return ((size_t)(m>>3)*32+lane)*4+2*(n&1); }
// wgmma: core matrices of 8 rows of 16 bytes; those along K 128 bytes apart, those along M or N 256. The accumulator is that of four warps.
static size_t placeW(int size,int r,int k){ int byte=k*size; return (size_t)(r>>3)*256+(byte>>4)*128+(r&7)*16+(byte&15); }
static size_t placeD(const Kind& t,int m,int n){ int w=m>>4; int mm=m&15; int lane=(mm&7)*4+n/2; if(t.c.size==4) return ((size_t)((mm>>3)*2+(n&1))*128+w*32+lane)*4; return ((size_t)(mm>>3)*128+w*32+lane)*4+2*(n&1); }
static void set(std::vector<char>& v,size_t at,u64 x,int size,bool fragment){ if(size==8&&fragment){ memcpy(&v[at],&x,4); u32 h=(u32)(x>>32); memcpy(&v[at+128],&h,4);} else memcpy(&v[at],&x,size); }
static u64 get(const std::vector<char>& v,size_t at,int size){ u64 x=0; if(size==8){ u32 l,h; memcpy(&l,&v[at],4); memcpy(&h,&v[at+128],4); return (u64)h<<32|l; } memcpy(&x,&v[at],size); return x; }
'''


def kernel(kind):
    out = []
    name, k, size, acc = kind["name"], kind["k"], kind["size"], kind["acc"]
    if kind["how"] == "m":
        na = max(1, kind["m"] * k * size // 128)
        nb = max(1, 8 * k * size // 128)
        nc = kind["m"] * 8 * acc // 128
        out.append(f"__global__ void k_{name}(const u32* A,const u32* B,const u32* C,u32* D){{ int l=threadIdx.x; A+=blockIdx.x*{na}*32; B+=blockIdx.x*{nb}*32; C+=blockIdx.x*{nc}*32; D+=blockIdx.x*{nc}*32;")
        out.append(f" u32 a[{na}],b[{nb}],c[{nc}]; for(int i=0;i<{na};i++) a[i]=A[i*32+l]; for(int i=0;i<{nb};i++) b[i]=B[i*32+l]; for(int i=0;i<{nc};i++) c[i]=C[i*32+l];")
        if acc == 8:
            out.append(f" double x[{na//2}],y[{nb//2}],z[{nc//2}]; for(int i=0;i<{na//2};i++) x[i]=__hiloint2double(a[2*i+1],a[2*i]); for(int i=0;i<{nb//2};i++) y[i]=__hiloint2double(b[2*i+1],b[2*i]); for(int i=0;i<{nc//2};i++) z[i]=__hiloint2double(c[2*i+1],c[2*i]);")
            na2, nb2, nc2 = na // 2, nb // 2, nc // 2
            ops = lambda first, count: "{" + ",".join(f"%{first+i}" for i in range(count)) + "}"
            out.append(f' asm volatile("{kind["op"]} {ops(0,nc2)}, {ops(nc2,na2)}, {ops(nc2+na2,nb2)}, {ops(0,nc2)};" : ' + ",".join(f'"+d"(z[{i}])' for i in range(nc2)) + " : " + ",".join([f'"d"(x[{i}])' for i in range(na2)] + [f'"d"(y[{i}])' for i in range(nb2)]) + ");")
            out.append(f" for(int i=0;i<{nc2};i++){{ c[2*i]=__double2loint(z[i]); c[2*i+1]=__double2hiint(z[i]); }}")
        else:
            ops = lambda first, count: "{" + ",".join(f"%{first+i}" for i in range(count)) + "}"
            out.append(f' asm volatile("{kind["op"]} {ops(0,nc)}, {ops(nc,na)}, {ops(nc+na,nb)}, {ops(0,nc)};" : ' + ",".join(f'"+r"(c[{i}])' for i in range(nc)) + " : " + ",".join([f'"r"(a[{i}])' for i in range(na)] + [f'"r"(b[{i}])' for i in range(nb)]) + ");")
        out.append(f" for(int i=0;i<{nc};i++) D[i*32+l]=c[i]; }}")
        out.append(f"static void l_{name}(int n,const u32* A,const u32* B,const u32* C,u32* D){{ k_{name}<<<n,32>>>(A,B,C,D); }}")
        # f64 uses 128-byte rows of registers as the others do
    else:
        nc = 8 * acc // 8
        out.append(f"__global__ void k_{name}(const u32* A,const u32* B,const u32* C,u32* D){{ __shared__ alignas(1024) u32 s[640]; int l=threadIdx.x; A+=blockIdx.x*512; B+=blockIdx.x*64; C+=blockIdx.x*{nc}*128; D+=blockIdx.x*{nc}*128; for(int i=l;i<512;i+=128) s[i]=A[i]; if(l<64) s[512+l]=B[l]; u32 c[{nc}]; for(int i=0;i<{nc};i++) c[i]=C[i*128+l];")
        out.append(' asm volatile("fence.proxy.async.shared::cta;":::"memory"); __syncthreads(); u32 p=(u32)__cvta_generic_to_shared(s); u64 h=((u64)(128>>4)<<16)|((u64)(256>>4)<<32); u64 da=h|(p>>4), db=h|((p+2048)>>4);')
        tail = ", 1, 1, 1" + (", 0, 0" if kind["trans"] else "")
        ops = "{" + ",".join(f"%{i}" for i in range(nc)) + "}"
        out.append(f' asm volatile("wgmma.fence.sync.aligned;":::"memory"); asm volatile("{kind["op"]} {ops}, %{nc}, %{nc+1}{tail};" : ' + ",".join((f'"+f"(*(float*)&c[{i}])' if acc == 4 else f'"+r"(c[{i}])') for i in range(nc)) + ' : "l"(da),"l"(db));')
        out.append(' asm volatile("wgmma.commit_group.sync.aligned;":::"memory"); asm volatile("wgmma.wait_group.sync.aligned 0;":::"memory");')
        out.append(f" for(int i=0;i<{nc};i++) D[i*128+l]=c[i]; }}")
        out.append(f"static void l_{name}(int n,const u32* A,const u32* B,const u32* C,u32* D){{ k_{name}<<<n,128>>>(A,B,C,D); }}")
    return "\n".join(out)


MAIN = r'''
int main(int argc,char** argv){ std::string folder=argv[1]; int scale=argc>2?atoi(argv[2]):1; for(auto& t:ALL){ int tiles=(t.wide?120:480)*scale; size_t sa=t.wide?2048:(size_t)t.M*t.K*t.a.size, sb=t.wide?256:(size_t)8*t.K*t.a.size, sc=(size_t)t.M*8*t.c.size; if(sa<128) sa=128; if(sb<128) sb=128;
 std::vector<char> fa(sa*tiles),fb(sb*tiles),fc(sc*tiles),fd(sc*tiles); std::vector<std::vector<u64>> LA,LB,LC; state=0; for(const char* p=t.name;*p;p++) state=state*31+*p;
 for(int i=0;i<tiles;i++){ std::vector<u64> A(t.M*t.K),B(8*t.K),C(t.M*8); tile(i%KINDS,t.a,t.b,t.c,t.M,t.K,A,B,C); std::vector<char> pa(sa),pb(sb),pc(sc);
  for(int m=0;m<t.M;m++) for(int k=0;k<t.K;k++) set(pa,t.wide?placeW(t.a.size,m,k):placeA(t,m,k),A[m*t.K+k],t.a.size,true); for(int n=0;n<8;n++) for(int k=0;k<t.K;k++) set(pb,t.wide?placeW(t.a.size,n,k):placeB(t,n,k),B[n*t.K+k],t.a.size,true);
  for(int m=0;m<t.M;m++) for(int n=0;n<8;n++) set(pc,t.wide?placeD(t,m,n):placeC(t,m,n),C[m*8+n],t.c.size,true); memcpy(&fa[i*sa],pa.data(),sa); memcpy(&fb[i*sb],pb.data(),sb); memcpy(&fc[i*sc],pc.data(),sc); LA.push_back(A); LB.push_back(B); LC.push_back(C); }
 u32 *a,*b,*c,*d; CK(cudaMalloc(&a,fa.size())); CK(cudaMalloc(&b,fb.size())); CK(cudaMalloc(&c,fc.size())); CK(cudaMalloc(&d,fd.size())); CK(cudaMemcpy(a,fa.data(),fa.size(),cudaMemcpyHostToDevice)); CK(cudaMemcpy(b,fb.data(),fb.size(),cudaMemcpyHostToDevice)); CK(cudaMemcpy(c,fc.data(),fc.size(),cudaMemcpyHostToDevice));
 t.launch(tiles,a,b,c,d); CK(cudaGetLastError()); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(fd.data(),d,fd.size(),cudaMemcpyDeviceToHost)); cudaFree(a); cudaFree(b); cudaFree(c); cudaFree(d);
 std::vector<char> out; for(int i=0;i<tiles;i++){ for(auto x:LA[i]) put(out,x,t.a.size); for(auto x:LB[i]) put(out,x,t.a.size); for(auto x:LC[i]) put(out,x,t.c.size); std::vector<char> pd(fd.begin()+i*sc,fd.begin()+(i+1)*sc); for(int m=0;m<t.M;m++) for(int n=0;n<8;n++) put(out,get(pd,t.wide?placeD(t,m,n):placeC(t,m,n),t.c.size),t.c.size); }
 FILE* f=fopen((folder+"/"+t.name+".bin").c_str(),"wb"); fwrite(out.data(),1,out.size(),f); fclose(f); printf("%s %d tiles %zu bytes\n",t.name,tiles,out.size()); fflush(stdout); } }
'''


def main():
    print(HEAD)
    table = []
    for kind in KINDS:
        print(kernel(kind))
        t = lambda e, size: "{%d,%d,%d}" % (e[0], e[1], size)
        c = {4: "{8,23,4}", 2: "{5,10,2}", 8: "{11,52,8}"}[kind["acc"]]
        table.append(f'{{"{kind["name"]}",{kind["m"]},{kind["k"]},{t(kind["a"],kind["size"])},{t(kind["b"],kind["size"])},{c},{"true" if kind["how"]=="w" else "false"},l_{kind["name"]}}}')
    print("static const Kind ALL[]={\n" + ",\n".join(table) + "};")
    print(MAIN)


main()
