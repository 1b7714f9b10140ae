// A suite of small CUDA kernels for calibrating and validating a GPU simulator.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <functional>
#include <map>
#include <cuda_fp16.h>
#include <mma.h>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
using namespace nvcuda; namespace cg = cooperative_groups;
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){printf("CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
// ---------- instruction latency and throughput
__global__ void ffma_chain(float* o,float a,float b,int n){ float x=threadIdx.x; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<32;k++) x=x*a+b; } o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
__global__ void ffma_tput(float* o,float a,float b,int n){ float x[8]; for(int k=0;k<8;k++) x[k]=threadIdx.x+k; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<32;k++) x[k&7]=x[k&7]*a+b; } float s=0; for(int k=0;k<8;k++) s+=x[k]; o[blockIdx.x*blockDim.x+threadIdx.x]=s; }
__global__ void imad_tput(int* o,int a,int b,int n){ int x[8]; for(int k=0;k<8;k++) x[k]=threadIdx.x+k; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<32;k++) x[k&7]=x[k&7]*a+b; } int s=0; for(int k=0;k<8;k++) s^=x[k]; o[blockIdx.x*blockDim.x+threadIdx.x]=s; }
__global__ void lop_shift_mix(unsigned* o,unsigned a,int n){ unsigned x=threadIdx.x*2654435761u,y=a; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<16;k++){ x^=x<<13; x^=x>>17; y+=x; x^=y<<5; } } o[blockIdx.x*blockDim.x+threadIdx.x]=x^y; }
__global__ void dfma_tput(double* o,double a,double b,int n){ double x[4]; for(int k=0;k<4;k++) x[k]=threadIdx.x+k; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<16;k++) x[k&3]=x[k&3]*a+b; } o[blockIdx.x*blockDim.x+threadIdx.x]=x[0]+x[1]+x[2]+x[3]; }
__global__ void mufu_tput(float* o,float a,int n){ float x=a+threadIdx.x,y=a; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<8;k++){ x=rsqrtf(x+1.0f); y=__sinf(y)+x; } } o[blockIdx.x*blockDim.x+threadIdx.x]=x+y; }
__global__ void hfma2_tput(__half2* o,int n){ __half2 x[4]; __half2 a=__float2half2_rn(0.99f),b=__float2half2_rn(0.01f); for(int k=0;k<4;k++) x[k]=__float2half2_rn(threadIdx.x+k); for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<16;k++) x[k&3]=__hfma2(x[k&3],a,b); } o[blockIdx.x*blockDim.x+threadIdx.x]=__hadd2(__hadd2(x[0],x[1]),__hadd2(x[2],x[3])); }
__global__ void cvt_mix(int* o,int n){ float f=threadIdx.x; int s=0; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<8;k++){ int v=__float2int_rn(f*1.5f); s+=v; f=__int2float_rn(s&1023); } } o[blockIdx.x*blockDim.x+threadIdx.x]=s; }
__global__ void mixed_int_fp(float* o,int a,float b,int n){ float x=threadIdx.x; int y=threadIdx.x; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<16;k++){ x=x*b+1.0f; y=y*a+k; x=x*b+2.0f; y=(y>>1)^k; } } o[blockIdx.x*blockDim.x+threadIdx.x]=x+y; }
__global__ void shfl_tput(int* o,int n){ int x=threadIdx.x; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<16;k++) x+=__shfl_xor_sync(~0u,x,1+(k&15)); } o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
__global__ void vote_match(int* o,int n){ int x=threadIdx.x; unsigned s=0; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<8;k++){ s+=__ballot_sync(~0u,(x+k)&1); x=x*5+__popc(s); } } o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
__global__ void barrier_loop(float* o,int n){ __shared__ float s[1024]; float x=threadIdx.x; s[threadIdx.x]=x; for(int i=0;i<n;i++){ __syncthreads(); x+=s[(threadIdx.x+i)&(blockDim.x-1)]; __syncthreads(); s[threadIdx.x]=x; } o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
template<int W> __device__ void divbody(float& x,int b){ 
#pragma unroll 1
 for(int i=0;i<W*4+4;i++) x=x*1.0001f+b; }
__global__ void divergent(float* o,int n){ float x=threadIdx.x; int l=threadIdx.x&31; for(int i=0;i<n;i++){ switch(l&7){case 0:divbody<0>(x,1);break;case 1:divbody<1>(x,2);break;case 2:divbody<2>(x,3);break;case 3:divbody<3>(x,4);break;case 4:divbody<4>(x,5);break;case 5:divbody<5>(x,6);break;case 6:divbody<6>(x,7);break;default:divbody<7>(x,8);} } o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
__constant__ float ctab[4096];
__global__ void const_uniform(float* o,int n){ float x=0; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<16;k++) x+=ctab[(i*16+k)&4095]*x+1.0f; } o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
__global__ void const_divergent(float* o,int n){ float x=0; int t=threadIdx.x; for(int i=0;i<n;i++) x+=ctab[(t*7+i*13)&4095]; o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
#define R4(x) x x x x
#define R16(x) R4(R4(x))
#define R64(x) R16(R4(x))
__global__ void icache_big(float* o,float a,float b,int n){ float x=threadIdx.x,y=a,z=b; for(int i=0;i<n;i++){ R64(R16(x=x*a+y; y=y*b+z; z=z*a+x;)) } o[blockIdx.x*blockDim.x+threadIdx.x]=x+y+z; }
__global__ void icache_mid(float* o,float a,float b,int n){ float x=threadIdx.x,y=a,z=b; for(int i=0;i<n;i++){ R64(R4(x=x*a+y; y=y*b+z; z=z*a+x;)) } o[blockIdx.x*blockDim.x+threadIdx.x]=x+y+z; }
// ---------- tensor cores
__global__ void hmma_tput(float* o,int n){ wmma::fragment<wmma::matrix_a,16,16,16,__half,wmma::row_major> a; wmma::fragment<wmma::matrix_b,16,16,16,__half,wmma::col_major> b; wmma::fragment<wmma::accumulator,16,16,16,float> c[4]; wmma::fill_fragment(a,__float2half(0.5f)); wmma::fill_fragment(b,__float2half(0.25f)); for(int k=0;k<4;k++) wmma::fill_fragment(c[k],0.f); for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<4;k++) wmma::mma_sync(c[k],a,b,c[k]); } float s=0; for(int k=0;k<4;k++) for(int j=0;j<c[k].num_elements;j++) s+=c[k].x[j]; o[blockIdx.x*blockDim.x+threadIdx.x]=s; }
__global__ void hmma_chain(float* o,int n){ wmma::fragment<wmma::matrix_a,16,16,16,__half,wmma::row_major> a; wmma::fragment<wmma::matrix_b,16,16,16,__half,wmma::col_major> b; wmma::fragment<wmma::accumulator,16,16,16,float> c; wmma::fill_fragment(a,__float2half(0.5f)); wmma::fill_fragment(b,__float2half(0.25f)); wmma::fill_fragment(c,0.f); for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<8;k++) wmma::mma_sync(c,a,b,c);} float s=0; for(int j=0;j<c.num_elements;j++) s+=c.x[j]; o[blockIdx.x*blockDim.x+threadIdx.x]=s; }
// ---------- shared memory
__global__ void lds_chase(int* o,int n){ __shared__ int s[1024]; for(int i=threadIdx.x;i<1024;i+=blockDim.x) s[i]=(i*17+5)&1023; __syncthreads(); int p=threadIdx.x; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<16;k++) p=s[p]; } o[blockIdx.x*blockDim.x+threadIdx.x]=p; }
template<int S> __global__ void lds_stride(float* o,int n){ __shared__ float s[4096]; for(int i=threadIdx.x;i<4096;i+=blockDim.x) s[i]=i; __syncthreads(); float x=0; int b=threadIdx.x*S; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<16;k++) x+=s[(b+k*32+i)&4095]; } o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
__global__ void lds128(float4* o,int n){ __shared__ float4 s[1024]; for(int i=threadIdx.x;i<1024;i+=blockDim.x) s[i]=make_float4(i,i,i,i); __syncthreads(); float4 x=s[0]; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<8;k++){ float4 y=s[(threadIdx.x+k*32+i)&1023]; x.x+=y.x; x.y+=y.y; x.z+=y.z; x.w+=y.w; } } o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
__global__ void smem_atomic(int* o,int n){ __shared__ int s[64]; if(threadIdx.x<64) s[threadIdx.x]=0; __syncthreads(); unsigned x=threadIdx.x; for(int i=0;i<n;i++){ x=x*1664525u+1013904223u; atomicAdd(&s[(x>>24)&63],1);} __syncthreads(); if(threadIdx.x<64) o[blockIdx.x*64+threadIdx.x]=s[threadIdx.x]; }
// ---------- global memory
__global__ void chase(const unsigned* p,unsigned* o,int n){ unsigned x=threadIdx.x==0?0:p[threadIdx.x*0]; for(int i=0;i<n;i++) x=p[x]; o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
__global__ void l1_bw(const float* p,float* o,int n){ float s=0; int t=threadIdx.x; for(int i=0;i<n;i++){
#pragma unroll
 for(int k=0;k<8;k++) s+=__ldca(p+((blockIdx.x&3)*2048+((t+k*256+i*32)&2047))); } o[blockIdx.x*blockDim.x+t]=s; }
__global__ void l2_bw(const float4* p,float* o,int n,int mask){ float s=0; int t=blockIdx.x*blockDim.x+threadIdx.x; for(int i=0;i<n;i++){ float4 v=__ldcg(p+((t+i*gridDim.x*blockDim.x)&mask)); s+=v.x+v.y+v.z+v.w; } o[t]=s; }
__global__ void dram_read(const float4* p,float* o,int n){ float s=0; size_t t=blockIdx.x*(size_t)blockDim.x+threadIdx.x,st=(size_t)gridDim.x*blockDim.x; for(int i=0;i<n;i++){ float4 v=p[t+i*st]; s+=v.x+v.y+v.z+v.w; } o[t]=s; }
__global__ void dram_copy(const float4* p,float4* o,int n){ size_t t=blockIdx.x*(size_t)blockDim.x+threadIdx.x,st=(size_t)gridDim.x*blockDim.x; for(int i=0;i<n;i++) o[t+i*st]=p[t+i*st]; }
__global__ void dram_write(float4* o,int n){ size_t t=blockIdx.x*(size_t)blockDim.x+threadIdx.x,st=(size_t)gridDim.x*blockDim.x; for(int i=0;i<n;i++) o[t+i*st]=make_float4(1,2,3,4); }
template<int S> __global__ void strided_read(const float* p,float* o,int n){ float s=0; size_t t=blockIdx.x*(size_t)blockDim.x+threadIdx.x; for(int i=0;i<n;i++) s+=p[(t*S+(size_t)i*gridDim.x*blockDim.x*S)]; o[t]=s; }
__global__ void gather(const float* p,const int* ix,float* o,int n){ int t=blockIdx.x*blockDim.x+threadIdx.x; float s=0; for(int i=0;i<n;i++) s+=p[ix[t+i*gridDim.x*blockDim.x]]; o[t]=s; }
__global__ void scatter(float* p,const int* ix,int n){ int t=blockIdx.x*blockDim.x+threadIdx.x; for(int i=0;i<n;i++) p[ix[t+i*gridDim.x*blockDim.x]]=t; }
__global__ void gatomic(int* p,const int* ix,int n){ int t=blockIdx.x*blockDim.x+threadIdx.x; for(int i=0;i<n;i++) atomicAdd(&p[ix[t+i*gridDim.x*blockDim.x]&4095],1); }
__global__ void gatomic_one(int* p,int n){ for(int i=0;i<n;i++) atomicAdd(p,threadIdx.x+i); }
__global__ void local_spill(float* o,int n){ float a[64]; for(int i=0;i<64;i++) a[i]=threadIdx.x+i; for(int i=0;i<n;i++){ int k=(threadIdx.x*3+i*7)&63; a[k]=a[(k+1)&63]*1.01f+i; } float s=0; for(int i=0;i<64;i++) s+=a[i]; o[blockIdx.x*blockDim.x+threadIdx.x]=s; }
__global__ void cpasync(const float4* p,float* o,int n){ extern __shared__ float4 sm[]; float s=0; int t=threadIdx.x; size_t g=(size_t)blockIdx.x*blockDim.x+t; size_t st=(size_t)gridDim.x*blockDim.x; __pipeline_memcpy_async(&sm[t],&p[g],16); __pipeline_commit(); for(int i=1;i<=n;i++){ if(i<n) __pipeline_memcpy_async(&sm[(i&1)*blockDim.x+t],&p[g+i*st],16); __pipeline_commit(); __pipeline_wait_prior(1); float4 v=sm[((i-1)&1)*blockDim.x+t]; s+=v.x+v.y+v.z+v.w; } o[g]=s; }
// ---------- applications
__global__ void vecadd(const float* a,const float* b,float* c,int n){int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n) c[i]=a[i]+b[i];}
__global__ void saxpy4(const float4* x,float4* y,float a,int n){int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n){float4 u=x[i],v=y[i]; v.x+=a*u.x;v.y+=a*u.y;v.z+=a*u.z;v.w+=a*u.w; y[i]=v;}}
__global__ void transpose_naive(const float* a,float* b,int n){int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*32+threadIdx.y; for(int j=0;j<32;j+=8) b[(size_t)x*n+y+j]=a[(size_t)(y+j)*n+x];}
__global__ void transpose_tiled(const float* a,float* b,int n){__shared__ float t[32][33]; int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*32+threadIdx.y; for(int j=0;j<32;j+=8) t[threadIdx.y+j][threadIdx.x]=a[(size_t)(y+j)*n+x]; __syncthreads(); x=blockIdx.y*32+threadIdx.x; y=blockIdx.x*32+threadIdx.y; for(int j=0;j<32;j+=8) b[(size_t)(y+j)*n+x]=t[threadIdx.x][threadIdx.y+j];}
__global__ void reduce(const float* a,float* o,int n){__shared__ float s[256]; float x=0; for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x) x+=a[i]; s[threadIdx.x]=x; __syncthreads(); for(int k=128;k>0;k>>=1){ if(threadIdx.x<k) s[threadIdx.x]+=s[threadIdx.x+k]; __syncthreads(); } if(!threadIdx.x) o[blockIdx.x]=s[0];}
__global__ void scan_block(const int* a,int* o,int* sums){__shared__ int s[512]; int t=threadIdx.x; size_t b=(size_t)blockIdx.x*512; s[t]=a[b+t]; s[t+256]=a[b+t+256]; int off=1; for(int d=256;d>0;d>>=1){__syncthreads(); if(t<d){int i=off*(2*t+1)-1,j=off*(2*t+2)-1; s[j]+=s[i];} off*=2;} if(!t){sums[blockIdx.x]=s[511]; s[511]=0;} for(int d=1;d<512;d*=2){off>>=1; __syncthreads(); if(t<d){int i=off*(2*t+1)-1,j=off*(2*t+2)-1; int v=s[i]; s[i]=s[j]; s[j]+=v;}} __syncthreads(); o[b+t]=s[t]; o[b+t+256]=s[t+256];}
__global__ void histogram(const unsigned char* a,int* h,int n){__shared__ int s[256]; s[threadIdx.x]=0; __syncthreads(); for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x) atomicAdd(&s[a[i]],1); __syncthreads(); atomicAdd(&h[threadIdx.x],s[threadIdx.x]);}
__global__ void sgemm_naive(const float* A,const float* B,float* C,int n){int x=blockIdx.x*16+threadIdx.x,y=blockIdx.y*16+threadIdx.y; float s=0; for(int k=0;k<n;k++) s+=A[y*n+k]*B[k*n+x]; C[y*n+x]=s;}
__global__ void sgemm_tiled(const float* A,const float* B,float* C,int n){__shared__ float a[16][16],b[16][16]; int x=blockIdx.x*16+threadIdx.x,y=blockIdx.y*16+threadIdx.y; float s=0; for(int k=0;k<n;k+=16){ a[threadIdx.y][threadIdx.x]=A[y*n+k+threadIdx.x]; b[threadIdx.y][threadIdx.x]=B[(k+threadIdx.y)*n+x]; __syncthreads();
#pragma unroll
 for(int j=0;j<16;j++) s+=a[threadIdx.y][j]*b[j][threadIdx.x]; __syncthreads(); } C[y*n+x]=s;}
