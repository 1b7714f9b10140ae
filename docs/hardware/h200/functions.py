#!/usr/bin/env python3
"""Writes functions.cu: small kernels with Hopper's instructions, whose results on the GPU an emulator can be compared with."""

HEAD = r'''// Written by functions.py.
#include <cuda.h>
#include <cstdint>
typedef uint64_t u64; typedef uint32_t u32;
#define DEV __device__ __forceinline__
#define K extern "C" __global__ void
#define MAP const __grid_constant__ CUtensorMap
DEV u32 sp(const void* p){ return (u32)__cvta_generic_to_shared(p); }
DEV void init(u64* b,u32 n){ asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"::"r"(sp(b)),"r"(n):"memory"); }
DEV void expect(u64* b,u32 n){ asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"::"r"(sp(b)),"r"(n):"memory"); }
DEV void wait(u64* b,u32 ph){ asm volatile("{\n.reg .pred p;\nL1:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra L2;\nbra L1;\nL2:\n}"::"r"(sp(b)),"r"(ph):"memory"); }
DEV void fence(){ asm volatile("fence.proxy.async.shared::cta;":::"memory"); }
DEV void cluster(){ asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory"); }
DEV u32 rank(){ u32 r; asm volatile("mov.u32 %0, %%cluster_ctarank;":"=r"(r)); return r; }
DEV u32 mapa(u32 a,u32 r){ u32 x; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;":"=r"(x):"r"(a),"r"(r)); return x; }
DEV void done(){ asm volatile("cp.async.bulk.commit_group;":::"memory"); asm volatile("cp.async.bulk.wait_group 0;":::"memory"); }
DEV void doneReading(){ asm volatile("cp.async.bulk.commit_group;":::"memory"); asm volatile("cp.async.bulk.wait_group.read 0;":::"memory"); }
extern __shared__ __align__(1024) unsigned char dyn[];
'''

out = [HEAD]
e = out.append

# Tensor copies: a box to shared memory, and shared memory as it then is to the output.
for d in range(1, 6):
    args = ",".join(f"int x{i}" for i in range(d))
    coords = "{" + ",".join(f"%{3+i}" for i in range(d)) + "}"
    values = ",".join(f'"r"(x{i})' for i in range(d))
    e(f'''K tensor_load{d}(MAP m,u32* out,int bytes,{args}){{ __shared__ alignas(8) u64 b; u32* s=(u32*)dyn; int t=threadIdx.x; for(int i=t;i<bytes/4;i+=blockDim.x) s[i]=0xcdcdcdcd; if(!t) init(&b,1); fence(); __syncthreads();
 if(!t){{ expect(&b,bytes); asm volatile("cp.async.bulk.tensor.{d}d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {coords}], [%2];"::"r"(sp(s)),"l"(&m),"r"(sp(&b)),{values}:"memory"); }} wait(&b,0); for(int i=t;i<bytes/4;i+=blockDim.x) out[i]=s[i]; }}''')
    coords2 = "{" + ",".join(f"%{2+i}" for i in range(d)) + "}"
    e(f'''K tensor_store{d}(MAP m,const u32* in,int bytes,{args}){{ u32* s=(u32*)dyn; int t=threadIdx.x; for(int i=t;i<bytes/4;i+=blockDim.x) s[i]=in[i]; fence(); __syncthreads();
 if(!t){{ asm volatile("cp.async.bulk.tensor.{d}d.global.shared::cta.bulk_group [%0, {coords2}], [%1];"::"l"(&m),"r"(sp(s)),{values}:"memory"); done(); }} }}''')
for d in range(3, 6):
    args = ",".join(f"int x{i}" for i in range(d)) + "," + ",".join(f"int o{i}" for i in range(d - 2))
    coords = "{" + ",".join(f"%{3+i}" for i in range(d)) + "}"
    offsets = "{" + ",".join(f"%{3+d+i}" for i in range(d - 2)) + "}"
    values = ",".join([f'"r"(x{i})' for i in range(d)] + [f'"h"((short)o{i})' for i in range(d - 2)])
    e(f'''K tensor_im2col{d}(MAP m,u32* out,int bytes,{args}){{ __shared__ alignas(8) u64 b; u32* s=(u32*)dyn; int t=threadIdx.x; for(int i=t;i<bytes/4;i+=blockDim.x) s[i]=0xcdcdcdcd; if(!t) init(&b,1); fence(); __syncthreads();
 if(!t){{ expect(&b,bytes); asm volatile("cp.async.bulk.tensor.{d}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {coords}], [%2], {offsets};"::"r"(sp(s)),"l"(&m),"r"(sp(&b)),{values}:"memory"); }} wait(&b,0); for(int i=t;i<bytes/4;i+=blockDim.x) out[i]=s[i]; }}''')
