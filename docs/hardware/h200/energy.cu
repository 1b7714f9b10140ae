// Kernels that hold one behaviour steady, for measuring what it costs in joules. Each row says what one launch does (column counts).
// Operands are random bits (random signs and mantissas near 1 for floating point) unless the name ends in _zero.
#include "steady.h"
#include <cstdint>
#include <map>
#define CK SCK
typedef uint32_t u32; typedef uint64_t u64;
static const int S=132;
__device__ __forceinline__ u32 mix(u32 x){ x^=x>>16; x*=0x7feb352du; x^=x>>15; x*=0x846ca68bu; x^=x>>16; return x; }
__device__ __forceinline__ u32 real(u32 x){ return (mix(x)&0x807fffffu)|((126u+(mix(x+77)&1))<<23); }   // +-0.5 to 2
__device__ __forceinline__ u32 half2(u32 x){ return (mix(x)&0x83ff83ffu)|0x38003800u; }                // +-0.5 to 1
__device__ __forceinline__ u32 bfloat2(u32 x){ return (mix(x)&0x807f807fu)|0x3f003f00u; }
__device__ __forceinline__ u32 sp(const void* p){ return (u32)__cvta_generic_to_shared(p); }

// --- arithmetic: 64 instructions per turn, eight destinations, eight random sources
enum { FFMA,FADD,FMUL,IMAD,IADD,LOP3,SHF,PRMT,IMNMX,FMNMX,SELP,MOV,HFMA2,BFMA2,EX2,RSQ,SIN,LG2,F2I,I2F,F2F16,POPC,DP4A,SHFL,VOTE,REDUX,IMADHI,ISETP,NOPS };
template<int OP> __device__ __forceinline__ void op(u32& d,u32 a,u32 b){
  if constexpr(OP==FFMA) asm volatile("fma.rn.f32 %0,%1,%2,%0;":"+r"(d):"r"(a),"r"(b)); if constexpr(OP==FADD) asm volatile("add.rn.f32 %0,%0,%1;":"+r"(d):"r"(a));
  if constexpr(OP==FMUL) asm volatile("mul.rn.f32 %0,%1,%2;":"=r"(d):"r"(a),"r"(b)); if constexpr(OP==IMAD) asm volatile("mad.lo.s32 %0,%1,%2,%0;":"+r"(d):"r"(a),"r"(b));
  if constexpr(OP==IADD) asm volatile("add.s32 %0,%0,%1;":"+r"(d):"r"(a)); if constexpr(OP==LOP3) asm volatile("lop3.b32 %0,%0,%1,%2,0x96;":"+r"(d):"r"(a),"r"(b));
  if constexpr(OP==SHF) asm volatile("shf.l.wrap.b32 %0,%0,%1,%2;":"+r"(d):"r"(a),"r"(b)); if constexpr(OP==PRMT) asm volatile("prmt.b32 %0,%0,%1,0x4062;":"+r"(d):"r"(a));
  if constexpr(OP==IMNMX) asm volatile("min.s32 %0,%1,%2;":"=r"(d):"r"(a),"r"(b)); if constexpr(OP==FMNMX) asm volatile("min.f32 %0,%1,%2;":"=r"(d):"r"(a),"r"(b));
  if constexpr(OP==SELP) asm volatile("{.reg .pred p; setp.lt.s32 p,%0,%1; selp.b32 %0,%1,%2,p;}":"+r"(d):"r"(a),"r"(b)); if constexpr(OP==MOV) asm volatile("mov.b32 %0,%1;":"=r"(d):"r"(a));
  if constexpr(OP==HFMA2) asm volatile("fma.rn.f16x2 %0,%1,%2,%0;":"+r"(d):"r"(a),"r"(b)); if constexpr(OP==BFMA2) asm volatile("fma.rn.bf16x2 %0,%1,%2,%0;":"+r"(d):"r"(a),"r"(b));
  if constexpr(OP==EX2) asm volatile("ex2.approx.ftz.f32 %0,%1;":"=r"(d):"r"(a)); if constexpr(OP==RSQ) asm volatile("rsqrt.approx.ftz.f32 %0,%1;":"=r"(d):"r"(a)); if constexpr(OP==SIN) asm volatile("sin.approx.ftz.f32 %0,%1;":"=r"(d):"r"(a)); if constexpr(OP==LG2) asm volatile("lg2.approx.ftz.f32 %0,%1;":"=r"(d):"r"(a));
  if constexpr(OP==F2I) asm volatile("cvt.rni.s32.f32 %0,%1;":"=r"(d):"r"(a)); if constexpr(OP==I2F) asm volatile("cvt.rn.f32.s32 %0,%1;":"=r"(d):"r"(a)); if constexpr(OP==F2F16) asm volatile("cvt.rn.f16x2.f32 %0,%1,%2;":"=r"(d):"r"(a),"r"(b));
  if constexpr(OP==POPC) asm volatile("popc.b32 %0,%1;":"=r"(d):"r"(a)); if constexpr(OP==DP4A) asm volatile("dp4a.s32.s32 %0,%1,%2,%0;":"+r"(d):"r"(a),"r"(b));
  if constexpr(OP==SHFL) asm volatile("shfl.sync.bfly.b32 %0,%1,5,0x1f,0xffffffff;":"=r"(d):"r"(a)); if constexpr(OP==VOTE) asm volatile("{.reg .pred p; setp.lt.s32 p,%1,%2; vote.sync.ballot.b32 %0,p,0xffffffff;}":"=r"(d):"r"(a),"r"(b));
  if constexpr(OP==REDUX) asm volatile("redux.sync.add.s32 %0,%1,0xffffffff;":"=r"(d):"r"(a)); if constexpr(OP==IMADHI) asm volatile("mad.hi.u32 %0,%1,%2,%0;":"+r"(d):"r"(a),"r"(b));
  if constexpr(OP==ISETP) asm volatile("{.reg .pred p; setp.lt.s32 p,%1,%2; @p mov.b32 %0,%1;}":"+r"(d):"r"(a),"r"(b)); }
