// Kernels in literals: what their asm becomes is written as the literal has it.
const char* plain =
    "__device__ int f(int a, int b) { int d; asm(\"vadd.s32.s32.s32 %0, %1, %2;\" : \"=r\"(d) : \"r\"(a), \"r\"(b)); return d; }";

const char* raw = R"(
__device__ unsigned g(unsigned a) {
  unsigned d;
  asm("brev.b32 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}
)";

const char* message = "asm(\"brev.b32\") is not known";