for op in ("add", "min", "max", "inc", "dec", "and", "or", "xor"):
    e(f'''K tensor_reduce_{op}(MAP m,const u32* in,int bytes,int x0,int x1){{ u32* s=(u32*)dyn; int t=threadIdx.x; for(int i=t;i<bytes/4;i+=blockDim.x) s[i]=in[i]; fence(); __syncthreads();
 if(!t){{ asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.{op}.bulk_group [%0, {{%2,%3}}], [%1];"::"l"(&m),"r"(sp(s)),"r"(x0),"r"(x1):"memory"); done(); }} }}''')
# Prefetches, a descriptor's own fence, and a hint for the cache.
e('''K tensor_hints(MAP m,u32* out,int bytes,int x0,int x1){ __shared__ alignas(8) u64 b; u32* s=(u32*)dyn; int t=threadIdx.x; if(!t){ init(&b,1); asm volatile("fence.mbarrier_init.release.cluster;"); asm volatile("prefetch.tensormap [%0];"::"l"(&m):"memory"); asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1,%2}];"::"l"(&m),"r"(x0),"r"(x1):"memory"); asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;"::"l"(out),"r"(64):"memory"); } fence(); __syncthreads();
 u64 policy; asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;":"=l"(policy)); if(!t){ expect(&b,bytes); asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%3,%4}], [%2], %5;"::"r"(sp(s)),"l"(&m),"r"(sp(&b)),"r"(x0),"r"(x1),"l"(policy):"memory"); } wait(&b,0); for(int i=t;i<bytes/4;i+=blockDim.x) out[i]=s[i]; }''')
# Several lanes of a warp issue one copy each; a warp elects a lane for another.
e('''K tensor_lanes(MAP m,u32* out,int bytes){ __shared__ alignas(8) u64 b; u32* s=(u32*)dyn; int t=threadIdx.x; if(!t) init(&b,1); fence(); __syncthreads(); if(!t) expect(&b,bytes*4); __syncthreads();
 if(t<4) asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3,%4}], [%2];"::"r"(sp(s)+t*bytes),"l"(&m),"r"(sp(&b)),"r"(t*4),"r"(t):"memory"); wait(&b,0); for(int i=t;i<bytes;i+=blockDim.x) out[i]=s[i]; }''')
# Multicast of a tensor copy and of a bulk copy to the blocks of a cluster of 4.
e('''K __cluster_dims__(4,1,1) multicast(MAP m,const u32* in,u32* out,int bytes,int mask){ __shared__ alignas(8) u64 b; u32* s=(u32*)dyn; int t=threadIdx.x; u32 r=rank(); for(int i=t;i<bytes/2;i+=blockDim.x) s[i]=0xcdcdcdcd; if(!t){ init(&b,1); asm volatile("fence.mbarrier_init.release.cluster;"); } fence(); __syncthreads(); cluster();
 bool mine=mask>>r&1; if(!t&&mine) expect(&b,2*bytes); cluster(); if(!t&&r==0) asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3,%4}], [%2], %5;"::"r"(sp(s)),"l"(&m),"r"(sp(&b)),"r"(4),"r"(2),"h"((short)mask):"memory");
 if(!t&&r==3) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"::"r"(sp(s)+bytes),"l"(in),"r"(bytes),"r"(sp(&b)),"h"((short)mask):"memory"); if(mine) wait(&b,0); for(int i=t;i<bytes/2;i+=blockDim.x) out[r*bytes/2+i]=s[i]; cluster(); }''')
