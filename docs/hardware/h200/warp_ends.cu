// When warps of the blocks of an SM start and end, and how fast code comes that the launch did not bring.
#include <cstdio>
#include <cstdlib>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){fprintf(stderr,"CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
#define F1 asm volatile("fma.rn.f32 %0,%0,%4,%4; fma.rn.f32 %1,%1,%4,%4; fma.rn.f32 %2,%2,%4,%4; fma.rn.f32 %3,%3,%4,%4;":"+f"(x),"+f"(y),"+f"(z),"+f"(w):"f"(a));
#define F4 F1 F1 F1 F1
#define F16 F4 F4 F4 F4
#define F64 F16 F16 F16 F16
#define HEAD float x=a+threadIdx.x,y=x+1,z=x+2,w=x+3;
#define TAIL if(x+y+z+w==1.2345e30f) out[0]=x;

typedef unsigned u32;
#define CLK(t) asm volatile("mov.u32 %0,%%clock;":"=r"(t)::"memory")
#define BEGIN u32 t0; CLK(t0); HEAD
#define END(v) u32 t1; asm volatile("{.reg .pred q; setp.eq.f32 q,%1,0f71111111; @q trap; mov.u32 %0,%%clock;}":"=r"(t1):"f"(v):"memory"); if((threadIdx.x&31)==0){ u32 sm; asm volatile("mov.u32 %0,%%smid;":"=r"(sm)); u32* o=(u32*)out+4*(blockIdx.x*(blockDim.x/32)+threadIdx.x/32); o[0]=t0;o[1]=t1;o[2]=sm;o[3]=1; }
extern "C" __global__ void line128(float* out,float a){ BEGIN F16 F16 END(x+y+z+w) }
extern "C" __global__ void line1024(float* out,float a){ BEGIN F64 F64 F64 F64 END(x+y+z+w) }
extern "C" __global__ void loop64(float* out,float a){ BEGIN
#pragma unroll 1
  for(int i=0;i<32;i++){ F16 } END(x+y+z+w) }
#define D1 asm volatile("fma.rn.f32 %0,%0,%1,%1;":"+f"(x):"f"(a));
#define D4 D1 D1 D1 D1
#define D12 D4 D4 D4
#define ROW D12 D12 D12
extern "C" __global__ void chain(float* out,float a){ BEGIN
#pragma unroll 1
  for(int i=0;i<32;i++){ ROW ROW } END(x+y+z+w) }
extern "C" __global__ void barriers(float* out,float a){ BEGIN
#pragma unroll 1
  for(int i=0;i<32;i++){ __syncthreads(); } END(x+y+z+w) }
extern "C" __global__ void sameword(float* out,float a){ BEGIN
  for(int i=0;i<8;i++) ((volatile float*)out)[(1<<20)+i*64]=a; END(x+y+z+w) }
#define R4(M) M M M M
#define R8(M) R4(M) R4(M)
#define R16(M) R8(M) R8(M)
#define R64(M) R16(M) R16(M) R16(M) R16(M)
#define CODE(N,B) extern "C" __global__ void code##N(float* out,float a){ float x=a+threadIdx.x; B if(x==1.2345e30f) out[0]=x; }
CODE(54,R64(ROW) R16(ROW) R16(ROW)) CODE(63,R64(ROW) R16(ROW) R16(ROW) R16(ROW)) CODE(68,R64(ROW) R16(ROW) R16(ROW) R16(ROW) R8(ROW)) CODE(81,R64(ROW) R64(ROW) R16(ROW)) CODE(108,R64(ROW) R64(ROW) R64(ROW)) CODE(144,R64(ROW) R64(ROW) R64(ROW) R64(ROW))
int main(int c,char** v){ float* out; size_t n=16<<20; CK(cudaMalloc(&out,n)); u32* h=(u32*)malloc(n);
  if(c>1){ void(*k[])(float*,float)={code54,code63,code68,code81,code108,code144}; for(auto f:k) for(int g:{1,132}) for(int r=0;r<2;r++) f<<<g,32>>>(out,1.0f); CK(cudaDeviceSynchronize()); return 0; }
  struct{const char* n; void(*f)(float*,float);} k[]={{"line128",line128},{"line1024",line1024},{"loop64",loop64},{"chain",chain},{"barriers",barriers},{"sameword",sameword}};
  int cfg[][2]={{132,1024},{264,1024},{1056,1024},{1056,128},{2112,128}};
  for(auto& f:k) for(auto& g:cfg) for(int r=0;r<2;r++){ CK(cudaMemset(out,0,n)); f.f<<<g[0],g[1]>>>(out,1.0f); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h,out,n,cudaMemcpyDeviceToHost)); if(!r) continue;
    int w=g[1]/32; printf("%s %d %d:",f.n,g[0],g[1]); u32 sm=h[2]; // all blocks of the SM of block 0, and of SM 40
    for(u32 s:{sm,40u}){ u32 first=0; bool any=false; for(int b=0;b<g[0];b++) if(h[4*b*w+2]==s) for(int i=0;i<w;i++){ u32 t=h[4*(b*w+i)]; if(!any||(int)(t-first)<0){first=t;any=true;} }
      printf(" sm %u",s); for(int b=0;b<g[0];b++) if(h[4*b*w+2]==s){ u32 s0=~0u,s1=0,e0=~0u,e1=0; for(int i=0;i<w;i++){ u32 t=h[4*(b*w+i)]-first,e=h[4*(b*w+i)+1]-first; s0=t<s0?t:s0; s1=t>s1?t:s1; e0=e<e0?e:e0; e1=e>e1?e:e1; } printf(" [%u-%u %u-%u]",s0,s1,e0,e1); } }
    printf("\n"); }
  return 0; }
