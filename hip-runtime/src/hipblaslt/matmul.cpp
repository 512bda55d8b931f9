// D = epilogue(alpha op(A) op(B) + beta C): computed in double precision and rounded once.
#include <cmath>

#include "../library/in_order.h"
#include "matrix.h"

namespace rocport::lt {
namespace {

enum Epilogue : uint32_t {
  RELU = 2,
  BIAS = 4,
  SUM_ROWS = 16,  // of the result, into the bias
  GELU = 32,
  GELU_GRADIENT = 64,
  AUX = 128,
  SUM_A = 256,
  SUM_B = 512,
  SWISH = 1 << 16,
  CLAMP = 1 << 17,
};

/** Those that read or write the bias. */
constexpr uint32_t BIASED = BIAS | SUM_ROWS | SUM_A | SUM_B;

/** Those of hipblasLtEpilogue_t; older headers lack some. */
constexpr uint32_t EPILOGUES[] = {
    HIPBLASLT_EPILOGUE_DEFAULT, RELU,       BIAS,           RELU | BIAS,
    GELU,                       GELU | BIAS, RELU | AUX,    RELU | AUX | BIAS,
    GELU | AUX,                 GELU | AUX | BIAS,          GELU_GRADIENT | AUX,
    GELU_GRADIENT | AUX | SUM_ROWS,          SUM_A,         SUM_B,
    SWISH,                      SWISH | BIAS, CLAMP,        CLAMP | BIAS,
    CLAMP | AUX,                CLAMP | AUX | BIAS,
};

/** Types of A and B, of C and D, and what to compute in. */
struct Combination {
  Kind in;
  Kind out;
  Kind compute;
};

constexpr Combination COMBINATIONS[] = {
    {Kind::FLOAT, Kind::FLOAT, Kind::FLOAT},    {Kind::HALF, Kind::HALF, Kind::FLOAT},
    {Kind::HALF, Kind::FLOAT, Kind::FLOAT},     {Kind::BFLOAT, Kind::BFLOAT, Kind::FLOAT},
    {Kind::BFLOAT, Kind::FLOAT, Kind::FLOAT},   {Kind::DOUBLE, Kind::DOUBLE, Kind::DOUBLE},
    {Kind::INT8, Kind::INT32, Kind::INT32},     {Kind::INT8, Kind::INT8, Kind::INT32},
};

bool isByte(Kind kind) {
  return kind == Kind::E4M3 || kind == Kind::E5M2 || kind == Kind::E4M3_FNUZ || kind == Kind::E5M2_FNUZ;
}

bool combine(Kind a, Kind b, Kind out, Kind compute) {
  if (isByte(a) && isByte(b)) {
    bool outs = isByte(out) || out == Kind::FLOAT || out == Kind::HALF || out == Kind::BFLOAT;
    return outs && compute == Kind::FLOAT;
  }
  if (a != b) return false;
  for (const Combination& one : COMBINATIONS) {
    if (one.in == a && one.out == out && one.compute == compute) return true;
  }
  return false;
}

constexpr double ROOT = 0.79788456080286535588;  // of 2 / pi

/** The approximation by tanh that hipBLASLt and cuBLASLt compute. */
double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(ROOT * (x + 0.044715 * x * x * x)));
}