template<int OP> __global__ void alu(u32* o,int n,int lanes,int zero){ u32 t=blockIdx.x*blockDim.x+threadIdx.x,s[8],d[8];
  for(int k=0;k<8;k++){ u32 v=mix(t*8+k); if(OP<=FMUL||OP==FMNMX||(OP>=EX2&&OP<=F2I)||OP==F2F16) v=real(t*8+k); if(OP==HFMA2) v=half2(t*8+k); if(OP==BFMA2) v=bfloat2(t*8+k); s[k]=zero?0:v; d[k]=zero?0:s[k]^1; }
  if((OP>=SHFL&&OP<=REDUX)||(int)(threadIdx.x&31)<lanes)
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<64;k++) op<OP>(d[k&7],s[(k+(k>>3))&7],s[(k*3+1)&7]); }
  u32 r=0; for(int k=0;k<8;k++) r^=d[k]; if(r==0x12345) o[t]=r; }
// The same for results that do not depend on their destination: each changes the mantissa (or all bits) of a source, with one LOP3, or the compiler would leave the loop out.
template<int OP> __global__ void pure(u32* o,int n,int lanes,int zero){ u32 t=blockIdx.x*blockDim.x+threadIdx.x,s[8],d=0; const bool real32=OP==FMUL||OP==FMNMX||(OP>=EX2&&OP<=F2I)||OP==F2F16; for(int k=0;k<8;k++) s[k]=real32?real(t*8+k):mix(t*8+k); u32 keep=real32?0x007fffffu:~0u;
  if((OP>=SHFL&&OP<=REDUX)||(int)(threadIdx.x&31)<lanes)
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<64;k++){ op<OP>(d,s[k&7],s[(k*3+1)&7]); asm volatile("lop3.b32 %0,%0,%1,%2,0x78;":"+r"(s[(k+3)&7]):"r"(d),"r"(keep)); } }
  u32 r=0; for(int k=0;k<8;k++) r^=s[k]; if(r==0x12345) o[t]=r; }
enum { DFMA,DADD };
template<int OP> __global__ void dbl(double* o,int n){ u32 t=blockIdx.x*blockDim.x+threadIdx.x; double s[4],d[4]; for(int k=0;k<4;k++){ s[k]=__hiloint2double((mix(t*4+k)&0x800fffff)|0x3fe00000,mix(t*4+k+99)); d[k]=s[k]; }
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<64;k++){ double a=s[(k+(k>>2))&3],b=s[(k*3+1)&3]; if(OP==DFMA) asm volatile("fma.rn.f64 %0,%1,%2,%0;":"+d"(d[k&3]):"d"(a),"d"(b)); if(OP==DADD) asm volatile("add.rn.f64 %0,%0,%1;":"+d"(d[k&3]):"d"(a)); } }
  double r=d[0]+d[1]+d[2]+d[3]; if(r==1.2345) o[t]=r; }
__global__ void wide(u64* o,int n){ u32 t=blockIdx.x*blockDim.x+threadIdx.x,s[4]; u64 d[4]; for(int k=0;k<4;k++){ s[k]=mix(t*4+k); d[k]=s[k]; }
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<64;k++) asm volatile("mad.wide.u32 %0,%1,%2,%0;":"+l"(d[k&3]):"r"((u32)d[(k+1)&3]),"r"(s[(k*3+1)&3])); }
  u64 r=d[0]^d[1]^d[2]^d[3]; if(r==12345) o[t]=r; }
