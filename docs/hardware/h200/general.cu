// Kernels in the manner of well-known public GPU programs, written for checking how a model generalises.
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>
#include <functional>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
#ifdef STEADY
#include "steady.h"
#endif
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){fprintf(stderr,"CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
#define G extern "C" __global__ void
typedef unsigned u32; typedef unsigned long long u64;

// --- thermal stencil with a pyramid in shared memory
G hotspot(const float* power,const float* src,float* dst,int n,int steps,float rx,float ry,float rz,float step){
  __shared__ float t[16][16],p[16][16],nx[16][16]; int bx=blockIdx.x,by=blockIdx.y,tx=threadIdx.x,ty=threadIdx.y; int sm=16-steps*2;
  int yy=by*sm-steps+ty, xx=bx*sm-steps+tx; bool in=yy>=0&&yy<n&&xx>=0&&xx<n; int idx=yy*n+xx;
  if(in){t[ty][tx]=src[idx];p[ty][tx]=power[idx];} else {t[ty][tx]=80.f;p[ty][tx]=0;} __syncthreads();
  int N=ty?ty-1:0,S=ty<15?ty+1:15,W=tx?tx-1:0,E=tx<15?tx+1:15; bool done=false;
  for(int i=0;i<steps;i++){ done=false; if(tx>=i+1&&tx<=14-i&&ty>=i+1&&ty<=14-i&&in){ done=true;
     nx[ty][tx]=t[ty][tx]+step*(p[ty][tx]+(t[S][tx]+t[N][tx]-2.f*t[ty][tx])*ry+(t[ty][E]+t[ty][W]-2.f*t[ty][tx])*rx+(80.f-t[ty][tx])*rz); }
   __syncthreads(); if(i==steps-1) break; if(done) t[ty][tx]=nx[ty][tx]; __syncthreads(); }
  if(done) dst[idx]=nx[ty][tx]; }
// --- neural network layer: products and tree sums in shared memory
G backprop_forward(const float* in,float* w,float* partial,int hid){ __shared__ float node[16],m[16][16]; int by=blockIdx.y,tx=threadIdx.x,ty=threadIdx.y;
  int index=(hid+1)*16*by+(hid+1)*ty+tx+1+(hid+1); if(tx==0) node[ty]=in[16*by+ty+1]; __syncthreads(); m[ty][tx]=w[index]; __syncthreads();
  m[ty][tx]*=node[ty]; __syncthreads(); for(int i=1;i<=4;i++){ int pw=1<<i; if(ty%pw==0) m[ty][tx]+=m[ty+pw/2][tx]; __syncthreads(); }
  w[index]=m[ty][tx]; __syncthreads(); if(tx==0) partial[by*hid+ty]=m[tx][ty]; }
G backprop_adjust(const float* delta,int hid,const float* ly,float* w,float* oldw){ int by=blockIdx.y,tx=threadIdx.x,ty=threadIdx.y;
  int index=(hid+1)*16*by+(hid+1)*ty+tx+1+(hid+1); float d=delta[tx+1]*0.3f*ly[16*by+ty+1]+0.3f*oldw[index]; w[index]+=d; oldw[index]=d; }
// --- speckle reducing diffusion: exp and divisions
G srad(const float* J,float* c,float* dN,float* dS,float* dW,float* dE,int n,float q0){ int x=blockIdx.x*16+threadIdx.x,y=blockIdx.y*16+threadIdx.y; if(x>=n||y>=n) return; int i=y*n+x;
  float jc=J[i]+0.5f,g,l,nn=(y?J[i-n]+.5f:jc)-jc,ss=(y<n-1?J[i+n]+.5f:jc)-jc,ww=(x?J[i-1]+.5f:jc)-jc,ee=(x<n-1?J[i+1]+.5f:jc)-jc;
  g=(nn*nn+ss*ss+ww*ww+ee*ee)/(jc*jc); l=(nn+ss+ww+ee)/jc; float num=0.5f*g-0.0625f*l*l,den=1+.25f*l,q=num/(den*den); den=(q-q0)/(q0*(1+q0)); float cc=1.f/(1.f+den);
  cc=cc<0?0:cc>1?1:cc; c[i]=cc; dN[i]=nn; dS[i]=ss; dW[i]=ww; dE[i]=ee; }
// --- LU decomposition: inner and perimeter blocks
G lud_internal(float* m,int n,int off){ __shared__ float r[16][16],c[16][16]; int gr=off+(blockIdx.y+1)*16,gc=off+(blockIdx.x+1)*16,tx=threadIdx.x,ty=threadIdx.y;
  r[ty][tx]=m[(off+ty)*n+gc+tx]; c[ty][tx]=m[(gr+ty)*n+off+tx]; __syncthreads(); float s=0;
#pragma unroll
  for(int i=0;i<16;i++) s+=c[ty][i]*r[i][tx]; m[(gr+ty)*n+gc+tx]-=s; }
G lud_perimeter(float* m,int n,int off){ __shared__ float dia[16][16],pr[16][16],pc[16][16]; int idx=threadIdx.x;
  if(idx<16){ for(int i=0;i<8;i++) dia[i][idx]=m[(off+i)*n+off+idx]; for(int i=0;i<16;i++) pr[i][idx]=m[(off+i)*n+off+(blockIdx.x+1)*16+idx]; }
  else { idx-=16; for(int i=8;i<16;i++) dia[i][idx]=m[(off+i)*n+off+idx]; for(int i=0;i<16;i++) pc[i][idx]=m[(off+(blockIdx.x+1)*16+i)*n+off+idx]; } __syncthreads();
  if(threadIdx.x<16){ idx=threadIdx.x; for(int i=1;i<16;i++) for(int j=0;j<i;j++) pr[i][idx]-=dia[i][j]*pr[j][idx]; }
  else { idx=threadIdx.x-16; for(int i=0;i<16;i++){ for(int j=0;j<i;j++) pc[idx][i]-=pc[idx][j]*dia[j][i]; pc[idx][i]/=dia[i][i]+1.f; } } __syncthreads();
  if(threadIdx.x<16){ idx=threadIdx.x; for(int i=1;i<16;i++) m[(off+i)*n+off+(blockIdx.x+1)*16+idx]=pr[i][idx]; }
  else { idx=threadIdx.x-16; for(int i=0;i<16;i++) m[(off+(blockIdx.x+1)*16+i)*n+off+idx]=pc[i][idx]; } }
// --- sequence alignment: anti-diagonals of a tile
G needle(const int* ref,int* items,int cols,int penalty,int i,int w){ __shared__ int t[17][17],r[16][16]; int bx=blockIdx.x,tx=threadIdx.x; int bix=bx,biy=i-1-bx;
  int index=cols*16*biy+16*bix+tx+cols+1; int inw=cols*16*biy+16*bix+cols, in=cols*16*biy+16*bix+tx+1, nw=cols*16*biy+16*bix;
  if(tx==0) t[0][0]=items[nw]; for(int k=0;k<16;k++) r[k][tx]=ref[index+cols*k]; __syncwarp(0xffff); t[tx+1][0]=items[inw+cols*tx]; t[0][tx+1]=items[in]; __syncwarp(0xffff);
  for(int m=0;m<16;m++){ if(tx<=m){ int x=tx+1,y=m-tx+1; t[y][x]=max(t[y-1][x-1]+r[y-1][x-1],max(t[y][x-1]-penalty,t[y-1][x]-penalty)); } __syncwarp(0xffff); }
  for(int m=14;m>=0;m--){ if(tx<=m){ int x=tx+16-m,y=16-tx; t[y][x]=max(t[y-1][x-1]+r[y-1][x-1],max(t[y][x-1]-penalty,t[y-1][x]-penalty)); } __syncwarp(0xffff); }
  for(int k=0;k<16;k++) items[index+k*cols]=t[k+1][tx+1]; }
// --- Gaussian elimination
G gaussian_fan2(const float* m,float* a,float* b,int n,int t){ int x=blockIdx.x*blockDim.x+threadIdx.x,y=blockIdx.y*blockDim.y+threadIdx.y; if(x>=n-1-t||y>=n-t) return;
  a[n*(x+1+t)+(y+t)]-=m[n*(x+1+t)+t]*a[n*t+(y+t)]; if(y==0) b[x+1+t]-=m[n*(x+1+t)+t]*b[t]; }
// --- nearest neighbour distance
G near_neighbour(const float2* loc,float* d,int n,float la,float lo){ int g=blockDim.x*(gridDim.x*blockIdx.y+blockIdx.x)+threadIdx.x; if(g<n){ float2 p=loc[g]; d[g]=sqrtf((la-p.x)*(la-p.x)+(lo-p.y)*(lo-p.y)); } }
// --- search in a tree of 16 keys a node
G tree_find(const int* keys,const int* child,const int* want,int* out,int depth){ __shared__ int cur; int q=blockIdx.x,t=threadIdx.x; if(t==0) cur=0; __syncthreads(); int v=want[q];
  for(int l=0;l<depth;l++){ int node=cur; __syncthreads(); int lo=keys[node*17+t],hi=keys[node*17+t+1]; if(lo<=v&&v<hi) cur=child[node*16+t]; __syncthreads(); } if(t==0) out[q]=cur; }
// --- particles in boxes with neighbours (double precision)
G lavamd(const double4* pos,const double* q,double4* f,const int* nb,double a2,int per){ __shared__ double4 pa[64],pb[64]; __shared__ double qb[64]; int b=blockIdx.x,t=threadIdx.x; pa[t]=pos[b*per+t]; double4 s=make_double4(0,0,0,0);
  for(int k=0;k<4;k++){ int o=nb[b*4+k]; __syncthreads(); pb[t]=pos[o*per+t]; qb[t]=q[o*per+t]; __syncthreads();
   for(int j=0;j<per;j++){ double r2=pa[t].w+pb[j].w-(pa[t].x*pb[j].x+pa[t].y*pb[j].y+pa[t].z*pb[j].z); double u=a2*r2; double v=1.0-u+0.5*u*u; double fs=2*v; s.w+=qb[j]*v; s.x+=qb[j]*fs*(pa[t].x-pb[j].x); s.y+=qb[j]*fs*(pa[t].y-pb[j].y); s.z+=qb[j]*fs*(pa[t].z-pb[j].z); } }
  f[b*per+t]=s; }
// --- flux of an unstructured mesh: many registers, gathers, square roots
G cfd_flux(const int* nbr,const float* nrm,const float* var,float* flux,int n){ int i=blockIdx.x*blockDim.x+threadIdx.x; float d=var[i]+.5f,mx=var[i+n],my=var[i+2*n],mz=var[i+3*n],e=var[i+4*n]+3.f; float vx=mx/d,vy=my/d,vz=mz/d,v2=vx*vx+vy*vy+vz*vz,p=.4f*(e-.5f*d*v2),c=sqrtf(1.4f*p/d),sp=sqrtf(v2);
  float f0=0,f1=0,f2=0,f3=0,f4=0; for(int j=0;j<4;j++){ int k=nbr[i+j*n]; float nx=nrm[i+(j*3)*n]-.5f,ny=nrm[i+(j*3+1)*n]-.5f,nz=nrm[i+(j*3+2)*n]-.5f; float L=sqrtf(nx*nx+ny*ny+nz*nz);
   float dn=var[k]+.5f,ax=var[k+n],ay=var[k+2*n],az=var[k+3*n],en=var[k+4*n]+3.f; float ux=ax/dn,uy=ay/dn,uz=az/dn,u2=ux*ux+uy*uy+uz*uz,pn=.4f*(en-.5f*dn*u2),cn=sqrtf(1.4f*pn/dn);
   float fac=-L*.2f*.5f*(sp+sqrtf(u2)+c+cn); f0+=fac*(d-dn); f1+=fac*(mx-ax); f2+=fac*(my-ay); f3+=fac*(mz-az); f4+=fac*(e-en); fac=.5f*nx; f0+=fac*(ax+mx); f1+=fac*(ax*ux+pn+mx*vx+p); f2+=fac*(ax*uy+mx*vy); f3+=fac*(ax*uz+mx*vz); f4+=fac*((en+pn)*ux+(e+p)*vx);
   fac=.5f*ny; f0+=fac*(ay+my); f1+=fac*(ay*ux+my*vx); f2+=fac*(ay*uy+pn+my*vy+p); f4+=fac*((en+pn)*uy+(e+p)*vy); fac=.5f*nz; f0+=fac*(az+mz); f3+=fac*(az*uz+pn+mz*vz+p); f4+=fac*((en+pn)*uz+(e+p)*vz); }
  flux[i]=f0; flux[i+n]=f1; flux[i+2*n]=f2; flux[i+3*n]=f3; flux[i+4*n]=f4; }
// --- linear algebra without shared memory
G atax_row(const float* A,const float* x,float* y,int n){ int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n){ float s=0; for(int j=0;j<n;j++) s+=A[i*n+j]*x[j]; y[i]=s; } }
G atax_col(const float* A,const float* y,float* z,int n){ int j=blockIdx.x*blockDim.x+threadIdx.x; if(j<n){ float s=0; for(int i=0;i<n;i++) s+=A[i*n+j]*y[i]; z[j]=s; } }
G syrk(const float* A,float* C,float al,float be,int n){ int j=blockIdx.x*blockDim.x+threadIdx.x,i=blockIdx.y*blockDim.y+threadIdx.y; if(i<n&&j<n){ float c=C[i*n+j]*be; for(int k=0;k<n;k++) c+=al*A[i*n+k]*A[j*n+k]; C[i*n+j]=c; } }
G correlation_mean(const float* d,float* mean,int n){ int j=blockIdx.x*blockDim.x+threadIdx.x; if(j<n){ float s=0; for(int i=0;i<n;i++) s+=d[i*n+j]; mean[j]=s/(float)n; } }
G fdtd(const float* ex,const float* ey,float* hz,int nx,int ny){ int j=blockIdx.x*blockDim.x+threadIdx.x,i=blockIdx.y*blockDim.y+threadIdx.y; if(i<nx&&j<ny) hz[i*ny+j]-=.7f*(ex[i*(ny+1)+j+1]-ex[i*(ny+1)+j]+ey[(i+1)*ny+j]-ey[i*ny+j]); }
// --- convolution by rows, taps in constant memory
__constant__ float taps[17]={.01f,.02f,.03f,.05f,.07f,.09f,.1f,.11f,.12f,.11f,.1f,.09f,.07f,.05f,.03f,.02f,.01f};
G conv_rows(const float* s,float* d,int w,int pitch){ __shared__ float t[4][16*10]; int bx=(blockIdx.x*8-1)*16+threadIdx.x,y=blockIdx.y*4+threadIdx.y; const float* p=s+y*pitch+bx;
#pragma unroll
  for(int i=1;i<9;i++) t[threadIdx.y][threadIdx.x+i*16]=p[i*16]; t[threadIdx.y][threadIdx.x]=bx>=0?p[0]:0; t[threadIdx.y][threadIdx.x+9*16]=(w-bx>9*16)?p[9*16]:0; __syncthreads();
#pragma unroll
  for(int i=1;i<9;i++){ float a=0;
#pragma unroll
   for(int j=-8;j<=8;j++) a+=taps[8-j]*t[threadIdx.y][threadIdx.x+i*16+j]; d[y*pitch+bx+i*16]=a; } }
// --- 8x8 cosine transform in registers
G dct8(const float* s,float* d,int pitch){ __shared__ float b[8][8*8+1]; int x=blockIdx.x*64+threadIdx.x,y0=blockIdx.y*8; for(int i=0;i<8;i++) b[i][threadIdx.x]=s[(y0+i)*pitch+x]; __syncthreads(); float v[8],o[8]; for(int i=0;i<8;i++) v[i]=b[i][threadIdx.x];
  float a0=v[0]+v[7],a1=v[1]+v[6],a2=v[2]+v[5],a3=v[3]+v[4],s0=v[0]-v[7],s1=v[1]-v[6],s2=v[2]-v[5],s3=v[3]-v[4]; o[0]=.35355f*(a0+a1+a2+a3); o[4]=.35355f*(a0-a1-a2+a3); o[2]=.46194f*(a0-a3)+.19134f*(a1-a2); o[6]=.19134f*(a0-a3)-.46194f*(a1-a2); o[1]=.49039f*s0+.41573f*s1+.27779f*s2+.09755f*s3; o[3]=.41573f*s0-.09755f*s1-.49039f*s2-.27779f*s3; o[5]=.27779f*s0-.49039f*s1+.09755f*s2+.41573f*s3; o[7]=.09755f*s0-.27779f*s1+.41573f*s2-.49039f*s3;
  for(int i=0;i<8;i++) d[(y0+i)*pitch+x]=o[i]; }
// --- option prices on a binomial lattice
G binomial(const float* S,float* out,int steps,float pu,float pd,float vdt){ __shared__ float call[257]; int t=threadIdx.x; float s=S[blockIdx.x]*20+5,x=20.f; float v=s*exp2f(vdt*(2.f*t-steps))-x; float c=v>0?v:0; for(int i=steps;i>0;i--){ call[t]=c; __syncthreads(); if(t<i) c=pu*call[t+1]+pd*call[t]; __syncthreads(); } if(t==0) out[blockIdx.x]=c; }
// --- Walsh transform of 2048 in shared memory
G walsh(float* d){ extern __shared__ float sh[]; int N=2048,base=blockIdx.x*N; for(int p=threadIdx.x;p<N;p+=blockDim.x) sh[p]=d[base+p]; int pos=threadIdx.x; int st=N>>2; for(;st>0;st>>=2){ for(int q=pos;q<N/4;q+=blockDim.x){ int lo=q&(st-1),i0=((q-lo)<<2)+lo,i1=i0+st,i2=i1+st,i3=i2+st; } __syncthreads(); int lo=pos&(st-1),i0=((pos-lo)<<2)+lo,i1=i0+st,i2=i1+st,i3=i2+st; float a=sh[i0],b=sh[i1],c=sh[i2],e=sh[i3],t; t=a;a=a+c;c=t-c; t=b;b=b+e;e=t-e; t=a; sh[i0]=a+b; sh[i1]=t-b; t=c; sh[i2]=c+e; sh[i3]=t-e; } __syncthreads(); for(int p=pos;p<N/2;p+=blockDim.x){ int i0=p<<1; float a=sh[i0],b=sh[i0+1]; sh[i0]=a+b; sh[i0+1]=a-b; } __syncthreads(); for(int p=pos;p<N;p+=blockDim.x) d[base+p]=sh[p]; }
// --- magnetic resonance: sums of sines and cosines, sample positions in constant memory
__constant__ float4 kspace[64]={{.1f,.2f,.3f,.4f},{.5f,.1f,.7f,.2f},{.9f,.4f,.1f,.3f},{.2f,.8f,.6f,.1f}};
G mriq(const float* x,const float* y,const float* z,float* qr,float* qi,int rep){ int i=blockIdx.x*blockDim.x+threadIdx.x; float X=x[i],Y=y[i],Z=z[i],r=0,m=0; for(int q=0;q<rep;q++) for(int k=0;k<64;k++){ float4 s=kspace[k]; float a=6.2831853f*(s.x*X+s.y*Y+s.z*Z)+q; r+=s.w*__cosf(a); m+=s.w*__sinf(a); } qr[i]=r; qi[i]=m; }
// --- Coulomb potential on a lattice
G cutcp(const float4* atoms,float* e,int n,float h){ int x=blockIdx.x*16+threadIdx.x,y=blockIdx.y*8+threadIdx.y; float px=x*h,py=y*h,s=0,s2=0; for(int i=0;i<n;i++){ float4 a=atoms[i]; float dx=px-a.x*8,dy=py-a.y*8,dz=a.z; float r2=dx*dx+dy*dy+dz*dz; if(r2<4.f){ float w=1.f-r2*.25f; s+=a.w*rsqrtf(r2+.01f)*w*w; } s2+=r2; } e[y*gridDim.x*16+x]=s+s2*1e-9f; }
// --- lattice-Boltzmann step: nineteen streams
G lbm(const float* s,float* d,int n,int pl){ int i=blockIdx.x*blockDim.x+threadIdx.x; float f[19],rho=0; 
#pragma unroll
  for(int k=0;k<19;k++){ f[k]=s[k*pl+i]; rho+=f[k]; } float ux=(f[1]-f[2]+f[7]-f[8]+f[9]-f[10])/(rho+1),uy=(f[3]-f[4]+f[11]-f[12]+f[13])/(rho+1),u2=1.5f*(ux*ux+uy*uy);
#pragma unroll
  for(int k=0;k<19;k++){ float c=(k%3-1)*ux+(k%5-2)*uy; d[k*pl+i+(k%3)+(k%5)*32]=f[k]*.2f+.8f*.05f*rho*(1+3*c+4.5f*c*c-u2); } }
// --- sums of absolute differences of 4x4 blocks, bytes
G sad(const unsigned char* cur,const unsigned char* ref,unsigned short* out,int w){ __shared__ unsigned char c[16]; int bx=blockIdx.x*4,by=blockIdx.y*4; if(threadIdx.x<16) c[threadIdx.x]=cur[(by+threadIdx.x/4)*w+bx+threadIdx.x%4]; __syncthreads(); int dx=threadIdx.x%16,dy=threadIdx.x/16; int s=0; 
#pragma unroll
  for(int i=0;i<4;i++)
#pragma unroll
   for(int j=0;j<4;j++) s+=abs((int)c[i*4+j]-(int)ref[(by+dy+i)*w+bx+dx+j]); out[(blockIdx.y*gridDim.x+blockIdx.x)*256+threadIdx.x]=s; }
// --- deep learning
G im2col(const float* im,float* col,int C,int H,int W){ int i=blockIdx.x*blockDim.x+threadIdx.x; int wo=i%W,ho=(i/W)%H,c=i/(W*H); if(c>=C) return; float* o=col+(c*9*H+ho)*W+wo; for(int a=0;a<3;a++) for(int b=0;b<3;b++){ int h=ho+a-1,w=wo+b-1; *o=(h>=0&&w>=0&&h<H&&w<W)?im[(c*H+h)*W+w]:0; o+=H*W; } }
G batchnorm(const float* x,float* y,const float* g,int hw,int C,int N){ __shared__ float s1[8],s2[8]; int c=blockIdx.x; float a=0,b=0; for(int n=0;n<N;n++) for(int i=threadIdx.x;i<hw;i+=blockDim.x){ float v=x[(n*C+c)*hw+i]; a+=v; b+=v*v; } for(int o=16;o;o>>=1){ a+=__shfl_down_sync(~0u,a,o); b+=__shfl_down_sync(~0u,b,o); } if(threadIdx.x%32==0){ s1[threadIdx.x/32]=a; s2[threadIdx.x/32]=b; } __syncthreads(); a=b=0; for(int i=0;i<8;i++){ a+=s1[i]; b+=s2[i]; } float m=a/(N*hw),iv=rsqrtf(b/(N*hw)-m*m+1e-5f)*g[c]; for(int n=0;n<N;n++) for(int i=threadIdx.x;i<hw;i+=blockDim.x) y[(n*C+c)*hw+i]=(x[(n*C+c)*hw+i]-m)*iv; }
G maxpool(const float* x,float* y,int H,int W){ int i=blockIdx.x*blockDim.x+threadIdx.x; int ow=i%(W/2),oh=(i/(W/2))%(H/2),c=i/((W/2)*(H/2)); float m=-1e9f; for(int a=0;a<3;a++) for(int b=0;b<3;b++){ int h=oh*2+a-1,w=ow*2+b-1; if(h>=0&&w>=0&&h<H&&w<W) m=fmaxf(m,x[(c*H+h)*W+w]); } y[i]=m; }
G gelu(const float4* x,float4* y){ int i=blockIdx.x*blockDim.x+threadIdx.x; float4 v=x[i]; float* p=(float*)&v; for(int k=0;k<4;k++){ float t=p[k]; p[k]=.5f*t*(1.f+tanhf(.79788456f*(t+.044715f*t*t*t))); } y[i]=v; }
G embedding(const int* ids,const float4* tab,float4* out){ int r=blockIdx.x; out[r*64+threadIdx.x]=tab[(size_t)ids[r]*64+threadIdx.x]; }
G adam(float* p,const float* g,float* m,float* v,float lr,float b1,float b2,float eps){ int i=blockIdx.x*blockDim.x+threadIdx.x; float gg=g[i],mm=b1*m[i]+(1-b1)*gg,vv=b2*v[i]+(1-b2)*gg*gg; m[i]=mm; v[i]=vv; p[i]-=lr*mm/(sqrtf(vv)+eps); }
G rope(__half2* q,int heads,int dim){ int pos=blockIdx.x,t=threadIdx.x; float inv=exp2f(-13.28771f*(2.f*(t%(dim/2))/dim)); float s,c; __sincosf(pos*inv*.01f,&s,&c); for(int h=t/(dim/2);h<heads;h+=blockDim.x/(dim/2)){ int i=(pos*heads+h)*(dim/2)+t%(dim/2); float2 v=__half22float2(q[i]); q[i]=__floats2half2_rn(v.x*c-v.y*s,v.x*s+v.y*c); } }
G wmma_bias(const __half* a,const __half* b,float* c,int n){ __shared__ __half sa[64][24],sb[16][72]; int t=threadIdx.x,w=t/32; wmma::fragment<wmma::accumulator,16,16,16,float> acc[4]; for(int i=0;i<4;i++) wmma::fill_fragment(acc[i],.5f); int r0=blockIdx.y*64,c0=blockIdx.x*64; for(int k=0;k<n;k+=16){ for(int i=t;i<512;i+=128){ int r=i/8,q=i%8; *(__half2*)&sa[r][q*2]=*(const __half2*)&a[(r0+r)*n+k+q*2]; } for(int i=t;i<512;i+=128){ int r=i/32,q=i%32; *(__half2*)&sb[r][q*2]=*(const __half2*)&b[(k+r)*n+c0+q*2]; } __syncthreads(); wmma::fragment<wmma::matrix_a,16,16,16,__half,wmma::row_major> fa; wmma::load_matrix_sync(fa,&sa[w*16][0],24); for(int j=0;j<4;j++){ wmma::fragment<wmma::matrix_b,16,16,16,__half,wmma::row_major> fb; wmma::load_matrix_sync(fb,&sb[0][j*16],72); wmma::mma_sync(acc[j],fa,fb,acc[j]); } __syncthreads(); } for(int j=0;j<4;j++) wmma::store_matrix_sync(&c[(r0+w*16)*n+c0+j*16],acc[j],n,wmma::mem_row_major); }
// --- integer work: hashes, byte code, sorting, tables
G sha_like(const u32* in,u32* out,int rounds){ int i=blockIdx.x*blockDim.x+threadIdx.x; u32 w[16]; for(int k=0;k<16;k++) w[k]=in[k*gridDim.x*blockDim.x+i]; u32 a=0x6a09e667,b=0xbb67ae85,c=0x3c6ef372,d=0xa54ff53a,e=0x510e527f,f=0x9b05688c,g=0x1f83d9ab,h=0x5be0cd19;
  for(int r=0;r<rounds;r++){
#pragma unroll
   for(int k=0;k<16;k++){ u32 s1=__funnelshift_r(e,e,6)^__funnelshift_r(e,e,11)^__funnelshift_r(e,e,25),ch=(e&f)^(~e&g),t1=h+s1+ch+0x428a2f98u*(k+1)+w[k],s0=__funnelshift_r(a,a,2)^__funnelshift_r(a,a,13)^__funnelshift_r(a,a,22),mj=(a&b)^(a&c)^(b&c); h=g;g=f;f=e;e=d+t1;d=c;c=b;b=a;a=t1+s0+mj; u32 x=w[(k+1)&15],y=w[(k+14)&15]; w[k]+=w[(k+9)&15]+(__funnelshift_r(x,x,7)^__funnelshift_r(x,x,18)^(x>>3))+(__funnelshift_r(y,y,17)^__funnelshift_r(y,y,19)^(y>>10)); } }
  out[i]=a^b^c^d^e^f^g^h; }
G aes_tables(const u32* in,const u32* tab,u32* out,int rounds){ __shared__ u32 t[1024]; for(int i=threadIdx.x;i<1024;i+=blockDim.x) t[i]=tab[i]; __syncthreads(); int i=blockIdx.x*blockDim.x+threadIdx.x; u32 a=in[i*4],b=in[i*4+1],c=in[i*4+2],d=in[i*4+3]; for(int r=0;r<rounds;r++){ u32 p=t[a>>24]^t[256+((b>>16)&255)]^t[512+((c>>8)&255)]^t[768+(d&255)],q=t[b>>24]^t[256+((c>>16)&255)]^t[512+((d>>8)&255)]^t[768+(a&255)],s=t[c>>24]^t[256+((d>>16)&255)]^t[512+((a>>8)&255)]^t[768+(b&255)],u=t[d>>24]^t[256+((a>>16)&255)]^t[512+((b>>8)&255)]^t[768+(c&255)]; a=p+r;b=q;c=s;d=u; } ((uint4*)out)[i]=make_uint4(a,b,c,d); }
G radix_count(const u32* k,int* hist,int per,int shift){ __shared__ int h[16][33]; int t=threadIdx.x; for(int i=t;i<16*33;i+=blockDim.x) ((int*)h)[i]=0; __syncthreads(); for(int j=0;j<per;j++){ u32 d=(k[(blockIdx.x*per+j)*blockDim.x+t]>>shift)&15; atomicAdd(&h[d][t&31],1); } __syncthreads(); if(t<16){ int s=0; for(int i=0;i<32;i++) s+=h[t][i]; hist[t*gridDim.x+blockIdx.x]=s; } }
G hash_insert(u32* table,const u32* keys,u32* probes,u32 mask){ int i=blockIdx.x*blockDim.x+threadIdx.x; u32 k=keys[i]|1,h=(k*2654435761u)&mask; u32 n=0; while(n<64){ u32 o=atomicCAS(&table[h],0u,k); n++; if(o==0||o==k) break; h=(h+1)&mask; } probes[i]=1; }
G compact(const u32* in,u32* out,u32* count,u32 limit){ __shared__ u32 base[9]; int i=blockIdx.x*blockDim.x+threadIdx.x,l=threadIdx.x&31,w=threadIdx.x>>5; u32 v=in[i]; bool keep=v<limit; u32 m=__ballot_sync(~0u,keep); if(l==0) base[w]=__popc(m); __syncthreads(); if(threadIdx.x==0){ u32 s=0; for(int k=0;k<8;k++){ u32 c=base[k]; base[k]=s; s+=c; } count[blockIdx.x]=s; } __syncthreads(); if(keep) out[blockIdx.x*256+base[w]+__popc(m&((1u<<l)-1))]=v; }
G merge_sort(u32* d){ __shared__ u32 s[1024]; int t=threadIdx.x; u32* p=d+blockIdx.x*1024; s[t]=p[t]; s[t+512]=p[t+512]; for(int st=1;st<1024;st<<=1){ __syncthreads(); int lo=t&(st-1); int b=2*(t-lo); u32 ka=s[b+lo],kb=s[b+st+lo]; int pa=0,pb=0; for(int q=st;q>0;q>>=1){ int n=pa+q; if(n<=st&&s[b+st+n-1]<ka) pa=n; } for(int q=st;q>0;q>>=1){ int n=pb+q; if(n<=st&&s[b+n-1]<=kb) pb=n; } __syncthreads(); s[b+lo+pa]=ka; s[b+lo+pb]=kb; } __syncthreads(); p[t]=s[t]; p[t+512]=s[t+512]; }
G dp4a_gemm(const int* a,const int* b,int* c,int n,int k4){ __shared__ int sa[16][17],sb[16][17]; int tx=threadIdx.x,ty=threadIdx.y,row=blockIdx.y*16+ty,col=blockIdx.x*16+tx; int s=0; for(int k=0;k<k4;k+=16){ sa[ty][tx]=a[row*k4+k+tx]; sb[ty][tx]=b[(blockIdx.x*16+ty)*k4+k+tx]; __syncthreads();
#pragma unroll
  for(int j=0;j<16;j++) s=__dp4a(sa[ty][j],sb[tx][j],s); __syncthreads(); } c[row*n+col]=s; }
// --- double precision
G dgemm(const double* a,const double* b,double* c,int n){ __shared__ double sa[16][16],sb[16][16]; int tx=threadIdx.x,ty=threadIdx.y,r=blockIdx.y*16+ty,q=blockIdx.x*16+tx; double s=0; for(int k=0;k<n;k+=16){ sa[ty][tx]=a[r*n+k+tx]; sb[ty][tx]=b[(k+ty)*n+q]; __syncthreads();
#pragma unroll
  for(int j=0;j<16;j++) s+=sa[ty][j]*sb[j][tx]; __syncthreads(); } c[r*n+q]=s; }
G nn_double_div(const double* a,const double* b,double* c,int n){ int i=blockIdx.x*blockDim.x+threadIdx.x; double s=0; for(int k=0;k<n;k++) s+=a[i]/(b[i]+k+1.0)+sqrt(b[i]+k); c[i]=s; }
// --- graph: page rank pull, triangle-like intersections
G pagerank(const int* row,const int* col,const float* pr,const int* deg,float* out,int n){ int v=blockIdx.x*blockDim.x+threadIdx.x; if(v>=n) return; float s=0; for(int e=row[v];e<row[v+1];e++){ int u=col[e]; s+=pr[u]/(deg[u]+1); } out[v]=.15f/n+.85f*s; }
G sssp_relax(const int* row,const int* col,const int* wt,u32* dist,int n){ int v=blockIdx.x*blockDim.x+threadIdx.x; if(v>=n) return; u32 d=dist[v]; if(d>500) return; for(int e=row[v];e<row[v+1];e++){ u32 nd=d+1000+wt[e]; atomicMin(&dist[col[e]],nd|0x400u); } }
// --- grid-stride triad with doubles, wide copy, strided update, local arrays
G triad(double* a,const double* b,const double* c,double s,int n){ for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x) a[i]=b[i]+s*c[i]; }
G copy_bytes(const unsigned char* s,unsigned char* d){ int i=blockIdx.x*blockDim.x+threadIdx.x; d[i]=s[i]+1; }
G soa_update(float* p,int n,float dt){ int i=blockIdx.x*blockDim.x+threadIdx.x; float* q=p+i*6; for(int k=0;k<3;k++) q[k]+=dt*q[k+3]; }
G insertion_local(const u32* in,u32* out,int m){ u32 a[24]; int i=blockIdx.x*blockDim.x+threadIdx.x,n=gridDim.x*blockDim.x; for(int k=0;k<m;k++) a[k]=in[k*n+i]; for(int k=1;k<m;k++){ u32 v=a[k]; int j=k-1; while(j>=0&&a[j]>v){ a[j+1]=a[j]; j--; } a[j+1]=v; } u32 s=0; for(int k=0;k<m;k++) s=s*31+a[k]; out[i]=s; }
G quad_switch(const u32* op,float* out,int n){ int i=blockIdx.x*blockDim.x+threadIdx.x; float x=i*.001f; for(int k=0;k<n;k++){ u32 o=op[k*gridDim.x*blockDim.x+i]; switch(o){ case 0: x=x*1.5f+.5f; break; case 1: x=sqrtf(fabsf(x)); break; case 2: x=x/(x*x+1.f); break; case 3: x=__expf(-x); break; case 4: x=x-floorf(x); break; default: x=fmaf(x,x,-.25f); } } out[i]=x; }