# Bulk copies each way, and to another block of the cluster.
e('''K bulk(const u32* in,u32* out,int bytes){ __shared__ alignas(8) u64 b; u32* s=(u32*)dyn; int t=threadIdx.x; if(!t) init(&b,1); fence(); __syncthreads(); if(!t){ expect(&b,bytes); asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"::"r"(sp(s)),"l"(in+blockIdx.x*bytes/4),"r"(bytes),"r"(sp(&b)):"memory"); } wait(&b,0); for(int i=t;i<bytes/4;i+=blockDim.x) s[i]+=i; fence(); __syncthreads(); if(!t){ asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"::"l"(out+blockIdx.x*bytes/4),"r"(sp(s)),"r"(bytes):"memory"); doneReading(); } }''')
e('''K __cluster_dims__(2,1,1) bulk_between(const u32* in,u32* out,int bytes){ __shared__ alignas(8) u64 b; u32* s=(u32*)dyn; int t=threadIdx.x; u32 r=rank(); if(!t){ init(&b,1); asm volatile("fence.mbarrier_init.release.cluster;"); } for(int i=t;i<bytes/4;i+=blockDim.x) s[i]=in[blockIdx.x*bytes/4+i]; if(!t) expect(&b,bytes); fence(); __syncthreads(); cluster();
 if(!t) asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"::"r"(mapa(sp(s)+bytes,r^1)),"r"(sp(s)),"r"(bytes),"r"(mapa(sp(&b),r^1)):"memory"); wait(&b,0); for(int i=t;i<bytes/4;i+=blockDim.x) out[blockIdx.x*bytes/4+i]=s[bytes/4+i]; cluster(); }''')
e('''K __cluster_dims__(2,1,1) bulk_reduce_between(const u32* in,u32* out,int bytes){ __shared__ alignas(8) u64 b; u32* s=(u32*)dyn; int t=threadIdx.x; u32 r=rank(); if(!t){ init(&b,1); asm volatile("fence.mbarrier_init.release.cluster;"); } for(int i=t;i<bytes/4;i+=blockDim.x){ s[i]=in[blockIdx.x*bytes/4+i]; s[bytes/4+i]=i*3; } if(!t) expect(&b,bytes); fence(); __syncthreads(); cluster();
 if(!t) asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], %2, [%3];"::"r"(mapa(sp(s)+bytes,r^1)),"r"(sp(s)),"r"(bytes),"r"(mapa(sp(&b),r^1)):"memory"); wait(&b,0); for(int i=t;i<bytes/4;i+=blockDim.x) out[blockIdx.x*bytes/4+i]=s[bytes/4+i]; cluster(); }''')
for name, op in (("add_f32", "add.f32"), ("add_u64", "add.u64"), ("min_s32", "min.s32"), ("max_u32", "max.u32"), ("and", "and.b32"), ("xor", "xor.b64"), ("add_f16", "add.noftz.f16"), ("add_bf16", "add.noftz.bf16"), ("add_f64", "add.f64"), ("inc", "inc.u32"), ("min_f16", "min.f16"), ("max_bf16", "max.bf16")):
    e(f'''K bulk_reduce_{name}(const u32* in,u32* out,int bytes,u32 keep){{ u32* s=(u32*)dyn; int t=threadIdx.x; for(int i=t;i<bytes/4;i+=blockDim.x) s[i]=in[i]&keep; fence(); __syncthreads(); if(!t){{ asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.{op} [%0], [%1], %2;"::"l"(out),"r"(sp(s)),"r"(bytes):"memory"); done(); }} }}''')