double geluGradient(double x) {
  double t = std::tanh(ROOT * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * ROOT * (1 + 3 * 0.044715 * x * x);
}

/** One call, checked, with all that it needs when its turn in the stream comes. */
class Matmul {
 public:
  Matmul(const Product& product, Matrix a, Matrix b, Matrix c, Matrix d)
      : p_(product), a_(a), b_(b), c_(c), d_(d), scale_(check()) {
    ta_ = isTransposed(p_.turnA);
    tb_ = isTransposed(p_.turnB);
    m_ = ta_ ? a.layout.columns : a.layout.rows;
    k_ = ta_ ? a.layout.rows : a.layout.columns;
    n_ = tb_ ? b.layout.rows : b.layout.columns;
    auto inner = static_cast<int64_t>(tb_ ? b.layout.columns : b.layout.rows);
    require(inner == k_);
    for (const Shape& result : {c.layout, d.layout}) {
      require(static_cast<int64_t>(result.rows) == m_ && static_cast<int64_t>(result.columns) == n_);
    }
    for (const Shape& other : {a.layout, b.layout, c.layout}) require(other.batches == d.layout.batches);
    requireEpilogue();
  }

  Type scale() const { return scale_; }
  bool empty() const { return m_ == 0 || n_ == 0; }

  /** A heuristic is asked for before a program has the addresses. */
  void requireAddresses() const {
    require(a_.data && b_.data && d_.data);
    require(!has(BIASED) || p_.bias);
    require(!has(AUX) || p_.aux);
  }

  /** What the work writes. */
  Written written() const {
    Written all = {d_.data};
    for (const void* more : {static_cast<const void*>(p_.aux), static_cast<const void*>(p_.bias),
                             static_cast<const void*>(p_.largest)}) {
      if (more) all.push_back(more);
    }
    return all;
  }

  void run(const Scalar& alpha, const Scalar& beta) const {
    double largest = 0;
    for (int64_t batch = 0; batch < d_.layout.batches; batch++) largest = std::max(largest, one(batch, alpha, beta));
    if (p_.largest) *p_.largest = static_cast<float>(largest);
  }

 private:
  Product p_;
  Matrix a_, b_, c_, d_;
  Type scale_;
  Type bias_ = {};
  Type aux_ = {};
  bool ta_, tb_;
  int64_t m_, n_, k_;

  bool has(uint32_t part) const { return p_.epilogue & part; }

  /** The type of alpha and beta. */
  Type check() const {
    Kind compute = computed(p_.compute).value_or(Kind::HALF);
    bool known = c_.type == d_.type && combine(a_.type.kind, b_.type.kind, d_.type.kind, compute);
    require(known, HIPBLAS_STATUS_NOT_SUPPORTED);
    if (p_.pointers == HIPBLASLT_POINTER_MODE_DEVICE) {
      refuse("HIPBLASLT_POINTER_MODE_DEVICE: hipBLASLt 7.1 takes alpha for a vector, and beta from the host");
    }
    auto scale = typeOf(p_.scaleType);
    bool other = compute == Kind::INT32 && scale && scale->kind == Kind::FLOAT;
    require(scale && (scale->kind == compute || other), HIPBLAS_STATUS_NOT_SUPPORTED);
    require(p_.inputA == NO_TYPE || typeOf(p_.inputA) == a_.type, HIPBLAS_STATUS_NOT_SUPPORTED);
    require(p_.inputB == NO_TYPE || typeOf(p_.inputB) == b_.type, HIPBLAS_STATUS_NOT_SUPPORTED);
    // Other types have no scale factors.
    require(isByte(a_.type.kind) || !(p_.a.at || p_.b.at || p_.largest), HIPBLAS_STATUS_NOT_SUPPORTED);
    require(isByte(d_.type.kind) || !(p_.scaleC || p_.scaleD || p_.scaleAux), HIPBLAS_STATUS_NOT_SUPPORTED);
    for (const Scale& s : {p_.a, p_.b}) {
      require(s.mode == SCALAR_SCALE || s.mode == ROW_SCALES, HIPBLAS_STATUS_NOT_SUPPORTED);
    }
    return *scale;
  }

  void requireEpilogue() {
    bool known = std::find(std::begin(EPILOGUES), std::end(EPILOGUES), p_.epilogue) != std::end(EPILOGUES);
    require(known, HIPBLAS_STATUS_NOT_SUPPORTED);
    auto typed = [&](int32_t number) {
      auto type = number == NO_TYPE ? std::optional<Type>(d_.type) : supported(number);
      require(type.has_value(), HIPBLAS_STATUS_NOT_SUPPORTED);
      return *type;
    };
    if (has(BIASED)) bias_ = typed(p_.biasType);
    if (has(SUM_ROWS | SUM_A | SUM_B)) require(d_.layout.batches == 1, HIPBLAS_STATUS_NOT_SUPPORTED);
    if (has(AUX)) {
      aux_ = typed(p_.auxType);
      require(p_.auxLd >= m_);
    }
  }

  static double read(const Scale& scale, int64_t i) {
    return scale.at ? scale.at[scale.mode == ROW_SCALES ? i : 0] : 1;
  }
  static double read(const float* scale) { return scale ? *scale : 1; }

  int64_t auxAt(int64_t batch, int64_t i, int64_t j) const { return batch * p_.auxStride + i + j * p_.auxLd; }

  double activated(double x) const {
    if (has(RELU)) return x < 0 ? 0 : x;
    if (has(GELU)) return gelu(x);
    if (has(SWISH)) return x / (1 + std::exp(-x));
    if (has(CLAMP)) return std::max<double>(p_.argument0, std::min<double>(x, p_.argument1));
    return x;
  }

  /** Computes a matrix of the batch, and returns the largest size of an element if it is wanted. */
  double one(int64_t batch, const Scalar& alpha, const Scalar& beta) const {
    std::vector<double> results(has(SUM_ROWS) || p_.largest ? m_ * n_ : 0);
    double scaleC = read(p_.scaleC), scaleD = read(p_.scaleD), scaleAux = read(p_.scaleAux);
    auto finish = [&](int64_t i, int64_t j, double sum) {
      double factor = alpha(i) * read(p_.a, i) * read(p_.b, j);
      double x = factor == 0 ? 0 : factor * sum;
      if (beta() != 0) x += beta() * scaleC * c_.get(batch, i, j);
      if (has(BIAS)) x += bias_.real(p_.bias, i);
      if (has(GELU_GRADIENT)) {
        x *= geluGradient(aux_.real(p_.aux, auxAt(batch, i, j)) * scaleAux);
      } else if (has(AUX)) {
        aux_.setReal(p_.aux, auxAt(batch, i, j), x * scaleAux);
      }
      x = activated(x);
      if (!results.empty()) results[i + j * m_] = x;
      d_.set(batch, i, j, x * scaleD);
    };
    product(m_, n_, k_, a_.factor(batch, ta_), b_.factor(batch, tb_),
            [&](int64_t i0, int64_t j0, int64_t rows, int64_t columns, Planes tile) {
              for (int64_t j = 0; j < columns; j++) {
                for (int64_t i = 0; i < rows; i++) finish(i0 + i, j0 + j, tile.re[i + j * tile.ld]);
              }
            });
    if (has(SUM_ROWS)) sums(m_, n_, [&](int64_t i, int64_t j) { return results[i + j * m_]; });
    if (has(SUM_A)) sums(m_, k_, [&](int64_t i, int64_t p) { return ta_ ? a_.get(batch, p, i) : a_.get(batch, i, p); });
    if (has(SUM_B)) sums(n_, k_, [&](int64_t j, int64_t p) { return tb_ ? b_.get(batch, j, p) : b_.get(batch, p, j); });
    double largest = 0;
    if (p_.largest) {
      for (double x : results) largest = std::max(largest, std::fabs(x));
    }
    return largest;
  }

  /** Writes the gradient of the bias: sums over the second index. */
  template <class At>
  void sums(int64_t count, int64_t over, At at) const {
    for (int64_t i = 0; i < count; i++) {
      double sum = 0;
      for (int64_t j = 0; j < over; j++) sum += at(i, j);
      bias_.setReal(p_.bias, i, sum);
    }
  }
};

Matmul matmul(hipblasLtMatmulDesc_t product, const void* a, hipblasLtMatrixLayout_t layoutA, const void* b,
              hipblasLtMatrixLayout_t layoutB, const void* c, hipblasLtMatrixLayout_t layoutC, void* d,
              hipblasLtMatrixLayout_t layoutD) {
  auto matrix = [](const void* data, hipblasLtMatrixLayout_t layout) {
    return Matrix::of(data, of<Shape>(layout), false);
  };
  return Matmul(of<Product>(product), matrix(a, layoutA), matrix(b, layoutB), matrix(c, layoutC), matrix(d, layoutD));
}

}  // namespace
}  // namespace rocport::lt