// ---------------------------------------------------------------- host
static u64 mixv(u64 seed,u64 i){ u64 z=seed+(i+1)*0x9E3779B97F4A7C15ull; z^=z>>30; z*=0xBF58476D1CE4E5B9ull; z^=z>>27; z*=0x94D049BB133111EBull; z^=z>>31; return z; }
struct Buf{ std::string name,kind; size_t bytes; u64 seed; u32 below; std::vector<char> host; char* dev; };
static FILE* yaml; static int reps=1; static std::string only;
struct Case{ std::string name; const void* fn; dim3 g,b; int sh; std::vector<Buf> bufs; std::vector<std::string> raw; std::vector<std::pair<int,int>> order;
  Case(const char* n,const void* f,dim3 g,dim3 b,int sh=0):name(n),fn(f),g(g),b(b),sh(sh){}
  Case& buf(const char* kind,size_t bytes,u64 seed=0,u32 below=0){ Buf x; x.name="b"+std::to_string(bufs.size()); x.kind=kind; x.bytes=bytes; x.seed=seed; x.below=below; order.push_back({0,(int)bufs.size()}); bufs.push_back(x); return *this; }
  template<class T> Case& val(T v){ order.push_back({1,(int)raw.size()}); raw.push_back(std::string((char*)&v,sizeof v)); return *this; }
  Case& file(std::vector<int> v){ buf("file",v.size()*4); bufs.back().host.assign((char*)v.data(),(char*)v.data()+v.size()*4); return *this; }
  void fill(Buf& x){ if(x.kind=="file") return; x.host.assign(x.bytes,0); u32* w=(u32*)x.host.data(); size_t n=x.bytes/4; if(x.kind=="u32") for(size_t i=0;i<n;i++) w[i]=mixv(x.seed,i)>>32; if(x.kind=="below") for(size_t i=0;i<n;i++) w[i]=(u32)(mixv(x.seed,i)>>32)%x.below; if(x.kind=="float") for(size_t i=0;i<n;i++) ((float*)w)[i]=(mixv(x.seed,i)>>40)*(1.f/16777216.f); if(x.kind=="iota") for(size_t i=0;i<n;i++) w[i]=i; if(x.kind=="double") for(size_t i=0;i<n/2;i++) ((double*)w)[i]=(mixv(x.seed,i)>>11)*(1.0/9007199254740992.0); }
  void run(){ if(only.size()&&only!=name) return; std::vector<void*> args; std::string par; for(auto& x:bufs){ fill(x); CK(cudaMalloc(&x.dev,x.bytes)); }
    for(auto& o:order){ std::string a=o.first==0?std::string((char*)&bufs[o.second].dev,8):raw[o.second]; while(par.size()%a.size()) par+='\0'; par+=a; args.push_back(o.first==0?(void*)&bufs[o.second].dev:(void*)raw[o.second].data()); }
    if(sh>48*1024) CK(cudaFuncSetAttribute(fn,cudaFuncAttributeMaxDynamicSharedMemorySize,sh));
#ifdef STEADY
    for(auto& x:bufs) CK(cudaMemcpy(x.dev,x.host.data(),x.bytes,cudaMemcpyHostToDevice)); steady::loop(name,[&]{ CK(cudaLaunchKernel(fn,g,b,args.data(),sh,cudaStreamPerThread)); });
#else
    for(int r=0;r<reps;r++){ for(auto& x:bufs) CK(cudaMemcpy(x.dev,x.host.data(),x.bytes,cudaMemcpyHostToDevice)); CK(cudaLaunchKernel(fn,g,b,args.data(),sh,0)); CK(cudaDeviceSynchronize()); }
#endif
    if(yaml&&getenv("DUMP")) for(auto& x:bufs) if(x.kind=="file"){ FILE* f=fopen((std::string(getenv("DUMP"))+"/"+name+"."+x.name+".bin").c_str(),"wb"); fwrite(x.host.data(),1,x.bytes,f); fclose(f); }
    if(yaml){ fprintf(yaml,"---\nname %s\ngrid %d %d %d\nblock %d %d %d\nshared %d\nparams ",name.c_str(),g.x,g.y,g.z,b.x,b.y,b.z,sh); for(unsigned char c:par) fprintf(yaml,"%02x",c); fprintf(yaml,"\n");
      for(auto& x:bufs){ std::vector<u32> o(x.bytes/4); CK(cudaMemcpy(o.data(),x.dev,x.bytes/4*4,cudaMemcpyDeviceToHost)); u64 h=0xcbf29ce484222325ull; for(u32 w:o){ h^=w; h*=0x100000001b3ull; } fprintf(yaml,"buffer %s %p %zu %s %llu %u %016llx\n",x.name.c_str(),x.dev,x.bytes,x.kind.c_str(),x.seed,x.below,h); } }
    for(auto& x:bufs) cudaFree(x.dev); fprintf(stderr,"%s ok\n",name.c_str()); } };