__global__ void __launch_bounds__(256) sgemm_reg(const float* A,const float* B,float* C,int n){__shared__ float a[8][64],b[8][64]; int t=threadIdx.x,tx=t&15,ty=t>>4; float c[4][4]={}; int by=blockIdx.y*64,bx=blockIdx.x*64; for(int k=0;k<n;k+=8){ for(int i=t;i<512;i+=256){ a[i&7][i>>3]=A[(by+(i>>3))*n+k+(i&7)]; b[i>>6][i&63]=B[(k+(i>>6))*n+bx+(i&63)]; } __syncthreads();
#pragma unroll
 for(int j=0;j<8;j++){ float u[4],v[4]; for(int i=0;i<4;i++){u[i]=a[j][ty*4+i]; v[i]=b[j][tx*4+i];} for(int i=0;i<4;i++) for(int l=0;l<4;l++) c[i][l]+=u[i]*v[l]; } __syncthreads(); } for(int i=0;i<4;i++) for(int l=0;l<4;l++) C[(by+ty*4+i)*n+bx+tx*4+l]=c[i][l];}
__global__ void hgemm_wmma(const __half* A,const __half* B,float* C,int n){ __shared__ __half a[64][24],b[64][24]; int w=threadIdx.x>>5; int by=blockIdx.y*64,bx=blockIdx.x*64; int wy=(w>>1)*32,wx=(w&1)*32; wmma::fragment<wmma::accumulator,16,16,16,float> c[2][2]; for(int i=0;i<2;i++) for(int j=0;j<2;j++) wmma::fill_fragment(c[i][j],0.f); for(int k=0;k<n;k+=16){ { int r=threadIdx.x>>1,h=(threadIdx.x&1)*8; *(float4*)&a[r][h]=*(const float4*)&A[(by+r)*n+k+h]; *(float4*)&b[r][h]=*(const float4*)&B[(bx+r)*n+k+h]; } __syncthreads(); wmma::fragment<wmma::matrix_a,16,16,16,__half,wmma::row_major> fa[2]; wmma::fragment<wmma::matrix_b,16,16,16,__half,wmma::col_major> fb[2]; for(int i=0;i<2;i++){ wmma::load_matrix_sync(fa[i],&a[wy+i*16][0],24); wmma::load_matrix_sync(fb[i],&b[wx+i*16][0],24);} for(int i=0;i<2;i++) for(int j=0;j<2;j++) wmma::mma_sync(c[i][j],fa[i],fb[j],c[i][j]); __syncthreads(); } for(int i=0;i<2;i++) for(int j=0;j<2;j++) wmma::store_matrix_sync(&C[(by+wy+i*16)*n+bx+wx+j*16],c[i][j],n,wmma::mem_row_major);}
__global__ void stencil2d(const float* a,float* b,int n){int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*8+threadIdx.y; if(x>0&&y>0&&x<n-1&&y<n-1) b[y*n+x]=0.2f*(a[y*n+x]+a[y*n+x-1]+a[y*n+x+1]+a[(y-1)*n+x]+a[(y+1)*n+x]);}
__global__ void stencil3d(const float* a,float* b,int n){int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*8+threadIdx.y; if(x>0&&y>0&&x<n-1&&y<n-1) for(int z=1;z<n-1;z++){size_t i=((size_t)z*n+y)*n+x; b[i]=a[i]*0.4f+0.1f*(a[i-1]+a[i+1]+a[i-n]+a[i+n]+a[i-n*n]+a[i+n*n]);}}
__global__ void spmv(const int* rp,const int* ci,const float* v,const float* x,float* y,int n){int r=(blockIdx.x*blockDim.x+threadIdx.x)/32,l=threadIdx.x&31; if(r>=n) return; float s=0; for(int i=rp[r]+l;i<rp[r+1];i+=32) s+=v[i]*x[ci[i]]; for(int k=16;k;k>>=1) s+=__shfl_down_sync(~0u,s,k); if(!l) y[r]=s;}
__global__ void bfs_step(const int* rp,const int* ci,int* d,int lvl,int n,int* ch){int v=blockIdx.x*blockDim.x+threadIdx.x; if(v<n&&d[v]==lvl) for(int i=rp[v];i<rp[v+1];i++){int u=ci[i]; if(d[u]<0){d[u]=lvl+1; *ch=1;}}}
__global__ void nbody(const float4* p,float4* f,int n){__shared__ float4 s[256]; int i=blockIdx.x*256+threadIdx.x; float4 me=p[i]; float ax=0,ay=0,az=0; for(int t=0;t<n;t+=256){ s[threadIdx.x]=p[t+threadIdx.x]; __syncthreads();
#pragma unroll 8
 for(int j=0;j<256;j++){float dx=s[j].x-me.x,dy=s[j].y-me.y,dz=s[j].z-me.z; float r=rsqrtf(dx*dx+dy*dy+dz*dz+0.01f); r=r*r*r*s[j].w; ax+=dx*r;ay+=dy*r;az+=dz*r;} __syncthreads(); } f[i]=make_float4(ax,ay,az,0);}
