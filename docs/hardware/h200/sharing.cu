// Who shares the caches behind an SM's own for instructions and constants: time of each SM, alone and with others.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){fprintf(stderr,"CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
typedef unsigned u32; typedef unsigned long long u64;
#define CLK(t) asm volatile("mov.u32 %0,%%clock;":"=r"(t)::"memory")
#define AFTER(t,v) asm volatile("{.reg .pred q; setp.eq.u32 q,%1,0xfffffff1; @q trap; mov.u32 %0,%%clock;}":"=r"(t):"r"(v):"memory")
struct Mask{ u64 w[3]; };
#define ACTIVE u32 sm; asm volatile("mov.u32 %0,%%smid;":"=r"(sm)); if(!((m.w[sm>>6]>>(sm&63))&1)) return; extern __shared__ char big[];
#define R4(x) x x x x
#define R16(x) R4(R4(x))
#define R64(x) R16(R4(x))
#define BODY x=x*a+y; y=y*b+z; z=z*a+x;
#define CODE(name,REP) extern "C" __global__ void name(u32* out,Mask m,float a,float b,int n,float* o){ ACTIVE float x=threadIdx.x,y=a,z=b; u32 t0,t1,first; CLK(first); for(int i=0;i<n;i++){ CLK(t0); REP(BODY) AFTER(t1,__float_as_uint(x+y+z)); if((threadIdx.x&31)==0) out[(sm*8+threadIdx.x/32)*4+i]=t1-t0; } o[blockIdx.x*blockDim.x+threadIdx.x]=x+y+z; }
#define C12(x) R64(R4(x))
#define C48(x) R64(R16(x))
CODE(code12,C12)
CODE(code48,C48)
__constant__ float ctab[4096]={1};
extern "C" __global__ void cdiv(u32* out,Mask m,int stride,int step,int n,float* o){ ACTIVE float x=0; int t=threadIdx.x; for(int r=0;r<2;r++){ u32 t0,t1; CLK(t0); for(int i=0;i<n;i++) x+=ctab[(t*stride+i*step)&4095]; AFTER(t1,__float_as_uint(x)); if((threadIdx.x&31)==0) out[(sm*8+threadIdx.x/32)*4+r]=t1-t0; } o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
extern "C" __global__ void cchain(u32* out,Mask m,int step,int words,int n,float* o){ ACTIVE int s=0; for(int r=0;r<3;r++){ u32 t0,t1; CLK(t0); int k=0; for(int i=0;i<n;i++){ s=__float_as_int(ctab[k+s])&0x40000000; k=(k+step)&(words-1); } AFTER(t1,s); if((threadIdx.x&31)==0) out[(sm*8+threadIdx.x/32)*4+r]=t1-t0; } o[blockIdx.x*blockDim.x+threadIdx.x]=s; }
static u32* out; static float* o; static std::vector<u32> h(1<<14);
static Mask mask(std::vector<int> s){ Mask m={{0,0,0}}; for(int x:s) m.w[x>>6]|=1ull<<(x&63); return m; }
static std::vector<std::vector<int>> gpc={{0,1,16,17,32,33,48,49},{2,3,18,19,34,35,50,51,64,65,78,79,92,93,106,107},{4,5,20,21,36,37,52,53,66,67,80,81,94,95,108,109},{6,7,22,23,38,39,54,55,68,69,82,83,96,97,110,111},{8,9,24,25,40,41,56,57,70,71,84,85,98,99,112,113},{10,11,26,27,42,43,58,59,72,73,86,87,100,101,114,115},{12,13,28,29,44,45,60,61,74,75,88,89,102,103,116,117,120,121},{14,15,30,31,46,47,62,63,76,77,90,91,104,105,118,119,122,123},{124,125},{126,127},{128,129},{130,131}};
static void show(const char* n,const std::vector<int>& set,int warps,int its){ CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(),out,1<<16,cudaMemcpyDeviceToHost)); printf("%s sms %zu warps %d:",n,set.size(),warps); for(int it=0;it<its;it++){ std::vector<double> v; for(int s:set) for(int w=0;w<warps;w++) v.push_back(h[(s*8+w)*4+it]); std::sort(v.begin(),v.end()); double t=0; for(double x:v) t+=x; printf(" it%d %.0f/%.0f/%.0f",it,v[0],t/v.size(),v.back()); } printf("\n");
  if(set.size()==132) for(int it=0;it<its;it++){ printf("   it%d by GPC:",it); for(auto& g:gpc){ printf(" ["); for(int s:g){ u32 mx=0; for(int w=0;w<warps;w++) mx=std::max(mx,h[(s*8+w)*4+it]); printf("%u ",mx); } printf("]"); } printf("\n"); } }
int main(int c,char** v){ CK(cudaMalloc(&out,1<<16)); CK(cudaMalloc(&o,1<<20)); std::vector<std::vector<int>> sets; std::vector<int> all; for(int i=0;i<132;i++) all.push_back(i); int sh=160*1024;
  sets.push_back({2}); sets.push_back({2,3}); sets.push_back({2,18}); sets.push_back({2,3,18,19}); sets.push_back({2,3,18,19,34,35}); sets.push_back({2,18,34,50,64,78,92,106}); sets.push_back(gpc[1]); sets.push_back({0,2,4,6,8,10,12,14}); sets.push_back(all);
  for(const void* f:{(const void*)code12,(const void*)code48,(const void*)cdiv,(const void*)cchain}) CK(cudaFuncSetAttribute(f,cudaFuncAttributeMaxDynamicSharedMemorySize,sh));
  for(auto& s:sets){ for(int w=1;w<=4;w*=2){ CK(cudaMemset(out,0,1<<16)); code12<<<132,w*32,sh>>>(out,mask(s),1.01f,.5f,3,o); show("code12",s,w,3); CK(cudaMemset(out,0,1<<16)); code48<<<132,w*32,sh>>>(out,mask(s),1.01f,.5f,3,o); show("code48",s,w,3); } }
  for(auto& s:sets) for(int w=1;w<=4;w*=4){ struct{int st,sp;} q[]={{7,13},{0,16},{1,16},{16,16},{0,1}}; for(auto& x:q){ CK(cudaMemset(out,0,1<<16)); cdiv<<<132,w*32,sh>>>(out,mask(s),x.st,x.sp,48,o); char nm[64]; sprintf(nm,"cdiv %d %d",x.st,x.sp); show(nm,s,w,2); } 
    for(int words=256;words<=4096;words*=2){ CK(cudaMemset(out,0,1<<16)); cchain<<<132,w*32,sh>>>(out,mask(s),16,words,words/16*4,o); char nm[64]; sprintf(nm,"cchain %dB n %d",words*4,words/16*4); show(nm,s,w,3); } }
  return 0; }