#define C(n,...) Case(#n,(const void*)n,__VA_ARGS__)
int main(int argc,char** argv){ if(getenv("REPS")) reps=atoi(getenv("REPS")); if(argc>1) only=argv[1]; if(getenv("LIST")) yaml=fopen(getenv("LIST"),"w"); const int S=132;
  C(hotspot,dim3(43,43),dim3(16,16)).buf("float",512*512*4,1).buf("float",512*512*4,2).buf("zeros",512*512*4).val(512).val(2).val(.1f).val(.1f).val(.0001f).val(.5f).run();
  C(backprop_forward,dim3(1,4096),dim3(16,16)).buf("float",65537*4,3).buf("float",17ull*65537*4,4).buf("zeros",4096*16*4).val(16).run();
  C(backprop_adjust,dim3(1,4096),dim3(16,16)).buf("float",17*4,5).val(16).buf("float",65537*4,6).buf("float",17ull*65537*4,7).buf("float",17ull*65537*4,8).run();
  C(srad,dim3(32,32),dim3(16,16)).buf("float",512*512*4,9).buf("zeros",1<<20).buf("zeros",1<<20).buf("zeros",1<<20).buf("zeros",1<<20).buf("zeros",1<<20).val(512).val(.05f).run();
  C(lud_internal,dim3(31,31),dim3(16,16)).buf("float",512*512*4,10).val(512).val(0).run();
  C(lud_perimeter,dim3(31),dim3(32)).buf("float",512*512*4,11).val(512).val(0).run();
  C(needle,dim3(64),dim3(16)).buf("below",1025*1025*4,12,20).buf("below",1025*1025*4,13,50).val(1025).val(10).val(64).val(64).run();
  C(gaussian_fan2,dim3(64,64),dim3(8,8)).buf("float",512*512*4,14).buf("float",512*512*4,15).buf("float",512*4,16).val(512).val(3).run();
  C(near_neighbour,dim3(167),dim3(256)).buf("float",42764*8,17).buf("zeros",42764*4).val(42764).val(.3f).val(.6f).run();
  { std::vector<int> keys,child; int nodes=1+16+256+4096; for(int n=0;n<nodes;n++){ int lvl=n<1?0:n<17?1:n<273?2:3; int first=lvl==0?0:lvl==1?1:lvl==2?17:273; int span=65536>>(lvl*4); int lo=(n-first)*span; for(int k=0;k<17;k++) keys.push_back(lo+k*(span/16)); for(int k=0;k<16;k++) child.push_back(lvl==3?lo+k:(lvl==0?1:lvl==1?17:273)+(n-first)*16+k); }
    C(tree_find,dim3(6000),dim3(16)).file(keys).file(child).buf("below",6000*4,18,65536).buf("zeros",6000*4).val(4).run(); }
  C(lavamd,dim3(512),dim3(64)).buf("double",512*64*32,19).buf("double",512*64*8,20).buf("zeros",512*64*32).buf("below",512*16,21,512).val(.5).val(64).run();
  C(cfd_flux,dim3(512),dim3(192)).buf("below",98304*16,22,98304).buf("float",98304*48,23).buf("float",98304*20,24).buf("zeros",98304*20).val(98304).run();
  C(atax_row,dim3(8),dim3(256)).buf("float",2048*2048*4/4,25).buf("float",8192,26).buf("zeros",8192).val(1024).run();
  C(atax_col,dim3(8),dim3(256)).buf("float",2048*2048*4,27).buf("float",8192,28).buf("zeros",8192).val(2048).run();
  C(syrk,dim3(6,24),dim3(32,8)).buf("float",192*192*4,29).buf("float",192*192*4,30).val(1.5f).val(.5f).val(192).run();
  C(correlation_mean,dim3(8),dim3(256)).buf("float",2048*2048*4,31).buf("zeros",8192).val(2048).run();
  C(fdtd,dim3(32,128),dim3(32,8)).buf("float",1024*1025*4,32).buf("float",1025*1024*4,33).buf("float",1024*1024*4,34).val(1024).val(1024).run();
  C(conv_rows,dim3(8,256),dim3(16,4)).buf("float",1024*1024*4,35).buf("zeros",1024*1024*4).val(1024).val(1024).run();
  C(dct8,dim3(16,128),dim3(64)).buf("float",1024*1024*4,36).buf("zeros",1024*1024*4).val(1024).run();
  C(binomial,dim3(264),dim3(256)).buf("float",264*4,37).buf("zeros",264*4).val(255).val(.52f).val(.47f).val(.02f).run();
  C(walsh,dim3(512),dim3(512),2048*4).buf("float",512*2048*4,38).run();
  C(mriq,dim3(128),dim3(256)).buf("float",131072,39).buf("float",131072,40).buf("float",131072,41).buf("zeros",131072).buf("zeros",131072).val(3).run();
  C(cutcp,dim3(16,32),dim3(16,8)).buf("float",256*16,42).buf("zeros",256*256*4).val(256).val(.03f).run();
  C(lbm,dim3(512),dim3(128)).buf("float",19*66048*4,43).buf("zeros",19*66048*4).val(65536).val(66048).run();
  C(sad,dim3(44,36),dim3(256)).buf("u32",(192*160+4096),44).buf("u32",(192*192+4096),45).buf("zeros",44*36*256*2).val(192).run();
  C(im2col,dim3(784),dim3(256)).buf("float",64*56*56*4,46).buf("zeros",64*9*56*56*4).val(64).val(56).val(56).run();
  C(batchnorm,dim3(128),dim3(256)).buf("float",8*128*784*4,47).buf("zeros",8*128*784*4).buf("float",512,48).val(784).val(128).val(8).run();
  C(maxpool,dim3(784),dim3(256)).buf("float",64*112*112*4,49).buf("zeros",64*56*56*4).val(112).val(112).run();
  C(gelu,dim3(1024),dim3(256)).buf("float",1<<22,50).buf("zeros",1<<22).run();
  C(embedding,dim3(4096),dim3(64)).buf("below",16384,51,32000).buf("float",32000ull*1024,52).buf("zeros",4096*1024).run();
  C(adam,dim3(4096),dim3(256)).buf("float",1<<22,53).buf("float",1<<22,54).buf("float",1<<22,55).buf("float",1<<22,56).val(.01f).val(.9f).val(.999f).val(1e-8f).run();
  C(rope,dim3(512),dim3(256)).buf("zeros",512*32*64*4).val(32).val(128).run();
  C(wmma_bias,dim3(8,8),dim3(128)).buf("below",512*512*2,57,0x3c00).buf("below",512*512*2,58,0x3c00).buf("zeros",512*512*4).val(512).run();
  C(sha_like,dim3(264),dim3(256)).buf("u32",264*256*64,59).buf("zeros",264*256*4).val(4).run();
  C(aes_tables,dim3(264),dim3(256)).buf("u32",264*256*16,60).buf("u32",4096,61).buf("zeros",264*256*16).val(10).run();
  C(radix_count,dim3(512),dim3(256)).buf("u32",512*256*16*4,62).buf("zeros",16*512*4).val(16).val(8).run();
  C(hash_insert,dim3(512),dim3(256)).buf("zeros",1<<20).buf("u32",512*256*4,63).buf("zeros",512*256*4).val(0x3ffffu).run();
  C(compact,dim3(2048),dim3(256)).buf("u32",2048*1024,64).buf("zeros",2048*1024).buf("zeros",2048*4).val(0x60000000u).run();
  C(merge_sort,dim3(264),dim3(512)).buf("u32",264*4096,65).run();
  C(dp4a_gemm,dim3(16,16),dim3(16,16)).buf("u32",256*128*4,66).buf("u32",256*128*4,67).buf("zeros",256*256*4).val(256).val(128).run();
  C(dgemm,dim3(16,16),dim3(16,16)).buf("double",256*256*8,68).buf("double",256*256*8,69).buf("zeros",256*256*8).val(256).run();
  C(nn_double_div,dim3(132),dim3(128)).buf("double",132*128*8,70).buf("double",132*128*8,71).buf("zeros",132*128*8).val(6).run();
  { int n=32768; std::vector<int> row,col,deg; u64 e=0; for(int v=0;v<n;v++){ row.push_back(col.size()); int m=1+(int)(mixv(72,v)%15); if(mixv(73,v)%64==0) m*=12; deg.push_back(m); for(int k=0;k<m;k++) col.push_back((int)(mixv(74,e++)%n)); } row.push_back(col.size());
    C(pagerank,dim3(128),dim3(256)).file(row).file(col).buf("float",n*4,75).file(deg).buf("zeros",n*4).val(n).run();
    C(sssp_relax,dim3(128),dim3(256)).file(row).file(col).buf("below",col.size()*4,76,64).buf("below",n*4,77,1000).val(n).run(); }
  C(triad,dim3(1056),dim3(256)).buf("zeros",8<<20).buf("double",8<<20,78).buf("double",8<<20,79).val(3.).val(1<<20).run();
  C(copy_bytes,dim3(4096),dim3(256)).buf("u32",1<<20,80).buf("zeros",1<<20).run();
  C(soa_update,dim3(512),dim3(256)).buf("float",512*256*24,81).val(131072).val(.01f).run();
  C(insertion_local,dim3(132),dim3(128)).buf("u32",132*128*20*4,82).buf("zeros",132*128*4).val(20).run();
  C(quad_switch,dim3(132),dim3(256)).buf("below",132*256*16*4,83,6).buf("zeros",132*256*4).val(16).run();
  if(yaml) fclose(yaml); return 0; }
