// Compiled with clang 21: clang++ -x hip --offload-arch=gfx950 --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -O2
// -mcode-object-version=5 gfx950.hip -o gfx950.co
#define GLOBAL extern "C" __attribute__((global))

GLOBAL void swaps(unsigned* data) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  unsigned a = data[i], b = data[64 + i];
  auto r16 = __builtin_amdgcn_permlane16_swap(a, b, false, false);
  auto r32 = __builtin_amdgcn_permlane32_swap(a, b, false, false);
  data[i] = r16[0];
  data[64 + i] = r16[1];
  data[128 + i] = r32[0];
  data[192 + i] = r32[1];
}

GLOBAL void logic(unsigned* data) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  unsigned a = data[i], b = data[64 + i], c = data[128 + i];
  data[i] = (a & b) | (~a & ~c);
  data[64 + i] = (a ^ b) | c;
  data[128 + i] = __builtin_amdgcn_prng_b32(c);
}

typedef __bf16 Eight __attribute__((ext_vector_type(8)));
typedef float Four __attribute__((ext_vector_type(4)));

// Row m of A and column m of B lie in lanes m, 16 + m, 32 + m and 48 + m, 8 elements each.
GLOBAL void product(float* out, const float* a, const float* b) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  Eight left, right;
  for (int k = 0; k < 8; k++) {
    left[k] = (__bf16)a[i % 16 * 32 + i / 16 * 8 + k];
    right[k] = (__bf16)b[(i / 16 * 8 + k) * 16 + i % 16];
  }
  Four sum = {0, 0, 0, 0};
  sum = __builtin_amdgcn_mfma_f32_16x16x32_bf16(left, right, sum, 0, 0, 0);
  for (int k = 0; k < 4; k++) out[(i / 16 * 4 + k) * 16 + i % 16] = sum[k];
}

__attribute__((shared)) unsigned large[40000];

GLOBAL void reverse(unsigned* data) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  for (unsigned k = i; k < 40000; k += 64) large[k] = data[k];
  __builtin_amdgcn_s_barrier();
  for (unsigned k = i; k < 40000; k += 64) data[k] = large[39999 - k];
}
