// Host code finds a variable of a module by name only if the variable is not static.
static __constant__ float weights[16];  // want: CXX-STATIC-MODULE
static __constant__ float local[16];    // ok: CXX-STATIC-MODULE
__constant__ float visible[16];         // ok: CXX-STATIC-MODULE

void find(CUdeviceptr *p, CUmodule m) {
  cuModuleGetGlobal(p, nullptr, m, "weights");
  cuModuleGetGlobal(p, nullptr, m, "visible");
}
