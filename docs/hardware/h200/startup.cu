// What the start of a kernel costs: cold constants, loads and code, by number of SMs and warps.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <algorithm>
#include <cstdint>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){fprintf(stderr,"CUDA %s at %d\n",cudaGetErrorString(e),__LINE__);exit(2);}}while(0)
typedef unsigned u32; typedef unsigned long long u64;
#define CLK(t) asm volatile("mov.u32 %0,%%clock;":"=r"(t)::"memory")
#define AFTER(t,v) asm volatile("{.reg .pred q; setp.eq.u32 q,%1,0xfffffff1; @q trap; mov.u32 %0,%%clock;}":"=r"(t):"r"(v):"memory")
#define F1 asm volatile("fma.rn.f32 %0,%0,%1,%1;":"+f"(x):"f"(a));
#define F4 F1 F1 F1 F1
#define F16 F4 F4 F4 F4
#define F64 F16 F16 F16 F16
#define F256 F64 F64 F64 F64
extern "C" __global__ void cold(u32* out,const u32* p,u32 stride,float a){ u32 t[8]; CLK(t[0]); u32 s=stride; AFTER(t[1],s);
  size_t i=(size_t)(blockIdx.x*blockDim.x+threadIdx.x)*s; u32 v; asm volatile("ld.global.u32 %0,[%1];":"=r"(v):"l"(p+i):"memory"); AFTER(t[2],v);
  asm volatile("ld.global.u32 %0,[%1];":"=r"(v):"l"(p+i+(64u<<20)/4):"memory"); AFTER(t[3],v);
  asm volatile("ld.global.u32 %0,[%1];":"=r"(v):"l"(p+i+(64u<<20)/4+4096*256):"memory"); AFTER(t[4],v);
  float x=a; F256 AFTER(t[5],__float_as_uint(x)); F256 AFTER(t[6],__float_as_uint(x)); u32 sm; asm volatile("mov.u32 %0,%%smid;":"=r"(sm)); t[7]=sm;
  if((threadIdx.x&31)==0){ u32* o=out+(size_t)(blockIdx.x*(blockDim.x/32)+threadIdx.x/32)*8; for(int k=0;k<8;k++) o[k]=t[k]; } }
static u32 *out,*hp; static std::vector<u32> h(1<<20);
static void stat(const char* label,std::vector<double>& v){ if(v.empty()) return; std::sort(v.begin(),v.end()); double s=0; for(double x:v) s+=x; printf(" %s mean %.0f min %.0f med %.0f p90 %.0f max %.0f;",label,s/v.size(),v[0],v[v.size()/2],v[v.size()*9/10],v.back()); }
static void runCold(int g,int b,u32 stride,const char* what){ CK(cudaMemset(out,0,4<<20)); cold<<<g,b>>>(out,hp,stride,1.f); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(),out,4<<20,cudaMemcpyDeviceToHost)); int n=g*(b/32); static const char* nm[]={"const","ld1","ld2far","ld2near","code1","code2"};
  printf("cold %s grid %d block %d stride %u:",what,g,b,stride); for(int k=1;k<7;k++){ std::vector<double> v; for(int i=0;i<n;i++) v.push_back((double)(h[i*8+k]-h[i*8+k-1])); stat(nm[k-1],v); }
  // spread of first stamps per SM, and of first-issue to t2
  std::vector<double> sp,tot; for(u32 s=0;s<132;s++){ std::vector<u32> f; u32 last=0; for(int i=0;i<n;i++) if(h[i*8+7]==s&&h[i*8]) f.push_back(h[i*8]); if(f.size()){ u32 mn=*std::min_element(f.begin(),f.end(),[](u32 a,u32 b){return (int)(a-b)<0;}); u32 mx=mn; for(u32 x:f) if((int)(x-mx)>0) mx=x; sp.push_back(mx-mn); u32 e=0; for(int i=0;i<n;i++) if(h[i*8+7]==s) e=std::max(e,h[i*8+6]-mn); tot.push_back(e); } } stat("startspread",sp); stat("total",tot); printf("\n"); }
int main(int c,char** v){ CK(cudaMalloc(&out,64<<20)); CK(cudaMalloc(&hp,512u<<20)); CK(cudaMemset(hp,0,512u<<20)); const char* what=c>1?v[1]:"plain";
  { struct{int g,b; u32 s;} r[]={{1,32,1},{1,256,1},{1,1024,1},{8,32,1},{132,32,1},{132,128,1},{132,256,1},{132,1024,1},{264,256,1},{528,256,1},{1056,256,1},{132,256,8},{528,256,8},{132,256,32}}; for(auto& x:r) for(int k=0;k<2;k++) runCold(x.g,x.b,x.s,what); }
  return 0; }
