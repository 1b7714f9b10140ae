// Which stores of a warp reach L2 as one, and what scattered atomics cost, from cold and warm caches.
#include <cstdio>
#include <cstdlib>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){fprintf(stderr,"CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
typedef unsigned u32;
__device__ u32 mixu(u32 x){ x^=x>>16; x*=0x7feb352du; x^=x>>15; x*=0x846ca68bu; x^=x>>16; return x; }
extern "C" __global__ void soa3(float* p,int el){ int i=blockIdx.x*blockDim.x+threadIdx.x; float* q=p+(size_t)i*el; q[0]=1; q[1]=2; q[2]=3; }
extern "C" __global__ void soa3ld(float* p,int el){ int i=blockIdx.x*blockDim.x+threadIdx.x; float* q=p+(size_t)i*el; float a=q[0],b=q[1],c=q[2]; q[0]=a+1; q[1]=b+2; q[2]=c+3; }
extern "C" __global__ void cas(u32* t,u32* o,u32 mask,int n){ int i=blockIdx.x*blockDim.x+threadIdx.x; u32 h=mixu(i+1); u32 r=0; for(int k=0;k<n;k++){ u32 v=atomicCAS(&t[h&mask],0x7fffffffu,r); r+=v; h=mixu(h+(v&0)); } o[i]=r; }
extern "C" __global__ void add(u32* t,u32* o,u32 mask,int n){ int i=blockIdx.x*blockDim.x+threadIdx.x; u32 h=mixu(i+1); u32 r=0; for(int k=0;k<n;k++){ u32 v=atomicAdd(&t[h&mask],1u); r+=v; h=mixu(h+(v&0)); } o[i]=r; }
int main(){ float* p; u32 *t,*o; CK(cudaMalloc(&p,256<<20)); CK(cudaMalloc(&t,64<<20)); CK(cudaMalloc(&o,16<<20)); CK(cudaMemset(t,0,64<<20));
 for(int g:{1,132,264,528,1056}) for(int b:{32,256}){ soa3<<<g,b>>>(p,6); CK(cudaDeviceSynchronize()); fprintf(stderr,"K soa3 grid %d block %d ideal-unmerged %d\n",g,b,g*b/32*24*3); soa3ld<<<g,b>>>(p,6); CK(cudaDeviceSynchronize()); fprintf(stderr,"K soa3ld grid %d block %d\n",g,b); soa3<<<g,b>>>(p,8); CK(cudaDeviceSynchronize()); fprintf(stderr,"K soa3/32B grid %d block %d ideal-unmerged %d\n",g,b,g*b/32*32*3); }
 for(int g:{132,512}) for(int n:{1,4,8}) for(u32 m:{0x3ffffu,0xffffffu}){ cas<<<g,256>>>(t,o,m,n); CK(cudaDeviceSynchronize()); fprintf(stderr,"K cas grid %d n %d mask %x lanes %d\n",g,n,m,g*256*n); add<<<g,256>>>(t,o,m,n); CK(cudaDeviceSynchronize()); fprintf(stderr,"K add grid %d n %d mask %x\n",g,n,m); }
 return 0; }
