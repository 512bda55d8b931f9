// hipBLASLt beyond what fixtures/lt_matmul and hip-runtime/checks/hipblaslt have: orders, integers, doubles, 8-bit
// floats, scale factors, further epilogues, a stream that is captured, refusals
#include <hipblaslt/hipblaslt.h>

#include <functional>
#include <string>

#include "../kernels/check.h"

using std::vector;

Check check;
hipblasLtHandle_t lt;

#define LT(call)                                                          \
  do {                                                                    \
    hipblasStatus_t status = (call);                                      \
    if (status != HIPBLAS_STATUS_SUCCESS) {                               \
      printf("FAIL line %d: hipBLASLt returns %d\n", __LINE__, status);   \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

/** A product and its matrices: m = 3, n = 4, k = 5. */
struct Product {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatrixLayout_t a, b, c, d;

  Product(hipblasComputeType_t compute, hipDataType scale, hipDataType in, hipDataType out) {
    LT(hipblasLtMatmulDescCreate(&desc, compute, scale));
    LT(hipblasLtMatrixLayoutCreate(&a, in, 3, 5, 3));
    LT(hipblasLtMatrixLayoutCreate(&b, in, 5, 4, 5));
    LT(hipblasLtMatrixLayoutCreate(&c, out, 3, 4, 3));
    LT(hipblasLtMatrixLayoutCreate(&d, out, 3, 4, 3));
  }
  ~Product() {
    for (auto layout : {a, b, c, d}) LT(hipblasLtMatrixLayoutDestroy(layout));
    LT(hipblasLtMatmulDescDestroy(desc));
  }

  template <class T>
  void set(int attribute, T value) {
    LT(hipblasLtMatmulDescSetAttribute(desc, static_cast<hipblasLtMatmulDescAttributes_t>(attribute), &value,
                                       sizeof value));
  }

  void byRows(hipblasLtMatrixLayout_t layout, int64_t ld) {
    int32_t order = HIPBLASLT_ORDER_ROW;
    LT(hipblasLtMatrixLayoutSetAttribute(layout, HIPBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    LT(hipblasLtMatrixLayoutSetAttribute(layout, HIPBLASLT_MATRIX_LAYOUT_LD, &ld, sizeof ld));
  }

  hipblasStatus_t run(const void* alpha, const void* x, const void* y, const void* beta, const void* z, void* to,
                      hipStream_t stream = nullptr) {
    return hipblasLtMatmul(lt, desc, alpha, x, a, y, b, beta, z, c, to, d, nullptr, nullptr, 0, stream);
  }

  int found() {
    hipblasLtMatmulPreference_t preference;
    LT(hipblasLtMatmulPreferenceCreate(&preference));
    hipblasLtMatmulHeuristicResult_t result;
    int count = -1;
    LT(hipblasLtMatmulAlgoGetHeuristic(lt, desc, a, b, c, d, preference, 1, &result, &count));
    LT(hipblasLtMatmulPreferenceDestroy(preference));
    return count;
  }
};

int element(int seed, int i) { return static_cast<int>(bits(seed * 1000 + i) % 7) - 3; }

template <class T>
vector<T> numbers(int seed, int count) {
  vector<T> all(count);
  for (int i = 0; i < count; i++) all[i] = static_cast<T>(element(seed, i));
  return all;
}

double sum(int i, int j) {
  double total = 0;
  for (int p = 0; p < 5; p++) total += element(1, i + p * 3) * element(2, p + j * 5);
  return total;
}

template <class T>
void expect(const char* what, const vector<T>& got, const std::function<double(int, int)>& want, double near = 0) {
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 3; i++) {
      double value = static_cast<double>(got[i + j * 3]);
      if (!(std::fabs(value - want(i, j)) <= near)) {
        printf("%s[%d, %d]: %g, not %g\n", what, i, j, value, want(i, j));
        check.that(what, false);
        return;
      }
    }
  }
}

template <class In, class Out, class Scalar>
void types(const char* what, hipblasComputeType_t compute, hipDataType scale, hipDataType in, hipDataType out) {
  Product product(compute, scale, in, out);
  Buffer<In> a(numbers<In>(1, 15)), b(numbers<In>(2, 20));
  Buffer<Out> c(numbers<Out>(3, 12)), d(12);
  Scalar alpha = 2, beta = -1;
  check.that(what, product.found() == 1);
  LT(product.run(&alpha, a.get(), b.get(), &beta, c.get(), d.get()));
  expect(what, d.host(), [](int i, int j) { return 2 * sum(i, j) - element(3, i + j * 3); });
}

/** C = 3 A^T - 2 B, where A is stored by rows: both have the same order in memory. */
void transform() {
  hipblasLtMatrixTransformDesc_t how;
  LT(hipblasLtMatrixTransformDescCreate(&how, HIP_R_32F));
  int32_t turned = HIPBLAS_OP_T, order = HIPBLASLT_ORDER_ROW;
  LT(hipblasLtMatrixTransformDescSetAttribute(how, HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &turned, sizeof turned));
  hipblasLtMatrixLayout_t a, b;
  LT(hipblasLtMatrixLayoutCreate(&a, HIP_R_32F, 4, 3, 3));
  LT(hipblasLtMatrixLayoutCreate(&b, HIP_R_32F, 3, 4, 3));
  LT(hipblasLtMatrixLayoutSetAttribute(a, HIPBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  Buffer<float> x(numbers<float>(1, 12)), y(numbers<float>(2, 12)), z(12);
  float alpha = 3, beta = -2;
  LT(hipblasLtMatrixTransform(lt, how, &alpha, x.get(), a, &beta, y.get(), b, z.get(), b, nullptr));
  expect("transform", z.host(), [](int i, int j) { return 3 * element(1, i + j * 3) - 2 * element(2, i + j * 3); });
  for (auto layout : {a, b}) LT(hipblasLtMatrixLayoutDestroy(layout));
  LT(hipblasLtMatrixTransformDescDestroy(how));
}

void alphas() {
  Product product(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_32F, HIP_R_32F);
  Buffer<float> a(numbers<float>(1, 15)), b(numbers<float>(2, 20)), c(numbers<float>(3, 12)), d(12);
  Buffer<float> alpha(vector<float>{1, -1, 2});
  product.set(HIPBLASLT_MATMUL_DESC_POINTER_MODE, int32_t{HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST});
  float beta = 3;
  LT(product.run(alpha.get(), a.get(), b.get(), &beta, c.get(), d.get()));
  const double alphas[] = {1, -1, 2};
  expect("alphas", d.host(), [&](int i, int j) { return alphas[i] * sum(i, j) + 3 * element(3, i + j * 3); });
}

void epilogues() {
  Product product(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_32F, HIP_R_32F);
  Buffer<float> a(numbers<float>(1, 15)), b(numbers<float>(2, 20)), d(12), bias(vector<float>{1, -2, 3}), aux(12);
  const double biases[] = {1, -2, 3};
  float quarter = 0.25f, zero = 0;
  product.set(HIPBLASLT_MATMUL_DESC_BIAS_POINTER, bias.get());
  product.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.get());
  product.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{3});
  product.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_ACT_ARG0_EXT, -0.5f);
  product.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_ACT_ARG1_EXT, 1.5f);
  auto before = [&](int i, int j) { return 0.25 * sum(i, j) + biases[i]; };
  auto run = [&](uint32_t epilogue) {
    product.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    LT(product.run(&quarter, a.get(), b.get(), &zero, d.get(), d.get()));
    return d.host();
  };
  expect("swish", run(HIPBLASLT_EPILOGUE_SWISH_BIAS_EXT),
         [&](int i, int j) { return before(i, j) / (1 + std::exp(-before(i, j))); }, 1e-5);
  expect("clamp", run(HIPBLASLT_EPILOGUE_CLAMP_AUX_BIAS_EXT),
         [&](int i, int j) { return std::max(-0.5, std::min(1.5, before(i, j))); });
  expect("before clamp", aux.host(), before);
  expect("ReLU", run(HIPBLASLT_EPILOGUE_RELU_AUX_BIAS), [&](int i, int j) { return std::max(0.0, before(i, j)); });
  check.that("no bias", [&] {
    product.set(HIPBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<float*>(nullptr));
    return product.run(&quarter, a.get(), b.get(), &zero, d.get(), d.get()) == HIPBLAS_STATUS_INVALID_VALUE;
  }());
}

