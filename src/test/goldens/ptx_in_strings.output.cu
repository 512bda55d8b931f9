// Kernels in literals: what their asm becomes is written as the literal has it.
const char* plain =
    "__device__ int f(int a, int b) { int d; d = static_cast<int>(rocport::ptx::vadd(rocport::ptx::part<int>(a, \"\"), rocport::ptx::part<int>(b, \"\"))); return d; }";

const char* raw = R"(
__device__ unsigned g(unsigned a) {
  unsigned d;
  d = rocport::ptx::brev<unsigned>(a);
  return d;
}
)";

const char* message = "asm(\"brev.b32\") is not known";
