// Which reads of two SMs reach L2 once: same or other words, same or other sectors of a line, same or other widths.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){fprintf(stderr,"CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
typedef unsigned u32; typedef unsigned long long u64; typedef long long s64;
__device__ u32 smid(){ u32 s; asm volatile("mov.u32 %0,%%smid;":"=r"(s)); return s; }
struct Who{ signed char role[132]; };
extern "C" __global__ void meet(Who w,const float* p,s64* t0,int d,int n,int stride,int mode,float* o){ extern __shared__ char big[]; u32 s=smid(); int r=w.role[s]; if(r<0) return; s64 T=0; if(r==0){ T=clock64()+60000; if(threadIdx.x==0) atomicExch((u64*)t0,(u64)T); } else { do T=(s64)atomicAdd((u64*)t0,0ull); while(T==0); } T+=(s64)r*d; float x=0; int l=threadIdx.x; 
  // mode 0: same word; 1: another word of the same sector; 2: first half of the line against all; 3: all against first half; 4: 8 words against 4 of them; 5: same word, other lane; 6: same four words by one 16-byte load against four 4-byte loads; 7: line read by words against line read by 16 bytes of 8 lanes
  int word=0; bool on=true; if(mode==0) on=l==0; if(mode==1){ on=l==0; word=r?5:0; } if(mode==2){ word=l; on=r||l<16; } if(mode==3){ word=l; on=!r||l<16; } if(mode==4){ word=l; on=l<(r?4:8); } if(mode==5) on=l==(r?9:0); if(mode==6||mode==7) word=l;
  for(int k=0;k<n;k++){ while(clock64()<T+k*3000ll); const float* q=p+(size_t)k*stride; float v=0; if(mode>=6&&r){ if(l<(mode==6?1:8)){ float4 f; asm volatile("ld.global.v4.f32 {%0,%1,%2,%3},[%4];":"=f"(f.x),"=f"(f.y),"=f"(f.z),"=f"(f.w):"l"(q+l*4):"memory"); v=f.x+f.w; } } else if(mode==6?l<4:on) asm volatile("ld.global.f32 %0,[%1];":"=f"(v):"l"(q+word):"memory"); x+=v; }
  if(threadIdx.x==0) o[s]=x; }
int main(int c,char** v){ const int S=132; int sh=160*1024; float *p,*o; s64 *t0; CK(cudaMalloc(&p,64<<20)); CK(cudaMemset(p,0,64<<20)); CK(cudaMalloc(&o,4096)); CK(cudaMalloc(&t0,8)); CK(cudaFuncSetAttribute((const void*)meet,cudaFuncAttributeMaxDynamicSharedMemorySize,sh));
  for(int mode=0;mode<8;mode++) for(int d:{10,150}){ Who w; for(int i=0;i<S;i++) w.role[i]=-1; w.role[2]=0; w.role[3]=1; CK(cudaMemset(t0,0,8)); meet<<<S,32,sh>>>(w,p,t0,d,64,(4096+128)/4,mode,o); CK(cudaDeviceSynchronize()); fprintf(stderr,"meet mode %d d %d\n",mode,d); } return 0; }