void captured() {
  Product product(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_32F, HIP_R_32F);
  Buffer<float> a(numbers<float>(1, 15)), b(numbers<float>(2, 20)), d(12);
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  float one = 1;
  LT(product.run(&one, a.get(), b.get(), &one, d.get(), d.get(), stream));
  hipGraph_t graph;
  HIP(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t made;
  HIP(hipGraphInstantiate(&made, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 2; i++) HIP(hipGraphLaunch(made, stream));
  HIP(hipStreamSynchronize(stream));
  expect("captured", d.host(), [](int i, int j) { return 2 * sum(i, j); });
  HIP(hipGraphExecDestroy(made));
  HIP(hipGraphDestroy(graph));
  HIP(hipStreamDestroy(stream));
}

/** gfx942 has the 8-bit floats of AMD, gfx90a none. Only they have scale factors. */
void bytes() {
  hipDeviceProp_t properties;
  HIP(hipGetDeviceProperties(&properties, 0));
  bool has = std::string(properties.gcnArchName).rfind("gfx942", 0) == 0;
  Product product(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_8F_E4M3_FNUZ, HIP_R_32F);
  check.that("8 bits", product.found() == (has ? 1 : 0));
  Product other(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_8F_E4M3, HIP_R_32F);
  check.that("8 bits of the OCP", other.found() == 0);
  Buffer<float> ofA(vector<float>{1, 2, 4}), ofB(vector<float>{8}), largest(1);
  Product floats(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_32F, HIP_R_32F);
  floats.set(HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER, ofA.get());
  check.that("scale of floats", floats.found() == 0);
  if (!has) return;
  // -3 to 3 in E4M3 with a bias of 8.
  const uint8_t codes[] = {0xcc, 0xc8, 0xc0, 0x00, 0x40, 0x48, 0x4c};
  auto coded = [&](int seed, int count) {
    vector<uint8_t> all(count);
    for (int i = 0; i < count; i++) all[i] = codes[element(seed, i) + 3];
    return all;
  };
  Buffer<uint8_t> a(coded(1, 15)), b(coded(2, 20));
  Buffer<float> d(12);
  float one = 1, zero = 0;
  product.set(HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER, ofA.get());
  product.set(HIPBLASLT_MATMUL_DESC_A_SCALE_MODE, int32_t{HIPBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F});
  product.set(HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER, ofB.get());
  product.set(HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER, largest.get());
  LT(product.run(&one, a.get(), b.get(), &zero, d.get(), d.get()));
  const double factors[] = {1, 2, 4};
  double most = 0;
  expect("8 bits", d.host(), [&](int i, int j) {
    double value = factors[i] * 8 * sum(i, j);
    most = std::max(most, std::fabs(value));
    return value;
  });
  check.that("largest", largest.host()[0] == most);
}

void refusals() {
  Product mixed(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_16F, HIP_R_16BF);
  check.that("types", mixed.found() == 0);
  hipblasLtMatmulDesc_t half;
  check.that("compute type", hipblasLtMatmulDescCreate(&half, HIPBLAS_COMPUTE_16F, HIP_R_16F) ==
                                 HIPBLAS_STATUS_INVALID_VALUE);
  // AMD's library accepts these two and computes something else.
  Product byRows(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_32F, HIP_R_32F);
  byRows.byRows(byRows.a, 5);
  check.that("by rows", byRows.found() == 0);
  Product onDevice(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_32F, HIP_R_32F);
  onDevice.set(HIPBLASLT_MATMUL_DESC_POINTER_MODE, int32_t{HIPBLASLT_POINTER_MODE_DEVICE});
  check.that("scalars on the GPU", onDevice.found() == 0);
  Product product(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_32F, HIP_R_32F);
  product.set(HIPBLASLT_MATMUL_DESC_TRANSA, int32_t{HIPBLAS_OP_T});
  Buffer<float> d(20);
  float one = 1;
  check.that("sizes", product.run(&one, d.get(), d.get(), &one, d.get(), d.get()) == HIPBLAS_STATUS_INVALID_VALUE);
  int32_t value = 0;
  check.that("attribute", hipblasLtMatmulDescSetAttribute(product.desc, HIPBLASLT_MATMUL_DESC_MAX, &value,
                                                          sizeof value) == HIPBLAS_STATUS_INVALID_VALUE);
  size_t written = 0;
  int64_t ld = 0;
  LT(hipblasLtMatrixLayoutGetAttribute(product.a, HIPBLASLT_MATRIX_LAYOUT_LD, &ld, sizeof ld, &written));
  check.that("ld", ld == 3 && written == sizeof ld);
  check.that("no handle", hipblasLtMatmul(nullptr, product.desc, &one, d.get(), product.a, d.get(), product.b, &one,
                                          d.get(), product.c, d.get(), product.d, nullptr, nullptr, 0,
                                          nullptr) == HIPBLAS_STATUS_NOT_INITIALIZED);
}

int main() {
  LT(hipblasLtCreate(&lt));
  int version = 0;
  LT(hipblasLtGetVersion(lt, &version));
  check.that("version", version > 0);
  types<double, double, double>("f64", HIPBLAS_COMPUTE_64F, HIP_R_64F, HIP_R_64F, HIP_R_64F);
  types<int8_t, int32_t, int32_t>("i8 to i32", HIPBLAS_COMPUTE_32I, HIP_R_32I, HIP_R_8I, HIP_R_32I);
  types<int8_t, int8_t, float>("i8", HIPBLAS_COMPUTE_32I, HIP_R_32F, HIP_R_8I, HIP_R_8I);
  transform();
  alphas();
  epilogues();
  captured();
  bytes();
  refusals();
  LT(hipblasLtDestroy(lt));
  return check.end();
}