# mbarriers: the object itself after each operation, and what the operations return.
e('''K barrier_states(u64* out){ __shared__ alignas(8) u64 b[2]; int n=0; volatile u64* v=b; u64 s; u32 p; 
#define SHOW { out[n++]=v[0]; }
#define DO(...) { asm volatile(__VA_ARGS__); SHOW }
#define PRED(text,...) { asm volatile("{\\n.reg .pred p;\\n" text "\\nselp.u32 %0,1,0,p;\\n}":"=r"(p):__VA_ARGS__:"memory"); out[n++]=p; SHOW }
 if(threadIdx.x==0){ u32 a=sp(b);
 DO("mbarrier.init.shared::cta.b64 [%0], %1;"::"r"(a),"r"(3):"memory")
 asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];":"=l"(s):"r"(a):"memory"); out[n++]=s; SHOW
 PRED("mbarrier.test_wait.shared::cta.b64 p, [%1], %2;","r"(a),"l"(s))
 PRED("mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;","r"(a),"r"(0))
 PRED("mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;","r"(a),"r"(1))
 DO("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"::"r"(a),"r"(100):"memory")
 DO("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"::"r"(a),"r"(50):"memory")
 DO("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"::"r"(a),"r"(30):"memory")
 asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;":"=l"(s):"r"(a),"r"(1):"memory"); out[n++]=s; SHOW
 PRED("mbarrier.try_wait.shared::cta.b64 p, [%1], %2, 100;","r"(a),"l"(s))
 DO("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"::"r"(a),"r"(120):"memory")
 PRED("mbarrier.try_wait.shared::cta.b64 p, [%1], %2, 100;","r"(a),"l"(s))
 PRED("mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;","r"(a),"r"(0))
 DO("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"::"r"(a),"r"(16):"memory")
 DO("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"::"r"(a),"r"(16):"memory")
 asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];":"=l"(s):"r"(a):"memory"); out[n++]=s; SHOW
 asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], %2;":"=l"(s):"r"(a),"r"(1):"memory"); out[n++]=s; SHOW
 asm volatile("mbarrier.pending_count.b64 %0, %1;":"=r"(p):"l"(s)); out[n++]=p;
 DO("mbarrier.arrive.shared::cta.b64 _, [%0], %1;"::"r"(a),"r"(1):"memory")
 DO("mbarrier.arrive.shared::cta.b64 _, [%0], %1;"::"r"(a),"r"(2):"memory")
 DO("mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [%0], %1;"::"r"(a),"r"(8):"memory")
 DO("mbarrier.arrive.shared::cta.b64 _, [%0];"::"r"(a):"memory")
 DO("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"::"r"(a),"r"(8):"memory")
 DO("mbarrier.arrive.shared::cta.b64 _, [%0];"::"r"(a):"memory")
 DO("mbarrier.inval.shared::cta.b64 [%0];"::"r"(a):"memory")
 DO("mbarrier.init.shared::cta.b64 [%0], %1;"::"r"(a),"r"(1048575):"memory")
 DO("mbarrier.arrive.shared::cta.b64 _, [%0], %1;"::"r"(a),"r"(1048570):"memory")
 DO("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"::"r"(a),"r"(1048575):"memory")
 DO("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"::"r"(a),"r"(1048575):"memory")
 } }''')
# All lanes arrive; a consumer warp waits; phases go round.
e('''K barrier_ring(u32* out,int rounds){ __shared__ alignas(8) u64 full[2],empty[2]; __shared__ u32 data[2][32]; int t=threadIdx.x,l=t&31; if(!t) for(int i=0;i<2;i++){ init(&full[i],32); init(&empty[i],32); } __syncthreads();
 if(t<32){ for(int i=0;i<rounds;i++){ int k=i&1; if(i>1) wait(&empty[k],((i>>1)-1)&1); data[k][l]=i*100+l; asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"::"r"(sp(&full[k])):"memory"); } }
 else { u32 x=0; for(int i=0;i<rounds;i++){ int k=i&1; wait(&full[k],(i>>1)&1); x=x*5+data[k][31-l]; u64 s; asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];":"=l"(s):"r"(sp(&empty[k])):"memory"); } out[l]=x; } }''')
# Copies of single lanes that arrive at an mbarrier.
e('''K copy_arrive(const u32* in,u32* out){ __shared__ alignas(8) u64 b[2]; __shared__ alignas(16) u32 s[256]; int t=threadIdx.x; if(!t){ init(&b[0],64); init(&b[1],128); } __syncthreads(); asm volatile("cp.async.ca.shared.global [%0], [%1], 16;"::"r"(sp(s)+16*t),"l"(in+4*t):"memory"); asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"::"r"(sp(&b[0])):"memory"); asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];"::"r"(sp(&b[1])):"memory"); asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;"::"r"(sp(&b[1])),"r"(2):"memory"); wait(&b[0],0); wait(&b[1],0); for(int i=t;i<256;i+=64) out[i]=s[255-i]; }''')
# Clusters: who is where, and the shared memory of the others.
e('''K __cluster_dims__(2,2,1) cluster_ids(u32* out){ u32 v[16]; int n=0;
#define SR(x) asm volatile("mov.u32 %0, %%" x ";":"=r"(v[n++]));
 SR("cluster_ctaid.x") SR("cluster_ctaid.y") SR("cluster_ctaid.z") SR("cluster_nctaid.x") SR("cluster_nctaid.y") SR("cluster_ctarank") SR("cluster_nctarank") SR("clusterid.x") SR("clusterid.y") SR("clusterid.z") SR("nclusterid.x") SR("nclusterid.y") SR("nclusterid.z") asm volatile("{\\n.reg .pred p;\\nmov.pred p, %%is_explicit_cluster;\\nselp.u32 %0,1,0,p;\\n}":"=r"(v[13])); SR("ctaid.x") SR("ctaid.y") if(threadIdx.x==0) for(int i=0;i<16;i++) out[(blockIdx.y*gridDim.x+blockIdx.x)*16+i]=v[i]; }''')
