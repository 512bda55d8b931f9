// Tests of a hipBLASLt: products of matrices of all types, transpositions, batches and epilogues, against sums of the
// host. Writes what GoogleTest writes: --gtest_list_tests, --gtest_filter=NAME:NAME
#include <hip/hip_runtime_api.h>
#include <hipblaslt/hipblaslt.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr size_t WORKSPACE = 32 << 20;

[[noreturn]] void fail(int line, const std::string& message) {
  throw std::runtime_error("hipblaslt.cpp:" + std::to_string(line) + ": Failure\n" + message);
}
void check(hipError_t result, int line) {
  if (result != hipSuccess) fail(line, hipGetErrorString(result));
}
void check(hipblasStatus_t result, int line) {
  if (result != HIPBLAS_STATUS_SUCCESS) fail(line, "hipBLASLt returns " + std::to_string(result));
}
#define CHECK(call) check(call, __LINE__)

/** How elements are stored. The inputs are small integers, exact in each type. */
struct Type {
  const char* name;
  hipDataType type;
  size_t size;
};

constexpr Type FLOAT = {"f32", HIP_R_32F, 4};
constexpr Type HALF = {"f16", HIP_R_16F, 2};
constexpr Type BFLOAT16 = {"bf16", HIP_R_16BF, 2};

void store(const Type& type, void* to, double value) {
  const float wide = static_cast<float>(value);
  if (type.type == HIP_R_16F) {
    const auto half = static_cast<_Float16>(value);
    memcpy(to, &half, sizeof half);
  } else if (type.type == HIP_R_16BF) {
    memcpy(to, reinterpret_cast<const char*>(&wide) + 2, 2);
  } else {
    memcpy(to, &wide, sizeof wide);
  }
}

double load(const Type& type, const void* from) {
  float wide = 0;
  if (type.type == HIP_R_16F) {
    _Float16 half;
    memcpy(&half, from, sizeof half);
    return static_cast<double>(half);
  }
  if (type.type == HIP_R_16BF) {
    memcpy(reinterpret_cast<char*>(&wide) + 2, from, 2);
  } else {
    memcpy(&wide, from, sizeof wide);
  }
  return wide;
}

struct Shape {
  int m, n, k;
};

/** D = epilogue(alpha * op(A) * op(B) + beta * C), column by column. */
struct Test {
  std::string name;
  Type in;   // of A and B
  Type out;  // of C, D and the bias
  Shape shape;
  bool ta, tb;
  int batches = 1;
  float alpha = 1, beta = 0;
  hipblasLtEpilogue_t epilogue = HIPBLASLT_EPILOGUE_DEFAULT;

  bool hasBias() const {
    return epilogue == HIPBLASLT_EPILOGUE_BIAS || epilogue == HIPBLASLT_EPILOGUE_RELU_BIAS ||
           epilogue == HIPBLASLT_EPILOGUE_GELU_BIAS;
  }
};

Test product(const std::string& what, const Type& in, const Type& out, const Shape& shape, bool ta, bool tb) {
  std::string types = in.type == out.type ? in.name : std::string(in.name) + "_" + out.name;
  std::string sizes = std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
  return {types + "_" + (ta ? "T" : "N") + (tb ? "T" : "N") + "_" + sizes + what, in, out, shape, ta, tb};
}

std::vector<Test> tests() {
  struct Pair {
    Type in, out;
  };
  const Pair PAIRS[] = {{FLOAT, FLOAT}, {HALF, HALF}, {BFLOAT16, BFLOAT16}, {HALF, FLOAT}};
  const Shape SHAPES[] = {{64, 48, 40}, {33, 17, 29}};
  const Shape MIDDLE = {96, 80, 64};
  struct Epilogue {
    const char* name;
    hipblasLtEpilogue_t epilogue;
  };
  const Epilogue EPILOGUES[] = {{"_bias", HIPBLASLT_EPILOGUE_BIAS},
                                {"_relu", HIPBLASLT_EPILOGUE_RELU},
                                {"_relu_bias", HIPBLASLT_EPILOGUE_RELU_BIAS},
                                {"_gelu", HIPBLASLT_EPILOGUE_GELU},
                                {"_gelu_bias", HIPBLASLT_EPILOGUE_GELU_BIAS}};
  std::vector<Test> all;
  for (const Pair& p : PAIRS) {
    for (const Shape& shape : SHAPES) {
      for (int t = 0; t < 4; t++) all.push_back(product("", p.in, p.out, shape, t / 2 != 0, t % 2 != 0));
    }
    Test batched = product("_batches", p.in, p.out, MIDDLE, false, false);
    batched.batches = 3;
    all.push_back(batched);
    Test added = product("_added", p.in, p.out, MIDDLE, true, false);
    added.alpha = 2;
    added.beta = -1;
    all.push_back(added);
  }
  for (const Pair& p : {PAIRS[0], PAIRS[1], PAIRS[2]}) {
    for (const Epilogue& e : EPILOGUES) {
      Test test = product(e.name, p.in, p.out, MIDDLE, true, false);
      test.epilogue = e.epilogue;
      all.push_back(test);
    }
    all.push_back(product("_large", p.in, p.out, {256, 192, 160}, false, true));
  }
  return all;
}