using namespace rocport;
using namespace rocport::lt;

extern "C" {

// There is one algorithm, which takes all products that are supported and needs no workspace. As in AMD's library, it
// is no error if there is none.
hipblasStatus_t hipblasLtMatmulAlgoGetHeuristic(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t product,
                                                hipblasLtMatrixLayout_t a, hipblasLtMatrixLayout_t b,
                                                hipblasLtMatrixLayout_t c, hipblasLtMatrixLayout_t d,
                                                hipblasLtMatmulPreference_t preference, int wanted,
                                                hipblasLtMatmulHeuristicResult_t results[], int* count) {
  hipblasStatus_t status = guarded([&] {
    require(handle != nullptr, HIPBLAS_STATUS_NOT_INITIALIZED);
    require(wanted > 0 && results != nullptr && count != nullptr);
    *count = 0;
    matmul(product, nullptr, a, nullptr, b, nullptr, c, nullptr, d);
    hipblasLtMatmulHeuristicResult_t found = {};
    found.algo.max_workspace_bytes = of<Preference>(preference).workspace;
    found.state = HIPBLAS_STATUS_SUCCESS;
    results[0] = found;
    *count = 1;
  });
  return status == HIPBLAS_STATUS_NOT_SUPPORTED ? HIPBLAS_STATUS_SUCCESS : status;
}

hipblasStatus_t hipblasLtMatmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t product, const void* alpha,
                                const void* a, hipblasLtMatrixLayout_t layoutA, const void* b,
                                hipblasLtMatrixLayout_t layoutB, const void* beta, const void* c,
                                hipblasLtMatrixLayout_t layoutC, void* d, hipblasLtMatrixLayout_t layoutD,
                                const hipblasLtMatmulAlgo_t*, void*, size_t, hipStream_t stream) {
  return guarded([&] {
    require(handle != nullptr, HIPBLAS_STATUS_NOT_INITIALIZED);
    require(alpha != nullptr && beta != nullptr);
    Matmul call = matmul(product, a, layoutA, b, layoutB, c, layoutC, d, layoutD);
    if (call.empty()) return;
    const Product& settings = of<Product>(product);
    call.requireAddresses();
    bool perRow = settings.pointers == HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
    require(perRow || settings.pointers == HIPBLASLT_POINTER_MODE_HOST);
    Scalar x(alpha, call.scale(), !perRow, perRow);
    Scalar y(beta, call.scale(), true);
    require(c != nullptr || y() == 0);
    require(inOrder(stream, [=] { call.run(x, y); }, call.written()) == hipSuccess, HIPBLAS_STATUS_INTERNAL_ERROR);
  });
}

}  // extern "C"