// one source from constant memory, and one immediate
__global__ void ffma_const(float* o,int n,float c0,float c1){ u32 t=blockIdx.x*blockDim.x+threadIdx.x; float d[8]; for(int k=0;k<8;k++) d[k]=__uint_as_float(real(t*8+k));
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<64;k++) d[k&7]=d[k&7]*((k>>3)&1?c0:c1)+((k>>3)&1?c1:c0); }
  float r=0; for(int k=0;k<8;k++) r+=d[k]; if(r==1.2345f) o[t]=r; }
// --- control
__global__ void branches(u32* o,int n){ u32 x=mix(threadIdx.x>>5);
#pragma unroll 1
  for(int i=0;i<n;i++) asm volatile("mad.lo.u32 %0,%0,1664525,1013904223;":"+r"(x)); if(x==12345) o[0]=n; }
__global__ void sleeping(int* o,int n){ for(int i=0;i<n;i++) __nanosleep(1000); if(n<0) o[0]=n; }
__global__ void chain(float* o,int n){ float d=__uint_as_float(real(threadIdx.x)),a=__uint_as_float(real(threadIdx.x+9));
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<64;k++) asm volatile("fma.rn.f32 %0,%0,%1,%1;":"+f"(d):"f"(a)); } if(d==1.2345f) o[0]=d; }
__global__ void barriers(int* o,int n){ for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<16;k++) asm volatile("bar.sync 0;"); } if(n<0) o[0]=n; }
__constant__ u32 table[8192];
__global__ void ldc(u32* o,int n){ u32 x=threadIdx.x>>5;
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<16;k++) x=table[(x&255)+k]+k; } if(x==12345) o[0]=x; }
// --- tensor cores, operands in registers
enum { M_F16,M_F16H,M_BF16,M_TF32,M_S8,M_F64 };
template<int T> __global__ void mma(float* o,int n,int zero){ u32 t=blockIdx.x*blockDim.x+threadIdx.x,a[4],b[4][2]; float c[4][4]; double x[4][2]; 
  for(int k=0;k<4;k++){ a[k]=zero?0:T==M_BF16?bfloat2(t*4+k):T==M_TF32?real(t*4+k):T==M_S8?mix(t*4+k):half2(t*4+k); for(int j=0;j<2;j++) b[k][j]=zero?0:T==M_BF16?bfloat2(t*8+k*2+j+1000):T==M_TF32?real(t*8+k*2+j+1000):T==M_S8?mix(t*8+k*2+j+1000):half2(t*8+k*2+j+1000); for(int j=0;j<4;j++) c[k][j]=0; x[k][0]=x[k][1]=0; }
  double da=__hiloint2double((mix(t)&0x800fffff)|0x3fe00000,mix(t+99)),db=__hiloint2double((mix(t+5)&0x800fffff)|0x3fe00000,mix(t+91));
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int j=0;j<32;j++){ int k=j&3; u32* d=(u32*)c[k];
      if(T==M_F16) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};":"+f"(c[k][0]),"+f"(c[k][1]),"+f"(c[k][2]),"+f"(c[k][3]):"r"(a[0]),"r"(a[1]),"r"(a[2]),"r"(a[3]),"r"(b[k][0]),"r"(b[k][1]));
      if(T==M_F16H) asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};":"+r"(d[0]),"+r"(d[1]):"r"(a[0]),"r"(a[1]),"r"(a[2]),"r"(a[3]),"r"(b[k][0]),"r"(b[k][1]));
      if(T==M_BF16) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};":"+f"(c[k][0]),"+f"(c[k][1]),"+f"(c[k][2]),"+f"(c[k][3]):"r"(a[0]),"r"(a[1]),"r"(a[2]),"r"(a[3]),"r"(b[k][0]),"r"(b[k][1]));
      if(T==M_TF32) asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};":"+f"(c[k][0]),"+f"(c[k][1]),"+f"(c[k][2]),"+f"(c[k][3]):"r"(a[0]),"r"(a[1]),"r"(a[2]),"r"(a[3]),"r"(b[k][0]),"r"(b[k][1]));
      if(T==M_S8) asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};":"+r"(d[0]),"+r"(d[1]),"+r"(d[2]),"+r"(d[3]):"r"(a[0]),"r"(a[1]),"r"(a[2]),"r"(a[3]),"r"(b[k][0]),"r"(b[k][1]));
      if(T==M_F64) asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};":"+d"(x[k][0]),"+d"(x[k][1]):"d"(da),"d"(db)); } }
  float r=0; for(int k=0;k<4;k++) for(int j=0;j<4;j++) r+=c[k][j]+(float)x[k][j&1]; if(r==1.2345f) o[t]=r; }
