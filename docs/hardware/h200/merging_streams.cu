// How many outstanding lines can be joined, and whether joined reads share the way to the SMs.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){fprintf(stderr,"CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
typedef unsigned u32; typedef unsigned long long u64; typedef long long s64;
__device__ u32 smid(){ u32 s; asm volatile("mov.u32 %0,%%smid;":"=r"(s)); return s; }
struct Who{ signed char role[132]; };
// each of `warps` warps asks for 32 lines (one sector each, or whole lines by 8 instructions of 4 lines); leaders first, followers d later; pair q of SMs has its own lines
extern "C" __global__ void many(Who w,const float* p,s64* t0,int d,int rounds,int whole,float* o){ extern __shared__ char big[]; u32 s=smid(); int r=w.role[s]; if(r<0) return; int pair=r/2; s64 T; if(r==0){ T=clock64()+60000; if(threadIdx.x==0) atomicExch((u64*)t0,(u64)T); } do T=(s64)atomicAdd((u64*)t0,0ull); while(T==0); T+=(r&1)*d; float x=0; int lane=threadIdx.x&31,warp=threadIdx.x>>5,warps=blockDim.x>>5;
  for(int k=0;k<rounds;k++){ const float* q=p+(size_t)((k*8+pair)*warps+warp)*32*32; while(clock64()<T+k*12000ll); if(whole){ 
#pragma unroll
    for(int j=0;j<8;j++){ float4 v; asm volatile("ld.global.cg.v4.f32 {%0,%1,%2,%3},[%4];":"=f"(v.x),"=f"(v.y),"=f"(v.z),"=f"(v.w):"l"(q+j*128+lane*4):"memory"); x+=v.x+v.y; } }
   else { float v; asm volatile("ld.global.cg.f32 %0,[%1];":"=f"(v):"l"(q+lane*32):"memory"); x+=v; } }
  if(threadIdx.x==0) o[s]=x; }
// streams a buffer of L2: mode 0 all SMs the same order, 1 each SM from its own start
extern "C" __global__ void stream(Who w,const float4* p,int n,int mode,int laps,float* o,s64* took){ extern __shared__ char big[]; u32 s=smid(); int r=w.role[s]; if(r<0) return; float x=0; int base=mode?(int)((s*2654435761u)>>12)&(n-1):0; base&=~1023; s64 a=clock64(); for(int l=0;l<laps;l++){ 
#pragma unroll 4
   for(int i=threadIdx.x;i<n;i+=blockDim.x){ float4 v; asm volatile("ld.global.cg.v4.f32 {%0,%1,%2,%3},[%4];":"=f"(v.x),"=f"(v.y),"=f"(v.z),"=f"(v.w):"l"(p+((i+base)&(n-1))):"memory"); x+=v.x+v.y; } } __syncthreads(); s64 b=clock64(); if(threadIdx.x==0) took[s]=b-a; o[s*1024+threadIdx.x]=x; }
int main(int c,char** v){ const int S=132; int sh=160*1024; float *p,*o; s64 *t0,*took; CK(cudaMalloc(&p,256<<20)); CK(cudaMemset(p,0,256<<20)); CK(cudaMalloc(&o,1<<20)); CK(cudaMalloc(&t0,8)); CK(cudaMalloc(&took,S*8)); CK(cudaFuncSetAttribute((const void*)many,cudaFuncAttributeMaxDynamicSharedMemorySize,sh)); CK(cudaFuncSetAttribute((const void*)stream,cudaFuncAttributeMaxDynamicSharedMemorySize,sh));
  std::vector<int> g1={2,3,18,19,34,35,50,51,64,65,78,79,92,93,106,107}; std::vector<int> all; for(int i=0;i<S;i++) all.push_back(i);
  auto who=[&](std::vector<int> sms){ Who w; for(int i=0;i<S;i++) w.role[i]=-1; for(size_t i=0;i<sms.size();i++) w.role[sms[i]]=i%120; return w; };
  if(c>1){ for(int whole=0;whole<2;whole++) for(int pairs:{1,4,8}) for(int warps:{1,2,4,8,16,32}) for(int d:{60,160}){ std::vector<int> s(g1.begin(),g1.begin()+2*pairs); int rounds=warps>=16?8:16; CK(cudaMemset(t0,0,8)); many<<<S,warps*32,sh>>>(who(s),p,t0,d,rounds,whole,o); CK(cudaDeviceSynchronize()); int lines=warps*32*rounds*pairs; fprintf(stderr,"many whole %d pairs %d warps %d d %d one %d two %d\n",whole,pairs,warps,d,lines*(whole?4:1),2*lines*(whole?4:1)); } }
  else { for(auto& set:{std::vector<int>{2},std::vector<int>{2,3},g1,all}) for(int mode=0;mode<2;mode++) for(int th:{256,1024}) for(int k=0;k<2;k++){ int n=1<<16; CK(cudaMemset(took,0,S*8)); stream<<<S,th,sh>>>(who(set),(float4*)p,n,mode,4,o,took); CK(cudaDeviceSynchronize()); std::vector<s64> t(S); CK(cudaMemcpy(t.data(),took,S*8,cudaMemcpyDeviceToHost)); double mean=0,mx=0; for(int s:set){ mean+=t[s]; mx=std::max(mx,(double)t[s]); } mean/=set.size(); double bytes=4.0*n*16; printf("stream sms %zu mode %d threads %d: bytes per cycle and SM %.1f, together %.0f (slowest %.0f)\n",set.size(),mode,th,bytes/mean,bytes*set.size()/mean,bytes*set.size()/mx); } }
  return 0; }