/** -1, 0 or 1, differently for each matrix. */
double element(int matrix, size_t i) {
  uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(matrix) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 29)) * 0x94d049bb133111ebu;
  return static_cast<double>((x >> 40) % 3) - 1;
}

/** Memory of the GPU with elements of a matrix. */
class Matrix {
 public:
  Matrix(int number, const Type& type, size_t count) : type_(type), count_(count) {
    std::vector<char> bytes(count * type.size);
    for (size_t i = 0; i < count; i++) store(type, &bytes[i * type.size], number < 0 ? 77 : element(number, i));
    CHECK(hipMalloc(&data_, bytes.size()));
    CHECK(hipMemcpy(data_, bytes.data(), bytes.size(), hipMemcpyHostToDevice));
  }
  ~Matrix() { static_cast<void>(hipFree(data_)); }
  Matrix(const Matrix&) = delete;

  void* data() const { return data_; }
  std::vector<double> values() const {
    std::vector<char> bytes(count_ * type_.size);
    CHECK(hipMemcpy(bytes.data(), data_, bytes.size(), hipMemcpyDeviceToHost));
    std::vector<double> all(count_);
    for (size_t i = 0; i < count_; i++) all[i] = load(type_, &bytes[i * type_.size]);
    return all;
  }

 private:
  Type type_;
  size_t count_;
  void* data_ = nullptr;
};

