// Compiled with clang 19 for gfx1100 and gfx1151, with clang 21 for gfx1201: clang++ -x hip --offload-arch=TARGET
// --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -O2 -mcode-object-version=5 rdna.hip -o TARGET.co
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