// --- tensor cores, operands in shared memory (warpgroup products)
#include "energy_wgmma.h"
template<int T,int N> __global__ void __launch_bounds__(128) wg(float* o,int n,int zero){ extern __shared__ unsigned char raw[]; unsigned char* base=(unsigned char*)(((uintptr_t)raw+1023)&~(uintptr_t)1023); u32* w=(u32*)base;
  for(int i=threadIdx.x;i<(8192+N*128)/4;i+=blockDim.x){ u32 x=blockIdx.x*65536+i; w[i]=zero?0:T==W_BF16?bfloat2(x):T==W_TF32?real(x):T==W_S8?mix(x):T==W_E4M3?(mix(x)&0x87878787u)|0x30303030u:half2(x); } __syncthreads(); asm volatile("fence.proxy.async.shared::cta;":::"memory");
  float d[N/2]; for(int i=0;i<N/2;i++) d[i]=0;
#pragma unroll 1
  for(int i=0;i<n;i++){ asm volatile("wgmma.fence.sync.aligned;":::"memory");
#pragma unroll
    for(int k=0;k<4;k++) product<T,N>(d,mdesc(base+k*32),mdesc(base+8192+k*32));
    asm volatile("wgmma.commit_group.sync.aligned;":::"memory"); asm volatile("wgmma.wait_group.sync.aligned 0;":::"memory"); }
  float r=0; for(int i=0;i<N/2;i++) r+=d[i]; if(r==1.2345f) o[threadIdx.x]=r; }
// --- shared memory: 32 accesses per turn
enum { LDS32,LDS64,LDS128,STS32,STS128,REDS };
template<int OP> __global__ void __launch_bounds__(512) shared(u32* o,int n,int stride){ __shared__ alignas(1024) u32 s[8192]; for(int i=threadIdx.x;i<8192;i+=blockDim.x) s[i]=mix(blockIdx.x*8192+i); __syncthreads(); u32 l=threadIdx.x&31,w=threadIdx.x>>5; int words=OP==LDS128||OP==STS128?4:OP==LDS64?2:1;
  u32 a=sp(s)+((l*stride*words*4+w*128)&0x3fff); u32 v=mix(threadIdx.x),d[8]={};
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<32;k++){ int q=k&7; u32 p=a+k*512;
      if(OP==LDS32) asm volatile("ld.volatile.shared.b32 %0,[%1];":"=r"(d[q]):"r"(p)); if(OP==LDS64) asm volatile("ld.volatile.shared.v2.b32 {%0,%1},[%2];":"=r"(d[q&6]),"=r"(d[(q&6)+1]):"r"(p)); if(OP==LDS128) asm volatile("ld.volatile.shared.v4.b32 {%0,%1,%2,%3},[%4];":"=r"(d[q&4]),"=r"(d[(q&4)+1]),"=r"(d[(q&4)+2]),"=r"(d[(q&4)+3]):"r"(p));
      if(OP==STS32) asm volatile("st.shared.b32 [%1],%0;"::"r"(k&1?v:~v),"r"(p)); if(OP==STS128) asm volatile("st.shared.v4.b32 [%4],{%0,%1,%2,%3};"::"r"(v),"r"(~v),"r"(k&1?v:~v),"r"(v),"r"(p)); if(OP==REDS) asm volatile("red.shared.add.u32 [%1],%0;"::"r"(v),"r"(p)); } }
  u32 r=0; for(int k=0;k<8;k++) r^=d[k]; if(r==12345) o[0]=r; }
// --- global memory. Threads walk `span` bytes in turns; `mine` spans per SM.
enum { LD32,LD128,LDSEC,ST128,RED,ATOM };
template<int OP,bool CA> __global__ void __launch_bounds__(512) global(char* p,u32* o,int n,u64 span,int own,u64 offset){ u64 bytes=OP==LDSEC?32:OP==LD128||OP==ST128?16:4; u64 threads=own?blockDim.x:(u64)gridDim.x*blockDim.x; u64 t=own?threadIdx.x:(u64)blockIdx.x*blockDim.x+threadIdx.x; char* base=p+(own?blockIdx.x*span:0); u64 at=(t*bytes+offset)%span,step=threads*bytes; u32 d[16]={}; u32 v=mix(t);
#pragma unroll 1
  for(int i=0;i<n;i++){
#pragma unroll
    for(int k=0;k<4;k++){ char* q=base+at; at+=step; if(at>=span) at-=span;
      if(OP==LD32||OP==LDSEC){ if(CA) asm volatile("ld.global.ca.b32 %0,[%1];":"=r"(d[k]):"l"(q)); else asm volatile("ld.relaxed.gpu.global.b32 %0,[%1];":"=r"(d[k]):"l"(q)); }
      if(OP==LD128){ if(CA) asm volatile("ld.global.ca.v4.b32 {%0,%1,%2,%3},[%4];":"=r"(d[k*4]),"=r"(d[k*4+1]),"=r"(d[k*4+2]),"=r"(d[k*4+3]):"l"(q)); else asm volatile("ld.relaxed.gpu.global.v4.b32 {%0,%1,%2,%3},[%4];":"=r"(d[k*4]),"=r"(d[k*4+1]),"=r"(d[k*4+2]),"=r"(d[k*4+3]):"l"(q)); }
      if(OP==ST128){ v=v*1664525u+1013904223u; asm volatile("st.global.v4.b32 [%4],{%0,%1,%2,%3};"::"r"(v),"r"(~v),"r"(v^0x5555aaaa),"r"(v^0x1234f00f),"l"(q)); }
      if(OP==RED) asm volatile("red.global.add.u32 [%1],%0;"::"r"(v),"l"(q)); if(OP==ATOM) asm volatile("atom.global.add.u32 %0,[%1],%2;":"=r"(d[k]):"l"(q),"r"(v)); } }
  u32 r=0; for(int k=0;k<16;k++) r^=d[k]; if(r==12345) o[0]=r; }
