// The meter of steady.h for Python: see energy_torch.py.
#include "steady.h"
extern "C" double meter_now(){ return steady::now(); }
extern "C" void meter_start(const char* name){ steady::meter().what=name; }
extern "C" void meter_row(const char* name,double from,double until,double launchesPerSecond,const char* counts){ steady::row(name,from,until,launchesPerSecond,counts); }
