// gemm with types as arguments, which has a result of its own here: D = alpha op(A) op(B) + beta C.
#include "../dense/any_matrix.h"
#include "../dense/entry.h"
#include "../library/in_order.h"
#include "../library/outcome.h"
#include "status.h"

namespace rocport {
namespace {

void require(bool holds, rocblas_status otherwise) {
  if (!holds) throw Refusal<rocblas_status>{otherwise};
}

Type type(int64_t number) {
  switch (number) {
    case rocblas_datatype_f16_r:
      return {Kind::HALF};
    case rocblas_datatype_f16_c:
      return {Kind::HALF, true};
    case rocblas_datatype_bf16_r:
      return {Kind::BFLOAT};
    case rocblas_datatype_bf16_c:
      return {Kind::BFLOAT, true};
    case rocblas_datatype_f32_r:
      return {Kind::FLOAT};
    case rocblas_datatype_f32_c:
      return {Kind::FLOAT, true};
    case rocblas_datatype_f64_r:
      return {Kind::DOUBLE};
    case rocblas_datatype_f64_c:
      return {Kind::DOUBLE, true};
    case rocblas_datatype_i8_r:
      return {Kind::INT8};
    case rocblas_datatype_i32_r:
      return {Kind::INT32};
  }
  throw Refusal<rocblas_status>{rocblas_status_not_implemented};
}

/** The matrices of a batch. */
struct Matrices {
  Form form;
  void* at;
  Type type;
  int64_t ld;
  int64_t stride;

  static Matrices read(Arguments& arguments, int64_t rows) {
    Matrices made;
    made.form = arguments.form;
    made.at = arguments.pointer<void>();
    made.type = rocport::type(arguments.integer());
    made.ld = arguments.integer();
    made.stride = made.form == Form::STRIDED ? arguments.integer() : 0;
    require(made.ld >= std::max<int64_t>(1, rows), rocblas_status_invalid_size);
    return made;
  }

  AnyMatrix operator()(int64_t b) const {
    char* first = form == Form::BATCHED ? static_cast<char* const*>(at)[b]
                                        : static_cast<char*>(at) + b * stride * type.size();
    return {type, first, ld};
  }
};

void gemmEx(Arguments& arguments) {
  auto* handle = arguments.pointer<void>();
  hipStream_t stream = nullptr;
  hipblasPointerMode_t pointers;
  require(handle && hipblasGetStream(handle, &stream) == HIPBLAS_STATUS_SUCCESS &&
              hipblasGetPointerMode(handle, &pointers) == HIPBLAS_STATUS_SUCCESS,
          rocblas_status_invalid_handle);
  auto turn = [&] {
    int64_t operation = arguments.integer();
    require(operation >= rocblas_operation_none && operation <= rocblas_operation_conjugate_transpose,
            rocblas_status_invalid_value);
    return operation;
  };
  int64_t ta = turn(), tb = turn();
  int64_t m = arguments.integer(), n = arguments.integer(), k = arguments.integer();
  require(m >= 0 && n >= 0 && k >= 0, rocblas_status_invalid_size);
  auto* alphaAt = arguments.pointer<void>();
  auto a = Matrices::read(arguments, ta == rocblas_operation_none ? m : k);
  auto b = Matrices::read(arguments, tb == rocblas_operation_none ? k : n);
  auto* betaAt = arguments.pointer<void>();
  auto c = Matrices::read(arguments, m);
  auto d = Matrices::read(arguments, m);
  int64_t batches = arguments.form == Form::SINGLE ? 1 : arguments.integer();
  Type compute = type(arguments.integer());
  require(c.type == d.type && a.type == b.type && a.type.complex == d.type.complex, rocblas_status_not_implemented);
  compute.complex = d.type.complex;
  require(batches >= 0, rocblas_status_invalid_size);
  if (m == 0 || n == 0 || batches == 0) return;
  require(alphaAt && betaAt && a.at && b.at && d.at, rocblas_status_invalid_pointer);
  bool onHost = pointers == HIPBLAS_POINTER_MODE_HOST;
  Z hostAlpha = onHost ? compute.get(alphaAt) : Z(), hostBeta = onHost ? compute.get(betaAt) : Z();
  auto work = [=] {
    Z alpha = onHost ? hostAlpha : compute.get(alphaAt), beta = onHost ? hostBeta : compute.get(betaAt);
    auto factor = [](AnyMatrix matrix, int64_t turned) {
      return matrix.factor(turned != rocblas_operation_none, turned == rocblas_operation_conjugate_transpose);
    };
    for (int64_t i = 0; i < batches; i++) {
      AnyMatrix from = c(i), to = d(i);
      // Where the product is not needed, it still has to be written to another matrix.
      int64_t depth = alpha == Z(0.0) ? 0 : k;
      product(m, n, depth, factor(a(i), ta), factor(b(i), tb),
              [=](int64_t i0, int64_t j0, int64_t rows, int64_t columns, Planes tile) {
                for (int64_t column = 0; column < columns; column++) {
                  for (int64_t row = 0; row < rows; row++) {
                    int64_t at = row + column * tile.ld;
                    Z value = alpha * Z(tile.re[at], tile.im ? tile.im[at] : 0);
                    if (beta != Z(0.0)) value += beta * from.get(i0 + row, j0 + column);
                    to.set(i0 + row, j0 + column, value);
                  }
                }
              });
    }
  };
  require(inOrder(stream, work) == hipSuccess, rocblas_status_internal_error);
}

}  // namespace

rocblas_status entered(void (*body)(Arguments&), Arguments& arguments) {
  return outcome(rocblas_status_success, rocblas_status_memory_error, rocblas_status_internal_error,
                 [&] { body(arguments); });
}

}  // namespace rocport

#define SIZES(name, form) ENTRY(name, form, rocport::gemmEx) ENTRY(name##_64, form, rocport::gemmEx)
SIZES(rocblas_gemm_ex, rocport::Form::SINGLE)
SIZES(rocblas_gemm_batched_ex, rocport::Form::BATCHED)
SIZES(rocblas_gemm_strided_batched_ex, rocport::Form::STRIDED)