e('''K __cluster_dims__(4,1,1) cluster_memory(const u32* in,u32* out){ __shared__ u32 s[64],got[64]; __shared__ float f; int t=threadIdx.x; u32 r=rank(); s[t]=in[blockIdx.x*64+t]; got[t]=0; f=0; cluster(); u32 other=(r+1)&3,x,y; asm volatile("ld.shared::cluster.u32 %0, [%1];":"=r"(x):"r"(mapa(sp(s)+4*(63-t),other)):"memory"); asm volatile("st.shared::cluster.u32 [%0], %1;"::"r"(mapa(sp(got)+4*t,(r+2)&3)),"r"(x^t):"memory"); 
 u32* generic; asm volatile("mapa.u64 %0, %1, %2;":"=l"(generic):"l"((u32*)&s[5]),"r"((r+3)&3)); cluster(); y=*generic; cluster(); asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;":"=r"(x):"r"(mapa(sp(s),0)),"r"(1):"memory"); asm volatile("red.shared::cluster.max.u32 [%0], %1;"::"r"(mapa(sp(s)+4,1)),"r"(in[t]):"memory"); atomicAdd(generic+1,3); cluster(); u32 owner,a=mapa(sp(s),2); asm volatile("getctarank.shared::cluster.u32 %0, %1;":"=r"(owner):"r"(a)); out[blockIdx.x*192+t]=s[t]; out[blockIdx.x*192+64+t]=got[t]; out[blockIdx.x*192+128+t]=y+owner*7; cluster(); }''')
e('''K __cluster_dims__(2,1,1) cluster_async(const u32* in,u32* out){ __shared__ alignas(16) u32 s[512]; __shared__ alignas(8) u64 b,c; int t=threadIdx.x; u32 r=rank(); for(int i=t;i<512;i+=64) s[i]=i; if(!t){ init(&b,1); init(&c,128); asm volatile("fence.mbarrier_init.release.cluster;"); expect(&b,64*(4+8+16)+64*(4+8)); } __syncthreads(); cluster(); u32 o=r^1; u32 m=mapa(sp(&b),o); u32 base=mapa(sp(s),o); u32 v=in[blockIdx.x*64+t];
 asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"::"r"(base+4*t),"r"(v),"r"(m):"memory"); asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1,%2}, [%3];"::"r"(base+256+8*t),"r"(v+1),"r"(v+2),"r"(m):"memory"); asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1,%2,%3,%4}, [%5];"::"r"(base+768+16*t),"r"(v+3),"r"(v+4),"r"(v+5),"r"(v+6),"r"(m):"memory");
 asm volatile("red.async.relaxed.cluster.global.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];"::"r"(base+1792+4*(t&7)),"r"(v),"r"(m):"memory");
 asm volatile("red.async.relaxed.cluster.global.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];"::"r"(base+1856+8*(t&7)),"l"((u64)v<<8),"r"(m):"memory");
 asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"::"r"(mapa(sp(&c),o)):"memory"); asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"::"r"(mapa(sp(&c),r)):"memory"); wait(&b,0); wait(&c,0); for(int i=t;i<512;i+=64) out[blockIdx.x*512+i]=s[i]; cluster(); }'''.replace("cluster.global.shared::cluster", "cluster.shared::cluster"))