__global__ void mandelbrot(int* o,int w,int h,int it){int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*8+threadIdx.y; float cr=-2.f+3.f*x/w,ci=-1.f+2.f*y/h,zr=0,zi=0; int k=0; while(k<it&&zr*zr+zi*zi<4){float t=zr*zr-zi*zi+cr; zi=2*zr*zi+ci; zr=t; k++;} o[y*w+x]=k;}
__device__ float cnd(float d){float k=1.f/(1.f+0.2316419f*fabsf(d)); float c=0.39894228f*__expf(-0.5f*d*d)*(k*(0.31938153f+k*(-0.356563782f+k*(1.781477937f+k*(-1.821255978f+k*1.330274429f))))); return d>0?1.f-c:c;}
__global__ void blackscholes(const float* S,const float* X,const float* T,float* C,float* P,int n){for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x){float q=sqrtf(T[i]),d1=(__logf(S[i]/X[i])+(0.02f+0.045f)*T[i])/(0.3f*q),d2=d1-0.3f*q; float e=__expf(-0.02f*T[i]); C[i]=S[i]*cnd(d1)-X[i]*e*cnd(d2); P[i]=X[i]*e*cnd(-d2)-S[i]*cnd(-d1);}}
__global__ void softmax_row(const float* a,float* o,int c){__shared__ float s[32]; const float* r=a+(size_t)blockIdx.x*c; float m=-1e30f; for(int i=threadIdx.x;i<c;i+=blockDim.x) m=fmaxf(m,r[i]); for(int k=16;k;k>>=1) m=fmaxf(m,__shfl_xor_sync(~0u,m,k)); if(!(threadIdx.x&31)) s[threadIdx.x>>5]=m; __syncthreads(); m=s[0]; for(int k=1;k<blockDim.x/32;k++) m=fmaxf(m,s[k]); __syncthreads(); float z=0; for(int i=threadIdx.x;i<c;i+=blockDim.x) z+=__expf(r[i]-m); for(int k=16;k;k>>=1) z+=__shfl_xor_sync(~0u,z,k); if(!(threadIdx.x&31)) s[threadIdx.x>>5]=z; __syncthreads(); z=0; for(int k=0;k<blockDim.x/32;k++) z+=s[k]; for(int i=threadIdx.x;i<c;i+=blockDim.x) o[(size_t)blockIdx.x*c+i]=__expf(r[i]-m)/z;}
__global__ void layernorm(const float4* a,float4* o,int c4){__shared__ float s1[32],s2[32]; const float4* r=a+(size_t)blockIdx.x*c4; float u=0,v=0; for(int i=threadIdx.x;i<c4;i+=blockDim.x){float4 x=r[i]; u+=x.x+x.y+x.z+x.w; v+=x.x*x.x+x.y*x.y+x.z*x.z+x.w*x.w;} for(int k=16;k;k>>=1){u+=__shfl_xor_sync(~0u,u,k); v+=__shfl_xor_sync(~0u,v,k);} if(!(threadIdx.x&31)){s1[threadIdx.x>>5]=u; s2[threadIdx.x>>5]=v;} __syncthreads(); u=v=0; for(int k=0;k<blockDim.x/32;k++){u+=s1[k]; v+=s2[k];} float mean=u/(c4*4),is=rsqrtf(v/(c4*4)-mean*mean+1e-5f); for(int i=threadIdx.x;i<c4;i+=blockDim.x){float4 x=r[i]; x.x=(x.x-mean)*is;x.y=(x.y-mean)*is;x.z=(x.z-mean)*is;x.w=(x.w-mean)*is; o[(size_t)blockIdx.x*c4+i]=x;}}
__global__ void attention(const float* Q,const float* K,const float* V,float* O,int T){ const int D=64; __shared__ float k[32][D+1],v[32][D]; int q=blockIdx.x*64+threadIdx.x; float qr[D],acc[D]; for(int d=0;d<D;d++){qr[d]=Q[(size_t)q*D+d]; acc[d]=0;} float m=-1e30f,l=0; for(int t=0;t<T;t+=32){ for(int i=threadIdx.x;i<32*D;i+=64){k[i/D][i%D]=K[(size_t)(t+i/D)*D+i%D]; v[i/D][i%D]=V[(size_t)(t+i/D)*D+i%D];} __syncthreads(); for(int j=0;j<32;j++){float s=0;
#pragma unroll
 for(int d=0;d<D;d++) s+=qr[d]*k[j][d]; s*=0.125f; float nm=fmaxf(m,s),c=__expf(m-nm),p=__expf(s-nm); l=l*c+p;
#pragma unroll
 for(int d=0;d<D;d++) acc[d]=acc[d]*c+p*v[j][d]; m=nm;} __syncthreads(); } for(int d=0;d<D;d++) O[(size_t)q*D+d]=acc[d]/l; }