// L1 hits: 16 loads per turn, their results combined with LOP3 (two words each)
template<int OP> __global__ void __launch_bounds__(1024) hits(const char* p,u32* o,int n){ u64 bytes=OP==LDSEC?32:OP==LD128?16:4; const char* base=p+(u64)blockIdx.x*65536; u32 at=(threadIdx.x&255)*bytes,x=0,y=0;
#pragma unroll 1
  for(int i=0;i<n;i++){ at=(at+(OP==LD128?4096:OP==LDSEC?8192:1024))&0x3fff; const char* q=base+at;
#pragma unroll
    for(int k=0;k<16;k+=2){ if(OP!=LD128){ u32 a,b; asm volatile("ld.global.ca.b32 %0,[%1];":"=r"(a):"l"(q+k*4096)); asm volatile("ld.global.ca.b32 %0,[%1];":"=r"(b):"l"(q+(k+1)*4096)); x^=a^b; }
      else { uint4 a,b; asm volatile("ld.global.ca.v4.b32 {%0,%1,%2,%3},[%4];":"=r"(a.x),"=r"(a.y),"=r"(a.z),"=r"(a.w):"l"(q+k*4096)); asm volatile("ld.global.ca.v4.b32 {%0,%1,%2,%3},[%4];":"=r"(b.x),"=r"(b.y),"=r"(b.z),"=r"(b.w):"l"(q+(k+1)*4096)); x^=a.x^b.x; y^=a.y^b.y; x^=a.z^b.z; y^=a.w^b.w; } } }
  if((x^y)==12345) o[0]=x; }
__global__ void copy128(const uint4* a,uint4* b,int n,u64 words){ u64 t=(u64)blockIdx.x*blockDim.x+threadIdx.x,st=(u64)gridDim.x*blockDim.x; 
#pragma unroll 4
  for(int i=0;i<n;i++){ b[t]=a[t]; t+=st; if(t>=words) t-=words; } }
// random sectors of a large region: rows are opened for each
__global__ void sectors(const char* p,u32* o,int n,u64 mask){ u32 x=mix(blockIdx.x*blockDim.x+threadIdx.x),r=0;
#pragma unroll 4
  for(int i=0;i<n;i++){ x=x*1664525u+1013904223u; u64 a=((u64)mix(x)*64)&mask; u32 d; asm volatile("ld.relaxed.gpu.global.b32 %0,[%1];":"=r"(d):"l"(p+a)); r^=d; } if(r==12345) o[0]=r; }
// bulk copies from global to shared memory, 16 KB each, four in flight
__global__ void bulk(const char* p,u32* o,int n,u64 span){ extern __shared__ __align__(128) unsigned char s[]; __shared__ __align__(8) u64 b[4]; if(threadIdx.x) return; for(int i=0;i<4;i++) asm volatile("mbarrier.init.shared::cta.b64 [%0],1;"::"r"(sp(&b[i]))); asm volatile("fence.mbarrier_init.release.cluster;"); u64 at=(u64)blockIdx.x*16384%span;
  for(int i=0;i<n+4;i++){ int k=i&3; if(i>=4) asm volatile("{\n.reg .pred p;\nL1:\nmbarrier.try_wait.parity.shared::cta.b64 p,[%0],%1;\n@p bra L2;\nbra L1;\nL2:\n}"::"r"(sp(&b[k])),"r"(((i>>2)-1)&1):"memory");
    if(i<n){ asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _,[%0],16384;"::"r"(sp(&b[k])):"memory"); asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],16384,[%2];"::"r"(sp(s+k*16384)),"l"(p+at),"r"(sp(&b[k])):"memory"); at+=(u64)gridDim.x*16384; if(at>=span) at-=span; } } if(n<0) o[0]=n; }