# Odds and ends: one elected lane, registers handed over, dependent launches, matrices.
e('''K elected(u32* out){ u32 lane,p; asm volatile("{\\n.reg .pred p;\\nelect.sync %0|p, 0xffffffff;\\nselp.u32 %1,1,0,p;\\n}":"=r"(lane),"=r"(p)); out[threadIdx.x]=lane*2+p; if(threadIdx.x%3==1){ u32 m=__activemask(); asm volatile("{\\n.reg .pred p;\\nelect.sync %0|p, %2;\\nselp.u32 %1,1,0,p;\\n}":"=r"(lane),"=r"(p):"r"(m)); out[threadIdx.x]+=1000*lane+500*p; } }''')
e('''K __launch_bounds__(256,1) registers(const u32* in,u32* out){ int t=threadIdx.x; asm volatile("griddepcontrol.wait;":::"memory"); if(t<128){ asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); out[t]=in[t]+1; } else { asm volatile("setmaxnreg.inc.sync.aligned.u32 232;"); u32 x=in[t]; for(int i=0;i<5;i++) x=x*3+i; out[t]=x; } asm volatile("griddepcontrol.launch_dependents;"); }''')
e('''K matrices(const u32* in,u32* out){ __shared__ alignas(128) u32 s[1024]; int t=threadIdx.x; for(int i=t;i<1024;i+=32) s[i]=0; __syncthreads(); u32 v[4]; for(int i=0;i<4;i++) v[i]=in[i*32+t]; u32 a=sp(s)+16*t;
 asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"::"r"(a),"r"(v[0]):"memory"); asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};"::"r"(a+512),"r"(v[0]),"r"(v[1]):"memory"); asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};"::"r"(a+1024),"r"(v[0]),"r"(v[1]),"r"(v[2]),"r"(v[3]):"memory"); asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};"::"r"(a+1536),"r"(v[0]),"r"(v[1]),"r"(v[2]),"r"(v[3]):"memory"); asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};"::"r"(a+2048),"r"(v[2]),"r"(v[3]):"memory"); asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};"::"r"(a+2560),"r"(v[3]):"memory"); __syncthreads();
 for(int i=t;i<1024;i+=32) out[i]=s[i]; u32 w[4]; asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];":"=r"(w[0]),"=r"(w[1]),"=r"(w[2]),"=r"(w[3]):"r"(a+1024):"memory"); for(int i=0;i<4;i++) out[1024+i*32+t]=w[i]; asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];":"=r"(w[0]),"=r"(w[1]),"=r"(w[2]),"=r"(w[3]):"r"(a+1024):"memory"); for(int i=0;i<4;i++) out[1152+i*32+t]=w[i]; asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;":"=r"(w[0]):"r"(v[1])); out[1280+t]=w[0]; }''')
# A tensor map that the kernel makes itself from another.
e('''K tensor_replace(MAP m,u32* out,u64* copy,const u32* base,int bytes){ __shared__ alignas(8) u64 b; __shared__ alignas(128) u64 q[16]; u32* s=(u32*)dyn; int t=threadIdx.x; if(!t) init(&b,1); if(t<16) q[t]=((const u64*)&m)[t]; __syncthreads();
 if(!t){ u32 a=sp(q); asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;"::"r"(a),"l"(base):"memory"); asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;"::"r"(a),"r"(5):"memory"); asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;"::"r"(a),"l"((u64)128):"memory"); asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 0, %1;"::"r"(a),"r"(16):"memory"); asm volatile("tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%0], 1, %1;"::"r"(a),"r"(1):"memory"); }
 __syncthreads(); if(t<32) asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;"::"l"(copy),"r"(sp(q)):"memory"); __syncthreads(); if(!t){ asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;"::"l"(copy):"memory"); expect(&b,bytes); asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3,%4}], [%2];"::"r"(sp(s)),"l"(copy),"r"(sp(&b)),"r"(0),"r"(0):"memory"); } wait(&b,0); for(int i=t;i<bytes/4;i+=blockDim.x) out[i]=s[i]; }''')