__global__ void bitonic(int* a){__shared__ int s[1024]; int t=threadIdx.x; size_t b=(size_t)blockIdx.x*1024; s[t]=a[b+t]; s[t+512]=a[b+t+512]; for(int k=2;k<=1024;k<<=1) for(int j=k>>1;j>0;j>>=1){__syncthreads(); int i=2*t-(t&(j-1)); bool up=!(i&k); int x=s[i],y=s[i+j]; if((x>y)==up){s[i]=y; s[i+j]=x;}} __syncthreads(); a[b+t]=s[t]; a[b+t+512]=s[t+512];}
__global__ void conv3x3(const float* a,const float* w,float* o,int n,int C){int x=blockIdx.x*16+threadIdx.x,y=blockIdx.y*16+threadIdx.y,f=blockIdx.z; float s=0; if(x<n-2&&y<n-2){ for(int c=0;c<C;c++) for(int i=0;i<3;i++) for(int j=0;j<3;j++) s+=a[(c*n+y+i)*n+x+j]*w[((f*C+c)*3+i)*3+j]; o[(f*n+y)*n+x]=s;}}
__global__ void fft1024(float2* a){__shared__ float2 s[1024]; int t=threadIdx.x; size_t b=(size_t)blockIdx.x*1024; for(int i=t;i<1024;i+=512) s[__brev(i)>>22]=a[b+i]; for(int h=1;h<1024;h<<=1){__syncthreads(); int p=t&(h-1),i=((t-p)<<1)+p; float sn,cs; __sincosf(-3.14159265f*p/h,&sn,&cs); float2 u=s[i],v=s[i+h]; float2 w={v.x*cs-v.y*sn,v.x*sn+v.y*cs}; s[i]={u.x+w.x,u.y+w.y}; s[i+h]={u.x-w.x,u.y-w.y};} __syncthreads(); for(int i=t;i<1024;i+=512) a[b+i]=s[i];}
__global__ void pathdp(const int* w,int* o,int cols,int rows){__shared__ int s[2][256]; int t=threadIdx.x,x=blockIdx.x*(256-2*8)+t-8; bool ok=x>=0&&x<cols; s[0][t]=ok?w[x]:1<<20; for(int r=1;r<rows;r++){__syncthreads(); int a=s[(r-1)&1][t],l=t>0?s[(r-1)&1][t-1]:1<<20,q=t<255?s[(r-1)&1][t+1]:1<<20; s[r&1][t]=min(a,min(l,q))+(ok?w[(size_t)r*cols+x]:0);} __syncthreads(); if(ok&&t>=8&&t<248) o[x]=s[(rows-1)&1][t];}
__global__ void lu_diag(float* A,int n){__shared__ float s[32][33]; int t=threadIdx.x; size_t b=(size_t)blockIdx.x*32; for(int i=0;i<32;i++) s[i][t]=A[(b+i)*n+b+t]; for(int k=0;k<31;k++){__syncwarp(); if(t>k) s[t][k]/=s[k][k]; __syncwarp(); if(t>k) for(int j=k+1;j<32;j++) s[t][j]-=s[t][k]*s[k][j];} __syncwarp(); for(int i=0;i<32;i++) A[(b+i)*n+b+t]=s[i][t];}
__global__ void monte_carlo(float* o,int n){unsigned s=(blockIdx.x*blockDim.x+threadIdx.x)*747796405u+1; float v=0; for(int i=0;i<n;i++){s=s*1664525u+1013904223u; float u1=(s>>8)*5.96e-8f+1e-7f; s=s*1664525u+1013904223u; float u2=(s>>8)*5.96e-8f; float g=sqrtf(-2*__logf(u1))*__cosf(6.2831853f*u2); v+=fmaxf(0.f,100.f*__expf(0.02f+0.2f*g)-100.f);} o[blockIdx.x*blockDim.x+threadIdx.x]=v/n;}
__global__ void kmeans_assign(const float* p,const float* c,int* m,int n,int k,int d){int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n) return; float best=1e30f; int bi=0; for(int j=0;j<k;j++){float s=0; for(int q=0;q<d;q++){float t=p[(size_t)q*n+i]-c[j*d+q]; s+=t*t;} if(s<best){best=s;bi=j;}} m[i]=bi;}
__global__ void __cluster_dims__(4,1,1) dsmem_reduce(const float* a,float* o,int n){ __shared__ float s[256]; cg::cluster_group cl=cg::this_cluster(); float x=0; for(int i=blockIdx.x*256+threadIdx.x;i<n;i+=gridDim.x*256) x+=a[i]; s[threadIdx.x]=x; cl.sync(); float y=0; for(int r=0;r<4;r++){ float* q=cl.map_shared_rank(s,r); y+=q[(threadIdx.x+r*7)&255]; } cl.sync(); o[blockIdx.x*256+threadIdx.x]=y; }
template<class T> T* dev(size_t n,int mode=0,unsigned mod=0){ std::vector<T> h(n); unsigned s=12345u+n; for(size_t i=0;i<n;i++){ s=s*1664525u+1013904223u; unsigned r=s>>8; double v= mode==0? (r%1000)/1000.0+0.001 : (mode==1? (double)(((unsigned long long)r*2654435761ull>>8)%mod) : (double)i); memset(&h[i],0,sizeof(T)); if constexpr(std::is_arithmetic<T>::value) h[i]=(T)v; else { float* f=(float*)&h[i]; for(size_t k=0;k<sizeof(T)/4;k++) f[k]=(float)v+k; if constexpr(std::is_same<T,__half>::value) h[i]=__float2half((float)v);} } T* d; CK(cudaMalloc(&d,n*sizeof(T))); CK(cudaMemcpy(d,h.data(),n*sizeof(T),cudaMemcpyHostToDevice)); return d; }
static int reps=3; static std::string running;
#ifdef STEADY
#include "steady.h"
#define L(call) steady::loop(running,[=]{ call; })
#else
#define L(call) for(int r_=0;r_<reps;r_++){ call; CK(cudaGetLastError()); } CK(cudaDeviceSynchronize())
#endif
int main(int c,char** v){ if(getenv("REPS")) reps=atoi(getenv("REPS")); const int S=132; std::map<std::string,std::function<void()>> k;
 k["ffma_chain"]=[=]{auto o=dev<float>(132*32); L((ffma_chain<<<1,32>>>(o,1.01f,0.5f,64)));};
 k["ffma_tput"]=[=]{auto o=dev<float>(S*1024); L((ffma_tput<<<S,1024>>>(o,1.01f,0.5f,8)));};
 k["ffma_occ1"]=[=]{auto o=dev<float>(S*128); L((ffma_tput<<<S,128>>>(o,1.01f,0.5f,32)));};
 k["imad_tput"]=[=]{auto o=dev<int>(S*1024); L((imad_tput<<<S,1024>>>(o,3,7,6)));};
 k["lop_shift_mix"]=[=]{auto o=dev<unsigned>(S*512); L((lop_shift_mix<<<S,512>>>(o,77,6)));};
 k["dfma_tput"]=[=]{auto o=dev<double>(S*512); L((dfma_tput<<<S,512>>>(o,1.01,0.5,12)));};
 k["mufu_tput"]=[=]{auto o=dev<float>(S*512); L((mufu_tput<<<S,512>>>(o,1.5f,8)));};
 k["hfma2_tput"]=[=]{auto o=dev<int>(S*512); L((hfma2_tput<<<S,512>>>((__half2*)o,16)));};
 k["cvt_mix"]=[=]{auto o=dev<int>(S*512); L((cvt_mix<<<S,512>>>(o,8)));};
 k["mixed_int_fp"]=[=]{auto o=dev<float>(S*512); L((mixed_int_fp<<<S,512>>>(o,3,1.01f,6)));};
 k["shfl_tput"]=[=]{auto o=dev<int>(S*512); L((shfl_tput<<<S,512>>>(o,8)));};
 k["vote_match"]=[=]{auto o=dev<int>(S*256); L((vote_match<<<S,256>>>(o,12)));};
 k["barrier_loop"]=[=]{auto o=dev<float>(S*512); L((barrier_loop<<<S,512>>>(o,48)));};
 k["divergent"]=[=]{auto o=dev<float>(S*128); L((divergent<<<S,128>>>(o,4)));};
 k["const_uniform"]=[=]{auto o=dev<float>(S*256); L((const_uniform<<<S,256>>>(o,32)));};
 k["const_divergent"]=[=]{auto o=dev<float>(S*128); L((const_divergent<<<S,128>>>(o,48)));};
 k["icache_big"]=[=]{auto o=dev<float>(S*64); L((icache_big<<<S,64>>>(o,1.01f,0.5f,2)));};
 k["icache_mid"]=[=]{auto o=dev<float>(S*128); L((icache_mid<<<S,128>>>(o,1.01f,0.5f,3)));};
 k["hmma_tput"]=[=]{auto o=dev<float>(S*256); L((hmma_tput<<<S,256>>>(o,64)));};
 k["hmma_chain"]=[=]{auto o=dev<float>(32); L((hmma_chain<<<1,32>>>(o,32)));};
 k["lds_chase"]=[=]{auto o=dev<int>(S*32); L((lds_chase<<<1,32>>>(o,32)));};
 k["lds_stride1"]=[=]{auto o=dev<float>(S*512); L((lds_stride<1><<<S,512>>>(o,12)));};
 k["lds_stride2"]=[=]{auto o=dev<float>(S*512); L((lds_stride<2><<<S,512>>>(o,8)));};
 k["lds_stride8"]=[=]{auto o=dev<float>(S*256); L((lds_stride<8><<<S,256>>>(o,6)));};
 k["lds_stride32"]=[=]{auto o=dev<float>(S*128); L((lds_stride<32><<<S,128>>>(o,4)));};
 k["lds128"]=[=]{auto o=dev<float4>(S*256); L((lds128<<<S,256>>>(o,24)));};
 k["smem_atomic"]=[=]{auto o=dev<int>(S*64); L((smem_atomic<<<S,256>>>(o,48)));};
 auto ch=[=](size_t n,size_t st,int it){ std::vector<unsigned> h(n,0); size_t m=n/st; std::vector<unsigned> perm(m); for(size_t i=0;i<m;i++) perm[i]=i; unsigned s=7; for(size_t i=m-1;i>0;i--){s=s*1664525u+1013904223u; std::swap(perm[i],perm[(s>>8)%i]);} for(size_t i=0;i<m;i++) h[perm[i]*st]=perm[(i+1)%m]*st; h[0]=h[0]; unsigned *d,*o; CK(cudaMalloc(&d,n*4)); CK(cudaMemcpy(d,h.data(),n*4,cudaMemcpyHostToDevice)); CK(cudaMalloc(&o,4096)); L((chase<<<1,1>>>(d,o,it))); };
 k["chase_l1"]=[=]{ch(2048,8,2048);};
 k["chase_l2"]=[=]{ch(1<<20,32,4096);};
 k["chase_dram"]=[=]{ch(1<<26,1024,2048);};
 k["l1_bw"]=[=]{auto p=dev<float>(8192); auto o=dev<float>(S*512); L((l1_bw<<<S,512>>>(p,o,16)));};
 k["l2_bw"]=[=]{auto p=dev<float4>(1<<18); auto o=dev<float>(S*1024); L((l2_bw<<<S,1024>>>(p,o,24,(1<<18)-1)));};
 k["dram_read"]=[=]{auto p=dev<float4>((size_t)S*1024*24); auto o=dev<float>(S*1024); L((dram_read<<<S,1024>>>(p,o,24)));};
 k["dram_copy"]=[=]{auto p=dev<float4>((size_t)S*2048*8); auto o=dev<float4>((size_t)S*2048*8); L((dram_copy<<<S*4,512>>>(p,o,8)));};
 k["dram_write"]=[=]{auto o=dev<float4>((size_t)S*2048*12); L((dram_write<<<S*4,512>>>(o,12)));};
 k["strided2"]=[=]{auto p=dev<float>((size_t)S*512*8*2); auto o=dev<float>(S*512); L((strided_read<2><<<S,512>>>(p,o,8)));};
 k["strided32"]=[=]{auto p=dev<float>((size_t)S*512*4*32); auto o=dev<float>(S*512); L((strided_read<32><<<S,512>>>(p,o,4)));};
 k["gather"]=[=]{auto p=dev<float>(1<<22); auto ix=dev<int>(S*512*6,1,1<<22); auto o=dev<float>(S*512); L((gather<<<S,512>>>(p,ix,o,6)));};
 k["scatter"]=[=]{auto p=dev<float>(1<<22); auto ix=dev<int>(S*512*6,1,1<<22); L((scatter<<<S,512>>>(p,ix,6)));};
 k["gatomic"]=[=]{auto p=dev<int>(4096); auto ix=dev<int>(S*256*8,1,4096); L((gatomic<<<S,256>>>(p,ix,8)));};
 k["gatomic_one"]=[=]{auto p=dev<int>(1); L((gatomic_one<<<S,128>>>(p,8)));};
 k["local_spill"]=[=]{auto o=dev<float>(S*128); L((local_spill<<<S,128>>>(o,64)));};
 k["cpasync"]=[=]{auto p=dev<float4>((size_t)S*512*12); auto o=dev<float>(S*512); L((cpasync<<<S*2,256,256*32>>>(p,o,12)));};
 k["vecadd"]=[=]{int n=1<<21; auto a=dev<float>(n),b=dev<float>(n),o=dev<float>(n); L((vecadd<<<n/256,256>>>(a,b,o,n)));};
 k["saxpy4"]=[=]{int n=1<<20; auto a=dev<float4>(n),b=dev<float4>(n); L((saxpy4<<<n/256,256>>>(a,b,2.f,n)));};
 k["transpose_naive"]=[=]{int n=1024; auto a=dev<float>(n*n),b=dev<float>(n*n); L((transpose_naive<<<dim3(n/32,n/32),dim3(32,8)>>>(a,b,n)));};
 k["transpose_tiled"]=[=]{int n=1536; auto a=dev<float>(n*n),b=dev<float>(n*n); L((transpose_tiled<<<dim3(n/32,n/32),dim3(32,8)>>>(a,b,n)));};
 k["reduce"]=[=]{int n=1<<22; auto a=dev<float>(n),o=dev<float>(1024); L((reduce<<<S*4,256>>>(a,o,n)));};
 k["scan_block"]=[=]{int n=512*1024; auto a=dev<int>(n),o=dev<int>(n),s=dev<int>(1024); L((scan_block<<<1024,256>>>(a,o,s)));};
 k["histogram"]=[=]{int n=1<<21; auto a=dev<unsigned char>(n,1,256); auto h=dev<int>(256); L((histogram<<<S*2,256>>>(a,h,n)));};
 k["sgemm_naive"]=[=]{int n=256; auto a=dev<float>(n*n),b=dev<float>(n*n),o=dev<float>(n*n); L((sgemm_naive<<<dim3(n/16,n/16),dim3(16,16)>>>(a,b,o,n)));};
 k["sgemm_tiled"]=[=]{int n=384; auto a=dev<float>(n*n),b=dev<float>(n*n),o=dev<float>(n*n); L((sgemm_tiled<<<dim3(n/16,n/16),dim3(16,16)>>>(a,b,o,n)));};
 k["sgemm_reg"]=[=]{int n=768; auto a=dev<float>(n*n),b=dev<float>(n*n),o=dev<float>(n*n); L((sgemm_reg<<<dim3(n/64,n/64),256>>>(a,b,o,n)));};
 k["hgemm_wmma"]=[=]{int n=768; auto a=dev<__half>(n*n),b=dev<__half>(n*n); auto o=dev<float>(n*n); L((hgemm_wmma<<<dim3(n/64,n/64),128>>>(a,b,o,n)));};
 k["stencil2d"]=[=]{int n=1536; auto a=dev<float>(n*n),b=dev<float>(n*n); L((stencil2d<<<dim3(n/32,n/8),dim3(32,8)>>>(a,b,n)));};
 k["stencil3d"]=[=]{int n=128; auto a=dev<float>(n*n*n),b=dev<float>(n*n*n); L((stencil3d<<<dim3(n/32,n/8),dim3(32,8)>>>(a,b,n)));};
 k["spmv"]=[=]{int n=8192; std::vector<int> rp(n+1),ci; unsigned s=3; for(int i=0;i<n;i++){rp[i]=ci.size(); s=s*1664525u+1013904223u; int m=8+(s>>20)%64; for(int j=0;j<m;j++){s=s*1664525u+1013904223u; ci.push_back((s>>8)%n);}} rp[n]=ci.size(); int *drp,*dci; CK(cudaMalloc(&drp,(n+1)*4)); CK(cudaMemcpy(drp,rp.data(),(n+1)*4,cudaMemcpyHostToDevice)); CK(cudaMalloc(&dci,ci.size()*4)); CK(cudaMemcpy(dci,ci.data(),ci.size()*4,cudaMemcpyHostToDevice)); auto vv=dev<float>(ci.size()),x=dev<float>(n),y=dev<float>(n); L((spmv<<<n/8,256>>>(drp,dci,vv,x,y,n)));};
 k["bfs_step"]=[=]{int n=65536; std::vector<int> rp(n+1),ci,d(n,-1); unsigned s=5; for(int i=0;i<n;i++){rp[i]=ci.size(); s=s*1664525u+1013904223u; int m=2+(s>>20)%12; for(int j=0;j<m;j++){s=s*1664525u+1013904223u; ci.push_back((s>>8)%n);} if((s>>9)%4==0) d[i]=3;} rp[n]=ci.size(); int *drp,*dci,*dd,*chg; CK(cudaMalloc(&drp,(n+1)*4)); CK(cudaMemcpy(drp,rp.data(),(n+1)*4,cudaMemcpyHostToDevice)); CK(cudaMalloc(&dci,ci.size()*4)); CK(cudaMemcpy(dci,ci.data(),ci.size()*4,cudaMemcpyHostToDevice)); CK(cudaMalloc(&dd,n*4)); CK(cudaMalloc(&chg,4)); for(int r=0;r<reps;r++){ CK(cudaMemcpy(dd,d.data(),n*4,cudaMemcpyHostToDevice)); bfs_step<<<n/256,256>>>(drp,dci,dd,3,n,chg);} CK(cudaDeviceSynchronize());};
 k["nbody"]=[=]{int n=2048*2; auto p=dev<float4>(n),f=dev<float4>(n); L((nbody<<<n/256,256>>>(p,f,n/4)));};
 k["mandelbrot"]=[=]{auto o=dev<int>(512*256); L((mandelbrot<<<dim3(16,32),dim3(32,8)>>>(o,512,256,96)));};
 k["blackscholes"]=[=]{int n=1<<19; auto a=dev<float>(n),b=dev<float>(n),t=dev<float>(n),x=dev<float>(n),y=dev<float>(n); L((blackscholes<<<S*4,256>>>(a,b,t,x,y,n)));};
 k["softmax_row"]=[=]{auto a=dev<float>(1056*1024),o=dev<float>(1056*1024); L((softmax_row<<<1056,256>>>(a,o,1024)));};
 k["layernorm"]=[=]{auto a=dev<float4>(2112*256),o=dev<float4>(2112*256); L((layernorm<<<2112,128>>>(a,o,256)));};
 k["attention"]=[=]{int q=S*64; auto a=dev<float>(q*64),b=dev<float>(256*64),cc=dev<float>(256*64),o=dev<float>(q*64); L((attention<<<S,64>>>(a,b,cc,o,96)));};
 k["bitonic"]=[=]{auto a=dev<int>(S*1024,1,1<<20); L((bitonic<<<S,512>>>(a)));};
 k["conv3x3"]=[=]{int n=130; auto a=dev<float>(8*n*n),w=dev<float>(16*8*9),o=dev<float>(16*n*n); L((conv3x3<<<dim3(8,8,16),dim3(16,16)>>>(a,w,o,n,8)));};
 k["fft1024"]=[=]{auto a=dev<float2>(S*4*1024); L((fft1024<<<S*4,512>>>(a)));};
 k["pathdp"]=[=]{int cols=65536; auto w=dev<int>((size_t)cols*9,1,10); auto o=dev<int>(cols); L((pathdp<<<(cols+239)/240,256>>>(w,o,cols,8)));};
 k["lu_diag"]=[=]{int n=32*S; auto a=dev<float>((size_t)n*n); L((lu_diag<<<S,32>>>(a,n)));};
 k["monte_carlo"]=[=]{auto o=dev<float>(S*512); L((monte_carlo<<<S*2,256>>>(o,16)));};
 k["kmeans_assign"]=[=]{int n=65536; auto p=dev<float>(n*16),cc=dev<float>(5*16); auto m=dev<int>(n); L((kmeans_assign<<<n/256,256>>>(p,cc,m,n,5,16)));};
 k["dsmem_reduce"]=[=]{int n=1<<20; auto a=dev<float>(n),o=dev<float>(S*256); L((dsmem_reduce<<<128,256>>>(a,o,n)));};
 if(c<2){ for(auto& e:k) printf("%s\n",e.first.c_str()); return 0; }
#ifdef STEADY
 if(!strcmp(v[1],"all")){ for(auto& e:k){ running=e.first; e.second(); } return 0; }
#endif
 auto it=k.find(v[1]); if(it==k.end()){printf("no kernel %s\n",v[1]); return 1;} it->second(); printf("done %s\n",v[1]); return 0; }
