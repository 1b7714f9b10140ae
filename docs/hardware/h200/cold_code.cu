// Which stores of an SM reach L2 as one; and what cold code costs the warps of the first blocks.
#include <cstdio>
#include <cstdlib>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){fprintf(stderr,"CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
// mode 0: word 0 of 32 sectors, d cycles later word 1 of them; 1: first half of a line, then the second; 2: words by another warp; 3: same as 0 with `between` stores to other lines in between
extern "C" __global__ void halves(float* p,int d,int mode,int between,int n){ int lane=threadIdx.x&31,warp=threadIdx.x>>5; for(int k=0;k<n;k++){ float* q=p+(size_t)k*65536; long long t=clock64(); 
  if(mode==0||mode==3){ q[lane*8]=1; for(int b=0;b<between;b++) q[4096+b*256+lane*8]=2; while(clock64()<t+d); q[lane*8+1]=2; }
  if(mode==1){ if(lane<16) q[lane]=1; while(clock64()<t+d); if(lane<16) q[lane+16]=2; }
  if(mode==2){ if(warp==0) q[lane*8]=1; __syncthreads(); t=clock64(); while(clock64()<t+d); if(warp==1) q[lane*8+1]=2; }
  if(mode==4){ q[lane]=1; while(clock64()<t+d); q[lane]=2; }
  t=clock64(); while(clock64()<t+3000); __syncthreads(); } }
template<int N> __device__ float work(float x,float a){
#pragma unroll
 for(int i=0;i<N;i++) asm volatile("fma.rn.f32 %0,%0,%1,%1;":"+f"(x):"f"(a)); return x; }
extern "C" __global__ void line2(const float* p,float* o,float a){ int i=blockIdx.x*blockDim.x+threadIdx.x; o[i]=p[i]*a; }
extern "C" __global__ void line10(const float* p,float* o,float a){ int i=blockIdx.x*blockDim.x+threadIdx.x; o[i]=work<64>(p[i],a); }
extern "C" __global__ void line40(const float* p,float* o,float a){ int i=blockIdx.x*blockDim.x+threadIdx.x; o[i]=work<320>(p[i],a); }
extern "C" __global__ void noload10(float* o,float a){ int i=blockIdx.x*blockDim.x+threadIdx.x; o[i]=work<64>(i,a); }
extern "C" __global__ void jumps(const float* p,float* o,float a,int z){ int i=blockIdx.x*blockDim.x+threadIdx.x; float x=p[i]; if(z>0) x=work<96>(x,a); x=work<8>(x,a); if(z>1) x=work<96>(x,x); x=work<8>(x,a); if(z>2) x=work<96>(x,a); x=work<8>(x,a); if(z>3) x=work<96>(x,a); o[i]=x; }
int main(int c,char** v){ float *p,*o; CK(cudaMalloc(&p,256<<20)); CK(cudaMalloc(&o,64<<20)); CK(cudaMemset(p,0,256<<20));
  for(int mode:{0,1,2,4}) for(int d:{0,20,50,100,200,400,800,1600}){ halves<<<1,mode==2?64:32>>>(p,d,mode,0,64); CK(cudaDeviceSynchronize()); fprintf(stderr,"K halves mode %d d %d between 0\n",mode,d); }
  for(int b:{1,2,4,8,16,32}){ halves<<<1,32>>>(p,0,3,b,64); CK(cudaDeviceSynchronize()); fprintf(stderr,"K halves mode 3 d 0 between %d\n",b); }
  for(int g:{1,132,264,528,1056}) { line2<<<g,256>>>(p,o,1.5f); CK(cudaDeviceSynchronize()); fprintf(stderr,"K line2 grid %d\n",g); line10<<<g,256>>>(p,o,1.5f); CK(cudaDeviceSynchronize()); fprintf(stderr,"K line10 grid %d\n",g); line40<<<g,256>>>(p,o,1.5f); CK(cudaDeviceSynchronize()); fprintf(stderr,"K line40 grid %d\n",g); noload10<<<g,256>>>(o,1.5f); CK(cudaDeviceSynchronize()); fprintf(stderr,"K noload10 grid %d\n",g); jumps<<<g,256>>>(p,o,1.5f,0); CK(cudaDeviceSynchronize()); fprintf(stderr,"K jumps grid %d\n",g); }
  return 0; }