# Warp-level products of integers, bits and sparse operands.
def mma(name, op, na, nb, nc, kind, extra=""):
    ops = lambda first, count: "{" + ",".join(f"%{first+i}" for i in range(count)) + "}"
    cons = {"r": '"+r"(c[%d])', "f": '"+f"(f[%d])'}[kind]
    e(f'''K {name}(const u32* in,u32* out,u32 keep,u32 set){{ int l=threadIdx.x; u32 a[{na}],b[{nb}],c[{nc}]; float f[{nc}]; for(int i=0;i<{na};i++) a[i]=in[i*32+l]&keep|set; for(int i=0;i<{nb};i++) b[i]=in[256+i*32+l]&keep|set; for(int i=0;i<{nc};i++){{ c[i]=in[512+i*32+l]; f[i]=(float)(int)(c[i]%64)-32.f; }} u32 e=in[1023-l]; e=0x44444444|(e&0x22222222)&0; for(int i=0;i<8;i++){{ u32 two=(in[768+l]>>4*i)%6; const u32 pairs[6]={{0x4,0x8,0xc,0x9,0xd,0xe}}; e=e&~(15u<<4*i)|pairs[two]<<4*i; }}
 asm volatile("{op} {ops(0,nc)}, {ops(nc,na)}, {ops(nc+na,nb)}, {ops(0,nc)}{extra.replace("META", f"%{nc+na+nb}")};" : {",".join(cons % i for i in range(nc))} : {",".join([f'"r"(a[{i}])' for i in range(na)] + [f'"r"(b[{i}])' for i in range(nb)])}{',"r"(e)' if extra else ''}); for(int i=0;i<{nc};i++) out[i*32+l]={'c[i]' if kind=='r' else '__float_as_uint(f[i])'}; }}''')