hipblasLtMatrixLayout_t layout(const Type& type, int rows, int columns, int batches) {
  hipblasLtMatrixLayout_t made;
  CHECK(hipblasLtMatrixLayoutCreate(&made, type.type, rows, columns, rows));
  const int64_t stride = static_cast<int64_t>(rows) * columns;
  CHECK(hipblasLtMatrixLayoutSetAttribute(made, HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches));
  CHECK(hipblasLtMatrixLayoutSetAttribute(made, HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
  return made;
}

double ended(hipblasLtEpilogue_t epilogue, double value) {
  if (epilogue == HIPBLASLT_EPILOGUE_RELU || epilogue == HIPBLASLT_EPILOGUE_RELU_BIAS) return std::fmax(value, 0);
  if (epilogue == HIPBLASLT_EPILOGUE_GELU || epilogue == HIPBLASLT_EPILOGUE_GELU_BIAS) {
    return 0.5 * value * (1 + std::tanh(0.7978845608028654 * (value + 0.044715 * value * value * value)));
  }
  return value;
}

/** Element of a matrix that is stored by columns, with so many rows; of the transposed one if that is asked for. */
double at(int matrix, bool transposed, int rows, int columns, int batch, int row, int column) {
  const size_t first = static_cast<size_t>(batch) * rows * columns;
  return transposed ? element(matrix, first + static_cast<size_t>(row) * columns + column)
                    : element(matrix, first + static_cast<size_t>(column) * rows + row);
}

void compare(const Test& test, const std::vector<double>& got) {
  const auto [m, n, k] = test.shape;
  const bool exact = test.epilogue != HIPBLASLT_EPILOGUE_GELU && test.epilogue != HIPBLASLT_EPILOGUE_GELU_BIAS;
  for (int b = 0; b < test.batches; b++) {
    for (int column = 0; column < n; column++) {
      for (int row = 0; row < m; row++) {
        double sum = 0;
        for (int i = 0; i < k; i++) {
          sum += at(0, test.ta, m, k, b, row, i) * at(1, test.tb, k, n, b, i, column);
        }
        const size_t place = (static_cast<size_t>(b) * n + column) * m + row;
        sum = test.alpha * sum + test.beta * element(2, place) + (test.hasBias() ? element(3, row) : 0);
        const double want = ended(test.epilogue, sum);
        const double allowed = exact ? 0 : 0.01 + std::fabs(want) * 0.01;
        if (!(std::fabs(got[place] - want) <= allowed)) {
          fail(__LINE__, "element " + std::to_string(row) + ", " + std::to_string(column) + " of product " +
                             std::to_string(b) + " is " + std::to_string(got[place]) + ", not " + std::to_string(want));
        }
      }
    }
  }
}

void run(hipblasLtHandle_t handle, const Test& test) {
  const auto [m, n, k] = test.shape;
  const size_t batches = static_cast<size_t>(test.batches);
  const Matrix a(0, test.in, batches * m * k), b(1, test.in, batches * k * n);
  const Matrix c(2, test.out, batches * m * n), d(-1, test.out, batches * m * n), bias(3, test.out, m);

  hipblasLtMatmulDesc_t product;
  CHECK(hipblasLtMatmulDescCreate(&product, HIPBLAS_COMPUTE_32F, HIP_R_32F));
  const int32_t ta = test.ta ? HIPBLAS_OP_T : HIPBLAS_OP_N, tb = test.tb ? HIPBLAS_OP_T : HIPBLAS_OP_N;
  CHECK(hipblasLtMatmulDescSetAttribute(product, HIPBLASLT_MATMUL_DESC_TRANSA, &ta, sizeof ta));
  CHECK(hipblasLtMatmulDescSetAttribute(product, HIPBLASLT_MATMUL_DESC_TRANSB, &tb, sizeof tb));
  CHECK(hipblasLtMatmulDescSetAttribute(product, HIPBLASLT_MATMUL_DESC_EPILOGUE, &test.epilogue, sizeof test.epilogue));
  if (test.hasBias()) {
    void* data = bias.data();
    CHECK(hipblasLtMatmulDescSetAttribute(product, HIPBLASLT_MATMUL_DESC_BIAS_POINTER, &data, sizeof data));
    const int32_t type = test.out.type;
    CHECK(hipblasLtMatmulDescSetAttribute(product, HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &type, sizeof type));
  }
  hipblasLtMatrixLayout_t la = test.ta ? layout(test.in, k, m, test.batches) : layout(test.in, m, k, test.batches);
  hipblasLtMatrixLayout_t lb = test.tb ? layout(test.in, n, k, test.batches) : layout(test.in, k, n, test.batches);
  hipblasLtMatrixLayout_t lc = layout(test.out, m, n, test.batches), ld = layout(test.out, m, n, test.batches);

  hipblasLtMatmulPreference_t preference;
  CHECK(hipblasLtMatmulPreferenceCreate(&preference));
  const uint64_t most = WORKSPACE;
  CHECK(hipblasLtMatmulPreferenceSetAttribute(preference, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most));
  hipblasLtMatmulHeuristicResult_t found = {};
  int count = 0;
  CHECK(hipblasLtMatmulAlgoGetHeuristic(handle, product, la, lb, lc, ld, preference, 1, &found, &count));
  if (count == 0) fail(__LINE__, "hipBLASLt has no kernel for this product");
  void* workspace = nullptr;
  CHECK(hipMalloc(&workspace, WORKSPACE));
  CHECK(hipblasLtMatmul(handle, product, &test.alpha, a.data(), la, b.data(), lb, &test.beta, c.data(), lc, d.data(), ld,
                        &found.algo, workspace, WORKSPACE, nullptr));
  CHECK(hipDeviceSynchronize());
  compare(test, d.values());
  CHECK(hipFree(workspace));
  CHECK(hipblasLtMatmulPreferenceDestroy(preference));
  for (hipblasLtMatrixLayout_t l : {la, lb, lc, ld}) CHECK(hipblasLtMatrixLayoutDestroy(l));
  CHECK(hipblasLtMatmulDescDestroy(product));
}

}  // namespace

int main(int count, char** arguments) {
  const std::string FILTER = "--gtest_filter=";
  std::string wanted;
  for (int i = 1; i < count; i++) {
    std::string argument = arguments[i];
    if (argument == "--gtest_list_tests") {
      printf("Matmul.\n");
      for (const Test& test : tests()) printf("  %s\n", test.name.c_str());
      return 0;
    }
    if (argument.compare(0, FILTER.size(), FILTER) == 0) wanted = ":" + argument.substr(FILTER.size()) + ":";
  }
  hipblasLtHandle_t handle = nullptr;
  for (const Test& test : tests()) {
    std::string name = "Matmul." + test.name;
    if (!wanted.empty() && wanted.find(":" + name + ":") == std::string::npos) continue;
    printf("[ RUN      ] %s\n", name.c_str());
    fflush(stdout);
    bool good = true;
    try {
      if (handle == nullptr) CHECK(hipblasLtCreate(&handle));
      run(handle, test);
    } catch (const std::exception& e) {
      printf("%s\n", e.what());
      good = false;
    }
    printf("%s %s\n", good ? "[       OK ]" : "[  FAILED  ]", name.c_str());
    fflush(stdout);
  }
  if (handle != nullptr) static_cast<void>(hipblasLtDestroy(handle));
  return 0;
}