__global__ void fill(u32* p,u64 n){ for(u64 i=(u64)blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=(u64)gridDim.x*blockDim.x) p[i]=mix((u32)i^(u32)(i>>32)); }

// --- the list
typedef std::vector<std::pair<const char*,double>> Counts;
// Instructions of a turn are those of the loop in the machine code (energy_counts.py); "turn" is how many warps take one.
static void micro(const std::string& name,const std::function<void(int)>& launch,const Counts& perTurn,int first=200){
  if(getenv("ONLY")&&!strstr((std::string(",")+getenv("ONLY")+",").c_str(),(","+name+",").c_str())) return;
  cudaEvent_t a,b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b)); launch(first); CK(cudaEventRecord(a,cudaStreamPerThread)); launch(first); CK(cudaEventRecord(b,cudaStreamPerThread)); CK(cudaEventSynchronize(b)); CK(cudaGetLastError()); float ms; CK(cudaEventElapsedTime(&ms,a,b));
  double want=first*2.0/ms; int n=want<1?1:want>5e7?50000000:(int)want; std::string c; char text[99]; for(auto& x:perTurn){ snprintf(text,sizeof text,"%s%s=%.6g",c.empty()?"":";",x.first,x.second*n); c+=text; } steady::loop(name,[&]{ launch(n); },c); }