mma("imma_s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4, "r")
mma("imma_u8s8", "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32", 4, 2, 4, "r")
mma("imma_sat", "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32", 4, 2, 4, "r")
mma("imma_k16", "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32", 2, 1, 4, "r")
mma("imma_88", "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", 1, 1, 2, "r")
mma("imma_s4", "mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32", 4, 2, 4, "r")
mma("imma_s4_k32", "mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32", 1, 1, 2, "r")
mma("bmma_and", "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 2, 4, "r")
mma("bmma_xor", "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc", 2, 1, 4, "r")
mma("bmma_88", "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 1, 1, 2, "r")
mma("sparse_f16", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 4, 4, 4, "f", ", META, 0x0")
mma("sparse_f16_1", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 4, 4, 4, "f", ", META, 0x1")
mma("sparse_f16_k16", "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 2, 2, 4, "f", ", META, 0x2")
mma("sparse_s8", "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", 4, 4, 4, "r", ", META, 0x0")
mma("sparse_e4m3", "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32", 4, 4, 4, "f", ", META, 0x0")
mma("mma_e4m3", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", 4, 2, 4, "f")
mma("mma_tf32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, "f")
mma("mma_bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, "f")
mma("mma_f16_f16", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, "r")
mma("mma_volta", "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 2, 2, 8, "f")


# Warpgroup products: shared memory holds noise; descriptors say where operands lie in it.
def wgmma(name, n, k, dtype, atype, btype, tail, registers=0, acc=4, sat="", sp=""):
    nc = n // 2 if acc == 4 else n // 4
    kind = "f" if dtype == "f32" else "r"
    arr = "f" if kind == "f" else "c"
    ops = "{" + ",".join(f"%{i}" for i in range(nc)) + "}"
    i = nc
    if registers:
        a = "{" + ",".join(f"%{i+j}" for j in range(registers)) + "}"
        ain = [f'"r"(a[{j}])' for j in range(registers)]
        i += registers
    else:
        a = f"%{i}"
        ain = ['"l"(da)']
        i += 1
    b = f"%{i}"
    scale = f"%{i+1}"
    meta = f", %{i+2}, 0" if sp else ""
    e(f'''K __launch_bounds__(128) {name}(const u32* in,u32* out,int words,u32 keep,u32 set,u64 da,u64 db,int scale){{ u32* s=(u32*)dyn; int t=threadIdx.x; for(int i=t;i<words;i+=128) s[i]=in[i]&keep|set; fence(); __syncthreads(); u32 p=sp(s); da+=(p&0x3ffff)>>4; db+=(p&0x3ffff)>>4; u32 c[{nc}],a[4]; float f[{nc}]; for(int i=0;i<4;i++) a[i]=in[i*128+t]&keep|set; for(int i=0;i<{nc};i++){{ c[i]={'(t*7+i*3)%64' if acc==4 else '0x3c003800+(t*5+i*3)%256'}; f[i]=(float)((int)((t*7+i*3)%64)-32)*0.25f; }} u32 e=0; for(int i=0;i<8;i++){{ u32 two=(in[768+t]>>4*i)%6; const u32 pairs[6]={{0x4,0x8,0xc,0x9,0xd,0xe}}; e|=pairs[two]<<4*i; }}
 asm volatile("wgmma.fence.sync.aligned;":::"memory"); asm volatile("{{\\n.reg .pred p;\\nsetp.ne.b32 p, {scale}, 0;\\nwgmma.mma_async{'.sp' if sp else ''}.sync.aligned.m64n{n}k{k}.{dtype}.{atype}.{btype}{sat} {ops}, {a}, {b}{meta}, p{tail};\\n}}" : {",".join(f'"+{kind}"({arr}[{j}])' for j in range(nc))} : {",".join(ain)},"l"(db),"r"(scale){',"r"(e)' if sp else ''}); asm volatile("wgmma.commit_group.sync.aligned;":::"memory"); asm volatile("wgmma.wait_group.sync.aligned 0;":::"memory"); for(int i=0;i<{nc};i++) out[i*128+t]={'__float_as_uint(f[i])' if kind=='f' else 'c[i]'}; }}''')


for n in (8, 24, 64, 128, 256):
    wgmma(f"w_f16_n{n}", n, 16, "f32", "f16", "f16", ", 1, 1, 0, 0")
wgmma("w_f16_ta", 64, 16, "f32", "f16", "f16", ", 1, 1, 1, 0")
wgmma("w_f16_tb", 64, 16, "f32", "f16", "f16", ", 1, 1, 0, 1")
wgmma("w_f16_tab", 128, 16, "f32", "f16", "f16", ", 1, 1, 1, 1")
wgmma("w_f16_neg", 32, 16, "f32", "f16", "f16", ", -1, 1, 0, 0")
wgmma("w_f16_neg2", 32, 16, "f32", "f16", "f16", ", 1, -1, 0, 0")
wgmma("w_f16_reg", 64, 16, "f32", "f16", "f16", ", 1, 1, 0", registers=4)
wgmma("w_f16_reg_tb", 64, 16, "f32", "f16", "f16", ", -1, 1, 1", registers=4)
wgmma("w_f16_half", 64, 16, "f16", "f16", "f16", ", 1, 1, 0, 0", acc=2)
wgmma("w_bf16", 64, 16, "f32", "bf16", "bf16", ", 1, 1, 0, 1")
wgmma("w_bf16_reg", 96, 16, "f32", "bf16", "bf16", ", 1, 1, 0", registers=4)
wgmma("w_tf32", 32, 8, "f32", "tf32", "tf32", ", 1, 1")
wgmma("w_tf32_reg", 32, 8, "f32", "tf32", "tf32", ", 1, 1", registers=4)
wgmma("w_e4m3", 64, 32, "f32", "e4m3", "e4m3", ", 1, 1")
wgmma("w_e4m3_e5m2", 64, 32, "f32", "e4m3", "e5m2", ", 1, 1")
wgmma("w_e5m2_reg", 64, 32, "f32", "e5m2", "e5m2", ", 1, 1", registers=4)
wgmma("w_e4m3_half", 64, 32, "f16", "e4m3", "e4m3", ", 1, 1", acc=2)
wgmma("w_s8", 64, 32, "s32", "s8", "s8", "")
wgmma("w_u8s8_reg", 32, 32, "s32", "u8", "s8", "", registers=4)
wgmma("w_s8_sat", 32, 32, "s32", "s8", "u8", "", sat=".satfinite")
wgmma("w_b1", 32, 256, "s32", "b1", "b1", "", sat=".and.popc")
wgmma("w_sp_f16", 32, 32, "f32", "f16", "f16", ", 1, 1, 0, 0", sp="x")
wgmma("w_sp_e4m3", 32, 64, "f32", "e4m3", "e4m3", ", 1, 1", sp="x")
wgmma("w_sp_s8_reg", 32, 64, "s32", "s8", "s8", "", registers=4, sp="x")
print("\n".join(out))
