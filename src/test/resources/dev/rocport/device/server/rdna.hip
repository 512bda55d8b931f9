// Compiled with clang 19 for gfx1100 and gfx1151, with clang 21 for gfx1201: clang++ -x hip --offload-arch=TARGET
// --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -O2 -mcode-object-version=5 rdna.hip -o TARGET.co
// With -mwavefrontsize64 -DWAVE64, for waves of 64 lanes, TARGET-wave64.co.
#define GLOBAL extern "C" __attribute__((global))

// Each wave reads what another one has written, across a barrier; then the place of the workgroup is added.
__attribute__((shared)) unsigned row[128];

GLOBAL void exchange(unsigned* data) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  unsigned block = __builtin_amdgcn_workgroup_id_x();
  row[i] = data[128 * block + i];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  data[128 * block + i] = row[127 - i] + 1000 * block;
}

// A division, a conversion and a comparison of floats that all lanes share, and vectors of them.
GLOBAL void floats(float* data) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  float shared = data[0];
  float sum = shared * 3.0f + 0.5f;
  if (sum > 100.0f) sum = -sum;
  data[128 + i] = data[i] * sum + (float)(int)shared;
}

// Wide loads and atomic operations.
typedef unsigned Four __attribute__((ext_vector_type(4)));

GLOBAL void memory(Four* data, unsigned* sum) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  Four four = data[i];
  data[i] = four.wzyx;
  __hip_atomic_fetch_add(sum, four.x + four.y, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  unsigned before = __hip_atomic_fetch_max(sum + 1, four.z, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
  if (before > 1000000) sum[2] = before;
}

#ifdef WAVE64
// A product of two matrices of 16 rows and columns, the second by columns, and values of the other half of the wave.
typedef float Floats __attribute__((ext_vector_type(4)));
#ifdef __GFX11__
typedef _Float16 Halves __attribute__((ext_vector_type(16)));
#define FIRST 0
#define ROW(r) (4 * r + i / 16)
#define PRODUCT __builtin_amdgcn_wmma_f32_16x16x16_f16_w64
#else
typedef _Float16 Halves __attribute__((ext_vector_type(4)));
#define FIRST (i / 16)
#define ROW(r) (8 * (i / 16 % 2) + 4 * (i / 32) + r)
#define PRODUCT __builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12
#endif

GLOBAL void product(const _Float16* a, const _Float16* b, float* d, unsigned* lanes) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  Halves row = ((const Halves*)(a + 16 * (i % 16)))[FIRST];
  Halves column = ((const Halves*)(b + 16 * (i % 16)))[FIRST];
  Floats sums = PRODUCT(row, column, (Floats)(0));
  for (unsigned r = 0; r < 4; r++) d[16 * ROW(r) + i % 16] = sums[r];
  lanes[i] = __builtin_amdgcn_permlane64(lanes[i]);
}
#endif