int main(int argc,char** argv){ CK(cudaFree(0)); u32* o; CK(cudaMalloc(&o,64<<20)); u64 big=8ull<<30; char* p; CK(cudaMalloc(&p,big)); fill<<<S*8,256>>>((u32*)p,big/4); CK(cudaDeviceSynchronize());
  std::string part=argc>1?argv[1]:"all"; auto on=[&](const char* x){ return part=="all"||part==x; };
  unsigned lim=0; steady::meter().n.limit(steady::meter().n.dev,&lim); fprintf(stderr,"power limit %u mW\n",lim);
  auto arith=[&](const char* name,auto kernel,const char* kind,int blocks,int threads,int lanes,int zero,double more=0){ double w=(double)blocks*threads/32; micro(name,[=](int n){ kernel<<<blocks,threads>>>(o,n,lanes,zero); },{{"turn",w},{"lanes",w*lanes},{kind,64*w*lanes},{"alu",(2+more*64)*w*lanes},{"branch",w},{"issue",(67+more*64)*w}}); };
#define A(N,OP,KIND,...) arith(N,alu<OP>,KIND,__VA_ARGS__)
  if(on("idle")) steady::idle("idle_context",2.0);
  if(on("arithmetic")){ int B=2*S,T=1024;
  A("ffma",FFMA,"fp32",B,T,32,0); A("ffma_zero",FFMA,"fp32",B,T,32,1); A("fadd",FADD,"fp32",B,T,32,0); arith("fmul",pure<FMUL>,"fp32",B,T,32,0,1); A("imad",IMAD,"imad",B,T,32,0); A("imad_zero",IMAD,"imad",B,T,32,1); A("iadd",IADD,"alu",B,T,32,0); A("lop3",LOP3,"alu",B,T,32,0); A("shf",SHF,"alu",B,T,32,0); A("prmt",PRMT,"alu",B,T,32,0);
  arith("imnmx",pure<IMNMX>,"alu",B,T,32,0,1); arith("fmnmx",pure<FMNMX>,"alu",B,T,32,0,1); A("hfma2",HFMA2,"half",B,T,32,0); A("bfma2",BFMA2,"half",B,T,32,0); arith("ex2",pure<EX2>,"xu",B,T,32,0,1); arith("rsq",pure<RSQ>,"xu",B,T,32,0,1); arith("sin",pure<SIN>,"xu",B,T,32,0,1); arith("lg2",pure<LG2>,"xu",B,T,32,0,1); arith("f2i",pure<F2I>,"xu",B,T,32,0,1); arith("i2f",pure<I2F>,"xu",B,T,32,0,1); arith("f2f16",pure<F2F16>,"alu",B,T,32,0,1); arith("popc",pure<POPC>,"xu",B,T,32,0,1);
  A("dp4a",DP4A,"imad",B,T,32,0); A("selp",SELP,"alu",B,T,32,0,1); A("isetp",ISETP,"alu",B,T,32,0,1); arith("shfl",pure<SHFL>,"shuffle",B,T,32,0,1); A("vote",VOTE,"alu",B,T,32,0,1); arith("redux",pure<REDUX>,"redux",B,T,32,0,1); A("imad_hi",IMADHI,"imadWide",B,T,32,0);
  A("ffma_lanes1",FFMA,"fp32",B,T,1,0); A("ffma_lanes8",FFMA,"fp32",B,T,8,0); A("ffma_lanes16",FFMA,"fp32",B,T,16,0); A("imad_lanes8",IMAD,"imad",B,T,8,0); A("lop3_lanes8",LOP3,"alu",B,T,8,0);
  A("ffma_sms1",FFMA,"fp32",1,1024,32,0); A("ffma_sms16",FFMA,"fp32",16,1024,32,0); A("ffma_sms66",FFMA,"fp32",66,1024,32,0); A("ffma_warps4",FFMA,"fp32",S,128,32,0); A("ffma_warps1",FFMA,"fp32",S,32,32,0); A("ffma_warps8",FFMA,"fp32",S,256,32,0);
  double w=2*S*1024/32.; auto d=[&](const char* name,auto k){ micro(name,[=](int n){ k<<<2*S,1024>>>((double*)o,n); },{{"turn",w},{"fp64",64*w*32},{"alu",2*w*32},{"branch",w},{"issue",67*w}}); }; d("dfma",dbl<DFMA>); d("dadd",dbl<DADD>);
  micro("imad_wide",[=](int n){ wide<<<2*S,1024>>>((u64*)o,n); },{{"turn",w},{"imadWide",64*w*32},{"alu",2*w*32},{"branch",w},{"issue",67*w}});
  micro("ffma_const",[=](int n){ ffma_const<<<2*S,1024>>>((float*)o,n,0.9137261f,0.871317f); },{{"turn",w},{"fp32",64*w*32},{"alu",2*w*32},{"branch",w},{"issue",67*w}}); }
  if(on("control")){ for(int b: {1,16,66,S}) micro("chain_sms"+std::to_string(b),[=](int n){ chain<<<b,32>>>((float*)o,n); },{{"turn",1.*b},{"fp32",64.*b*32},{"alu",2.*b*32},{"branch",1.*b},{"issue",67.*b}});
  micro("chain_warps64",[=](int n){ chain<<<2*S,1024>>>((float*)o,n); },{{"turn",2.*S*32},{"fp32",64.*2*S*1024},{"alu",2.*2*S*1024},{"branch",2.*S*32},{"issue",67.*2*S*32}});
  micro("branch",[=](int n){ branches<<<2*S,1024>>>(o,n); },{{"turn",2.*S*32},{"branch",2.*S*32},{"imad",2.*S*1024},{"alu",2.*2*S*1024},{"issue",4.*2*S*32}});
  micro("sleep",[=](int n){ sleeping<<<S,32>>>((int*)o,n); },{{"turn",1.*S},{"issue",4.*S}}); micro("sleep_full",[=](int n){ sleeping<<<2*S,1024>>>((int*)o,n); },{{"turn",64.*S},{"issue",4.*S*64}});
  micro("barrier",[=](int n){ barriers<<<8*S,256>>>((int*)o,n); },{{"turn",8.*S*8},{"barrier",16.*8*S*8},{"issue",18.*8*S*8}}); micro("ldc",[=](int n){ ldc<<<2*S,1024>>>(o,n); },{{"turn",2.*S*32},{"constant",16.*2*S*32},{"alu",34.*2*S*1024},{"branch",2.*S*32},{"issue",51.*2*S*32}}); }
  if(on("tensor")){ auto m=[&](const char* name,auto k,const char* kind,double macs,int zero,int threads=512){ double w=2.*S*threads/32; micro(name,[=](int n){ k<<<2*S,threads>>>((float*)o,n,zero); },{{"turn",w},{kind,32*macs*w},{"mma",32*w},{"alu",2*w*32},{"branch",w},{"issue",35*w}}); };
  m("mma_f16",mma<M_F16>,"tensorF16",2048,0); m("mma_f16_zero",mma<M_F16>,"tensorF16",2048,1); m("mma_f16h",mma<M_F16H>,"tensorF16",2048,0); m("mma_bf16",mma<M_BF16>,"tensorBf16",2048,0); m("mma_tf32",mma<M_TF32>,"tensorTf32",1024,0); m("mma_s8",mma<M_S8>,"tensorS8",4096,0); m("mma_f64",mma<M_F64>,"tensorF64",256,0);
  auto g=[&](const char* name,auto k,const char* kind,int N,int K,int zero){ int sh=8192+N*128+1024; CK(cudaFuncSetAttribute(k,cudaFuncAttributeMaxDynamicSharedMemorySize,sh)); double w=4.*2*S; micro(name,[=](int n){ k<<<2*S,128,sh>>>((float*)o,n,zero); },{{"turn",w},{kind,4.*64*N*K*2*S},{"gmma",4*w},{"gmmaBytes",4.*2*S*(64*32+N*32)},{"issue",12*w}}); };
  g("wgmma_f16_n256",wg<W_F16,256>,"tensorF16",256,16,0); g("wgmma_f16_n256_zero",wg<W_F16,256>,"tensorF16",256,16,1); g("wgmma_f16_n128",wg<W_F16,128>,"tensorF16",128,16,0); g("wgmma_f16_n64",wg<W_F16,64>,"tensorF16",64,16,0); g("wgmma_bf16_n256",wg<W_BF16,256>,"tensorBf16",256,16,0); g("wgmma_tf32_n256",wg<W_TF32,256>,"tensorTf32",256,8,0); g("wgmma_e4m3_n256",wg<W_E4M3,256>,"tensorF8",256,32,0); g("wgmma_s8_n256",wg<W_S8,256>,"tensorS8",256,32,0); }
  if(on("shared")){ double w=2.*S*1024/32; auto s=[&](const char* name,auto k,int stride,double passes){ micro(name,[=](int n){ k<<<4*S,512>>>(o,n,stride); },{{"turn",w},{"sharedPass",32*passes*w},{"lsu",32*w*32},{"alu",2*w*32},{"branch",w},{"issue",35*w}}); };
  s("lds32",shared<LDS32>,1,1); s("lds64",shared<LDS64>,1,2); s("lds128",shared<LDS128>,1,4); s("lds32_conflict2",shared<LDS32>,2,2); s("lds32_conflict8",shared<LDS32>,8,8); s("lds32_conflict32",shared<LDS32>,32,32); s("lds32_broadcast",shared<LDS32>,0,1); s("sts32",shared<STS32>,1,1); s("sts128",shared<STS128>,1,4); s("reds",shared<REDS>,1,1); }
  if(on("memory")){ double w=2.*S*1024/32; auto h=[&](const char* name,auto k,double sec,double lop){ micro(name,[=](int n){ k<<<2*S,1024>>>(p,o,n); },{{"turn",w},{"l1Sector",16*sec*w},{"lsu",16*w*32},{"alu",(6+lop)*w*32},{"branch",w},{"issue",(23+lop)*w}}); }; h("l1_32",hits<LD32>,4,8); h("l1_128",hits<LD128>,16,32); h("l1_sectors",hits<LDSEC>,32,8);
  double v=4.*S*512/32; auto g=[&](const char* name,auto k,u64 span,double sec,const char* kind,double dram,const char* dkind){ micro(name,[=](int n){ k<<<4*S,512>>>(p,o,n,span,0,0); },{{"turn",v},{kind,4*sec*v},{dkind,4*sec*32*v*dram},{"l1Sector",4*sec*v},{"lsu",4*v*32},{"alu",(4*8+2)*v*32},{"branch",v},{"issue",(4*9+3)*v}}); };
  u64 span=(u64)4*S*512*16*16; // 17.3 MB
  g("l2_read128",global<LD128,false>,span,16,"l2Read",0,"dramRead"); g("l2_read32",global<LD32,false>,span,4,"l2Read",0,"dramRead"); g("l2_sectors",global<LDSEC,false>,span,32,"l2Read",0,"dramRead"); g("l2_write128",global<ST128,false>,span,16,"l2Write",0,"dramWrite"); g("l2_red",global<RED,false>,span,4,"l2Atomic",0,"dramWrite"); g("l2_atom",global<ATOM,false>,span,4,"l2Atomic",0,"dramRead");
  u64 s2=(u64)4*S*512*16*400; g("dram_read128",global<LD128,false>,s2,16,"l2Read",1,"dramRead"); g("dram_write128",global<ST128,false>,s2,16,"l2Write",1,"dramWrite");
  micro("dram_copy128",[=](int n){ copy128<<<4*S,512>>>((uint4*)p,(uint4*)(p+big/2),n,big/32); },{{"turn",v/4},{"l2Read",16*v},{"l2Write",16*v},{"dramRead",512*v},{"dramWrite",512*v},{"l1Sector",32*v},{"lsu",64*v},{"alu",8*v*32},{"issue",11*v}});
  micro("dram_sectors",[=](int n){ sectors<<<4*S,512>>>(p,o,n,(big-1)&~63ull); },{{"turn",v/4},{"l2Read",32*v},{"dramRead",64*32*v},{"dramRow",32*v},{"l1Sector",32*v},{"lsu",32*v},{"alu",9*v*32},{"imad",3*v*32},{"issue",14*v}});
  CK(cudaFuncSetAttribute(bulk,cudaFuncAttributeMaxDynamicSharedMemorySize,65536)); micro("bulk_l2",[=](int n){ bulk<<<2*S,32,65536>>>(p,o,n,(u64)2*S*16384*4); },{{"l2Read",512.*2*S},{"copySector",512.*2*S}}); micro("bulk_dram",[=](int n){ bulk<<<2*S,32,65536>>>(p,o,n,(u64)2*S*16384*400); },{{"l2Read",512.*2*S},{"copySector",512.*2*S},{"dramRead",16384.*2*S}}); }
  if(on("idle")) { steady::idle("idle_after",2.0); }
  return 0; }
