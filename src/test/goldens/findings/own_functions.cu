// Functions of the program that HIP declares too, and types that are one type in HIP.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuComplex.h>
#include <cmath>

__device__ float atomicMax(float *address, float value) {  // want: OWN-FUNCTION
  return *address < value ? *address = value : *address;
}
namespace own {
__device__ float atomicMax(float *p, float v) { return *p = v; }  // ok: OWN-FUNCTION
}

__device__ float expf(float x) { return 1.0f + x; }  // want: OWN-MATH-FUNCTION
__host__ float logf(float x) { return x - 1.0f; }  // ok: OWN-MATH-FUNCTION

__device__ float2 operator*(float2 a, float2 b) {  // want: VEC-OPERATOR-MEANING
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ float2 operator+(float2 a, float2 b) {  // ok: VEC-OPERATOR-MEANING
  return make_float2(a.x + b.x, a.y + b.y);
}

template <typename T> const char *text(T e);
template <> const char *text<cudaError_t>(cudaError_t e) { return cudaGetErrorString(e); }
template <> const char *text<CUresult>(CUresult e) { return "driver"; }  // want: OVERLOAD-CLASH

bool ok(cudaError_t e) { return e == 0; }
bool ok(CUresult e) { return e == 0; }  // ok: OVERLOAD-CLASH, OVERLOAD-ERRORS

#ifdef DRIVER
static void check(CUresult e) { report("driver", e); }
#endif
static void check(cudaError_t e) { report("runtime", e); }  // want: OVERLOAD-ERRORS
#if defined(DRIVER) && defined(VERBOSE)
static void tell(CUresult e) { report("driver", e); }
#endif
static void tell(cudaError_t e) { report("runtime", e); }  // want: OVERLOAD-CLASH

float top(float a, float b) { return max(a, b); }  // want: HOST-MATH
float most(float a, float b) { return std::max(a, b); }  // ok: HOST-MATH
__device__ float both(float a, float b) { return max(a, b); }  // ok: HOST-MATH
__host__ __device__ float turn(float a) { return cos(a) * 2; }  // want: HOST-MATH-FLOAT
__device__ float turned(float a) { return sin(a); }  // ok: HOST-MATH-FLOAT
float root(float a) { return std::sqrt(a); }  // ok: HOST-MATH-FLOAT
__device__ void sum(float4 *to, float *count, float4 v) {
  atomicAdd(count, 1.0f);  // ok: VECTOR-OVERLOADS
  atomicAdd(to, v);        // want: VECTOR-OVERLOADS
}
__device__ void sum(__half2 *to, int *count, __half2 v) {
  atomicAdd(to, v);     // want: HALF-OVERLOADS
  atomicAdd(count, 1);  // ok: HALF-OVERLOADS
}
__device__ unsigned short swap(unsigned short *at, unsigned *word) {
  unsigned short old = atomicCAS(at, 0, 1);  // want: SHORT-OVERLOADS
  return old + atomicCAS(word, 0u, 1u);      // ok: SHORT-OVERLOADS
}

// Constructors, operators, and calls that leave out a default value.
struct Status {
  Status(cudaError_t e) : code(e), place(0) {}
  Status(CUresult e) : code(e), place(1) {}  // want: OVERLOAD-CLASH
  Status &operator=(cudaError_t e) { code = e; return *this; }
  Status &operator=(CUresult e) { code = -e; return *this; }  // want: OVERLOAD-CLASH
  int code, place;
};
void require(cudaError_t e) { report("runtime", e); }
void require(CUresult e, int line = 3) { report("driver", e + line); }  // want: OVERLOAD-CLASH
void require(CUresult e, const char *text) { report(text, e); }  // ok: OVERLOAD-CLASH

struct Wide : public uint2 {  // want: VEC-OPERATOR-BASE
  __device__ Wide(uint2 pair) : uint2(pair) {}
  __device__ operator unsigned long long() const { return x | ((unsigned long long)y << 32); }
};

class Plain : uint2 {  // ok: VEC-OPERATOR-BASE
  __device__ unsigned sum() const { return x + y; }
};

#define ON_BOTH __host__ __device__
#define FOR_HOST __host__
ON_BOTH unsigned long atomicAdd(unsigned long *p, unsigned long v) { return add(p, v); }  // want: OWN-FUNCTION
FOR_HOST uint64_t atomicMax(uint64_t *p, uint64_t v) { return top(p, v); }  // ok: OWN-FUNCTION
#ifdef __CUDACC__
#define FOR_DEVICE __device__
#else
#define FOR_DEVICE
#endif
FOR_DEVICE inline float fminf(float a, float b) { return a < b ? a : b; }  // want: OWN-FUNCTION
template <typename F>
__global__ void applied(F f, float* out) { decltype(std::declval<F>()(1)) r = f(2); *out = r; }  // want: DEVICE-DECLVAL
