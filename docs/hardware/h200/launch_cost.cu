// What a kernel costs beside its work: code of several lengths on grids of several sizes. Run under the profiler, which empties the caches:
// ncu --cache-control all --clock-control none --csv --metrics gpc__cycles_elapsed.max,sm__cycles_active.max,... ./launch_cost 3
#include <cstdio>
#include <cstdlib>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){fprintf(stderr,"CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
#define F1 asm volatile("fma.rn.f32 %0,%0,%4,%4; fma.rn.f32 %1,%1,%4,%4; fma.rn.f32 %2,%2,%4,%4; fma.rn.f32 %3,%3,%4,%4;":"+f"(x),"+f"(y),"+f"(z),"+f"(w):"f"(a));
#define F4 F1 F1 F1 F1
#define F16 F4 F4 F4 F4
#define F64 F16 F16 F16 F16
#define HEAD float x=a+threadIdx.x,y=x+1,z=x+2,w=x+3;
#define TAIL if(x+y+z+w==1.2345e30f) out[0]=x;
extern "C" __global__ void empty(float* out,float a){}
extern "C" __global__ void line16(float* out,float a){ HEAD F4 TAIL }
extern "C" __global__ void line128(float* out,float a){ HEAD F16 F16 TAIL }
extern "C" __global__ void line1024(float* out,float a){ HEAD F64 F64 F64 F64 TAIL }
extern "C" __global__ void loop64(float* out,float a){ HEAD
#pragma unroll 1
  for(int i=0;i<32;i++){ F16 } TAIL }
extern "C" __global__ void store1(float* out,float a){ out[blockIdx.x*blockDim.x+threadIdx.x]=a; }
extern "C" __global__ void load1(float* out,float a){ float v=out[blockIdx.x*blockDim.x+threadIdx.x]; if(v==a) out[0]=1; }
extern "C" __global__ void barrier8(float* out,float a){ for(int i=0;i<8;i++) __syncthreads(); if(a==1e30f) out[0]=1; }
// Long code that is run once: in a row, and with a jump over 12 instructions after every 36.
#define D1 asm volatile("fma.rn.f32 %0,%0,%1,%1;":"+f"(x):"f"(a));
#define D4 D1 D1 D1 D1
#define D12 D4 D4 D4
#define D36 D12 D12 D12
#define ROW D36
#define SKIP D36 if(x==a) { D12 }
#define R4(M) M M M M
#define R16(M) R4(M) R4(M) R4(M) R4(M)
#define R64(M) R16(M) R16(M) R16(M) R16(M)
extern "C" __global__ void row2304(float* out,float a){ float x=a+threadIdx.x; R64(ROW) if(x==1.2345e30f) out[0]=x; }
extern "C" __global__ void row4608(float* out,float a){ float x=a+threadIdx.x; R64(ROW) R64(ROW) if(x==1.2345e30f) out[0]=x; }
extern "C" __global__ void skip2304(float* out,float a){ float x=a+threadIdx.x; R64(SKIP) if(x==1.2345e30f) out[0]=x; }
extern "C" __global__ void skip4608(float* out,float a){ float x=a+threadIdx.x; R64(SKIP) R64(SKIP) if(x==1.2345e30f) out[0]=x; }
int main(int c,char** v){ int repeat=c>1?atoi(v[1]):1; float* out; CK(cudaMalloc(&out,16<<20)); CK(cudaMemset(out,0,16<<20));
  void(*k[])(float*,float)={empty,line16,line128,line1024,loop64,store1,load1,barrier8,row2304,row4608,skip2304,skip4608};
  int grids[]={1,16,132,264,1056},blocks[]={32,128,1024};
  for(auto f:k) for(int b:blocks) for(int g:grids) for(int r=0;r<repeat;r++){ f<<<g,b>>>(out,1.0f); CK(cudaGetLastError()); }
  CK(cudaDeviceSynchronize()); return 0; }
