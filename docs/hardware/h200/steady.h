// Holds one kernel steady for a second or two and reads the board's power meanwhile (NVML).
// Build with --default-stream per-thread: launches are captured into a graph, so that the gaps between them are small.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include <cuda_runtime.h>

namespace steady {
#define SCK(x) do{cudaError_t e_=(x); if(e_!=cudaSuccess){fprintf(stderr,"CUDA %s at steady.h:%d\n",cudaGetErrorString(e_),__LINE__);exit(2);}}while(0)
inline double now(){ return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// What of NVML is needed, by its published names and numbers.
struct Nvml {
  typedef void* Dev;
  struct Value { unsigned field, scope; long long timestamp, latency; int type, result; union { double d; unsigned u; unsigned long ul; unsigned long long ull; long long sll; } value; };
  int (*init)(); int (*handle)(unsigned,Dev*); int (*energy)(Dev,unsigned long long*); int (*power)(Dev,unsigned*); int (*clock)(Dev,int,unsigned*);
  int (*temperature)(Dev,int,unsigned*); int (*reasons)(Dev,unsigned long long*); int (*fields)(Dev,int,Value*); int (*limit)(Dev,unsigned*);
  Dev dev=nullptr;
  template<class F> void get(void* lib,F& f,const char* name){ f=(F)dlsym(lib,name); if(!f){ fprintf(stderr,"no %s\n",name); exit(3); } }
  Nvml(){ void* lib=dlopen("libnvidia-ml.so.1",RTLD_NOW); if(!lib){ fprintf(stderr,"%s\n",dlerror()); exit(3); }
    get(lib,init,"nvmlInit_v2"); get(lib,handle,"nvmlDeviceGetHandleByIndex_v2"); get(lib,energy,"nvmlDeviceGetTotalEnergyConsumption"); get(lib,power,"nvmlDeviceGetPowerUsage");
    get(lib,clock,"nvmlDeviceGetClockInfo"); get(lib,temperature,"nvmlDeviceGetTemperature"); get(lib,reasons,"nvmlDeviceGetCurrentClocksThrottleReasons");
    get(lib,fields,"nvmlDeviceGetFieldValues"); get(lib,limit,"nvmlDeviceGetEnforcedPowerLimit");
    if(init()||handle(0,&dev)){ fprintf(stderr,"NVML does not start\n"); exit(3); } }
  // The reading of now (field 186), not the mean of the last second.
  double watts(){ Value v; memset(&v,0,sizeof v); v.field=186; if(fields(dev,1,&v)||v.result) return -1; return v.value.u*1e-3; }
};
struct Sample { double t,joules,watts,mean; unsigned sm,mem,temp; unsigned long long why; };

// Reads the meter every 20 ms on a thread of its own.
struct Meter {
  Nvml n; std::vector<Sample> all; std::mutex m; std::atomic<bool> stop{false}; FILE* raw=getenv("RAW")?fopen(getenv("RAW"),"a"):nullptr; std::string what="start"; std::thread t;
  Meter():t([this]{ while(!stop){ read(); std::this_thread::sleep_for(std::chrono::milliseconds(18)); } }) {}
  ~Meter(){ stop=true; t.join(); if(raw) fclose(raw); }
  void read(){ Sample s; unsigned long long e=0; unsigned p=0; s.t=now(); n.energy(n.dev,&e); s.joules=e*1e-3; s.watts=n.watts(); n.power(n.dev,&p); s.mean=p*1e-3; n.clock(n.dev,1,&s.sm); n.clock(n.dev,2,&s.mem); n.temperature(n.dev,0,&s.temp); n.reasons(n.dev,&s.why);
    std::lock_guard<std::mutex> g(m); all.push_back(s); if(raw) fprintf(raw,"%s,%.4f,%.3f,%.2f,%.2f,%u,%u,%u,%llx\n",what.c_str(),s.t,s.joules,s.watts,s.mean,s.sm,s.mem,s.temp,s.why); }
  std::vector<Sample> between(double a,double b){ std::lock_guard<std::mutex> g(m); std::vector<Sample> r; for(auto& s:all) if(s.t>=a&&s.t<=b) r.push_back(s); return r; }
  void forget(){ std::lock_guard<std::mutex> g(m); all.clear(); }
};
inline Meter& meter(){ static Meter m; return m; }
inline double seconds(const char* name,double standard){ return getenv(name)?atof(getenv(name)):standard; }
inline FILE* out(){ static FILE* f=nullptr; if(!f){ const char* name=getenv("ROWS"); f=name?fopen(name,"a"):stdout; if(f!=stdout) fseek(f,0,SEEK_END); if(f==stdout||ftell(f)==0) fprintf(f,"kernel,launches,seconds,joules,watts,watts_instant,watts_mean,sm_mhz,sm_mhz_least,sm_mhz_most,mem_mhz,temp_first,temp_last,reasons,counts\n"); } return f; }

// Between two readings at which the energy counter had just changed, power is exact.
inline void row(const char* name,double a,double b,double launchesPerSecond,const char* counts){
  auto s=meter().between(a,b); double w=0,mean=0,sm=0,e0=-1,t0=0,e1=-1,t1=0; unsigned lo=99999,hi=0; unsigned long long why=0;
  for(size_t i=0;i<s.size();i++){ w+=s[i].watts; mean+=s[i].mean; sm+=s[i].sm; lo=s[i].sm<lo?s[i].sm:lo; hi=s[i].sm>hi?s[i].sm:hi; why|=s[i].why; if(i&&s[i].joules!=s[i-1].joules){ if(e0<0){ e0=s[i].joules; t0=s[i].t; } e1=s[i].joules; t1=s[i].t; } }
  size_t n=s.size(); if(n<3||t1<=t0){ fprintf(stderr,"%s: too few readings\n",name); return; }
  double power=(e1-e0)/(t1-t0);
  fprintf(out(),"%s,%.1f,%.4f,%.3f,%.2f,%.2f,%.2f,%.0f,%u,%u,%u,%u,%u,%llx,%s\n",name,launchesPerSecond*(t1-t0),t1-t0,e1-e0,power,w/n,mean/n,sm/n,lo,hi,s[0].mem,s[0].temp,s[n-1].temp,why,counts); fflush(out());
  meter().forget(); }

inline void idle(const char* name,double length){ meter().what=name; double a=now(); std::this_thread::sleep_for(std::chrono::duration<double>(length)); row(name,a+0.3*length,now(),0,""); }

// Loops what `launch` launches; `counts` says what one launch does, NAME=COUNT separated by semicolons.
inline void loop(const std::string& name,const std::function<void()>& launch,const std::string& counts=""){
  if(getenv("ONLY")&&!strstr((std::string(",")+getenv("ONLY")+",").c_str(),(","+name+",").c_str())) return;
  meter().what=name; cudaStream_t st=cudaStreamPerThread; cudaEvent_t e[3]; for(auto& x:e) SCK(cudaEventCreateWithFlags(&x,cudaEventDefault));
  for(int i=0;i<2;i++) launch(); SCK(cudaGetLastError()); SCK(cudaStreamSynchronize(st));
  SCK(cudaEventRecord(e[0],st)); for(int i=0;i<4;i++) launch(); SCK(cudaEventRecord(e[1],st)); SCK(cudaEventSynchronize(e[1])); float ms; SCK(cudaEventElapsedTime(&ms,e[0],e[1]));
  int many=(int)(4.0/(ms/4)); many=many<1?1:many>1000?1000:many;
  cudaGraph_t g; cudaGraphExec_t x; SCK(cudaStreamBeginCapture(st,cudaStreamCaptureModeThreadLocal)); for(int i=0;i<many;i++) launch(); SCK(cudaStreamEndCapture(st,&g)); SCK(cudaGraphInstantiate(&x,g,0));
  double warm=seconds("WARM",0.6),length=seconds("LENGTH",1.2),begin=now(),a=0,b=0; long done=0; int k=0; long counted=0;
  for(int i=0;i<3;i++){ SCK(cudaGraphLaunch(x,st)); SCK(cudaEventRecord(e[i],st)); }
  while(true){ SCK(cudaEventSynchronize(e[k])); double t=now(); if(a==0&&t-begin>=warm){ a=t; counted=done; } done++; if(a>0&&t-a>=length){ b=t; break; } SCK(cudaGraphLaunch(x,st)); SCK(cudaEventRecord(e[k],st)); k=(k+1)%3; }
  double rate=(double)(done-1-counted)*many/(b-a); SCK(cudaStreamSynchronize(st)); row(name.c_str(),a,b,rate,counts.c_str());
  SCK(cudaGraphExecDestroy(x)); SCK(cudaGraphDestroy(g)); for(auto& v:e) SCK(cudaEventDestroy(v)); }
}
