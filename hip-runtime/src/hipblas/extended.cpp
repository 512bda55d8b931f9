// Functions whose types are arguments. They compute with complex doubles, whatever the types are.
#include "../dense/any_matrix.h"
#include "call.h"
#include "level1.h"

namespace rocport::blas {
namespace {

Type type(int64_t number) {
  if (auto known = typeOf(dataType(number))) return *known;
  throw Refusal{HIPBLAS_STATUS_NOT_SUPPORTED};
}

/** The type of alpha and beta: what is computed in, complex where the result is. */
Type scaleType(int64_t compute, Type result) {
  if (dataType(compute) != compute) {  // a data type in place of a compute type
    Type given = type(compute);
    return {given.kind, given.complex || result.complex};
  }
  switch (compute) {
    case HIPBLAS_COMPUTE_16F:
    case HIPBLAS_COMPUTE_16F_PEDANTIC:
      return {Kind::HALF, result.complex};
    case HIPBLAS_COMPUTE_64F:
    case HIPBLAS_COMPUTE_64F_PEDANTIC:
      return {Kind::DOUBLE, result.complex};
    case HIPBLAS_COMPUTE_32I:
    case HIPBLAS_COMPUTE_32I_PEDANTIC:
      return {Kind::INT32, false};
    case HIPBLAS_COMPUTE_32F:
    case HIPBLAS_COMPUTE_32F_PEDANTIC:
    case HIPBLAS_COMPUTE_32F_FAST_16F:
    case HIPBLAS_COMPUTE_32F_FAST_16BF:
    case HIPBLAS_COMPUTE_32F_FAST_TF32:
      return {Kind::FLOAT, result.complex};
  }
  throw Refusal{HIPBLAS_STATUS_INVALID_ENUM};
}

/** Memory of a batch, whose element type is known only when the call runs. */
struct Anything {
  Form form;
  void* at;
  Type type;
  int64_t stride;

  char* operator()(int64_t b) const {
    return form == Form::BATCHED ? static_cast<char* const*>(at)[b] : static_cast<char*>(at) + b * stride * type.size();
  }
};

struct AnyVector {
  char* data;
  Type type;
  int64_t n;
  int64_t inc;

  char* at(int64_t i) const { return data + (inc < 0 ? i - (n - 1) : i) * inc * type.size(); }
  Z operator[](int64_t i) const { return type.get(at(i)); }
  void set(int64_t i, Z value) const { type.set(at(i), value); }
};

struct AnyVectors {
  Anything all;
  int64_t n;
  int64_t inc;
  AnyVector operator()(int64_t b) const { return {all(b), all.type, n, inc}; }
};

AnyVectors vector(Call& call, int64_t n) {
  void* at = call.pointer<void>();
  Type kind = type(call.integer());
  int64_t inc = call.integer();
  return {{call.form(), at, kind, call.stride()}, n, inc};
}

/** A scalar of a type that may be known only later in the list. */
class AnyScalar {
 public:
  explicit AnyScalar(Call& call)
      : at_(call.pointer<const void>()), now_(call.handle().pointers == HIPBLAS_POINTER_MODE_HOST) {}

  AnyScalar& of(Type type) {
    type_ = type;
    if (now_ && at_) value_ = type.get(at_);
    return *this;
  }

  Z operator()() const { return now_ ? value_ : type_.get(at_); }

 private:
  const void* at_;
  bool now_;
  Type type_ = {Kind::FLOAT, false};
  Z value_;
};

void axpyEx(Call& call) {
  int64_t n = call.integer();
  AnyScalar alpha(call);
  alpha.of(type(call.integer()));
  auto x = vector(call, n);
  auto y = vector(call, n);
  call.run(n > 0, [=](int64_t b) { level1::axpy(alpha(), x(b), y(b)); });
}

void scalEx(Call& call) {
  int64_t n = call.integer();
  AnyScalar alpha(call);
  alpha.of(type(call.integer()));
  auto x = vector(call, n);
  call.run(n > 0 && x.inc > 0, [=](int64_t b) { level1::scale(alpha(), x(b)); });
}

template <bool conjugated>
void dotExOf(Call& call) {
  int64_t n = call.integer();
  auto x = vector(call, n);
  auto y = vector(call, n);
  call.batches();
  char* result = call.result<char>();
  Type kind = type(call.integer());
  call.run(true, [=](int64_t b) {
    kind.set(result + b * kind.size(), n <= 0 ? Z() : level1::dot(x(b), y(b), conjugated));
  });
}

void nrm2Ex(Call& call) {
  int64_t n = call.integer();
  auto x = vector(call, n);
  call.batches();
  char* result = call.result<char>();
  Type kind = type(call.integer());
  bool empty = n <= 0 || x.inc <= 0;
  call.run(true, [=](int64_t b) { kind.set(result + b * kind.size(), empty ? 0 : level1::norm(x(b))); });
}

void rotEx(Call& call) {
  int64_t n = call.integer();
  auto x = vector(call, n);
  auto y = vector(call, n);
  AnyScalar c(call);
  AnyScalar s(call);
  Type kind = type(call.integer());
  c.of({kind.kind, false});
  s.of(kind);
  call.run(n > 0, [=](int64_t b) { level1::rotate(x(b), y(b), c().re, s()); });
}

struct AnyMatrices {
  Anything all;
  int64_t ld;
  AnyMatrix operator()(int64_t b) const { return {all.type, all(b), ld}; }
};

AnyMatrices matrix(Call& call, int64_t rows) {
  void* at = call.pointer<void>();
  Type kind = type(call.integer());
  int64_t ld = call.integer();
  require(ld >= std::max<int64_t>(1, rows));
  return {{call.form(), at, kind, call.stride()}, ld};
}

void gemmEx(Call& call) {
  Turn ta = call.turn();
  Turn tb = call.turn();
  int64_t m = call.size();
  int64_t n = call.size();
  int64_t k = call.size();
  AnyScalar alpha(call);
  auto a = matrix(call, ta.transposed ? k : m);
  auto b = matrix(call, tb.transposed ? n : k);
  AnyScalar beta(call);
  auto c = matrix(call, m);
  call.batches();
  Type scale = scaleType(call.integer(), c.all.type);
  require(c.all.type.complex || !(a.all.type.complex || b.all.type.complex), HIPBLAS_STATUS_NOT_SUPPORTED);
  alpha.of(scale);
  beta.of(scale);
  call.run(m > 0 && n > 0, [=](int64_t i) {
    AnyMatrix to = c(i);
    multiply(
        m, n, k, alpha(), a(i).factor(ta.transposed, ta.conjugated), b(i).factor(tb.transposed, tb.conjugated), beta(),
        Part::ALL, [=](int64_t row, int64_t column) { return to.get(row, column); },
        [=](int64_t row, int64_t column, Z value) { to.set(row, column, value); });
  });
}

}  // namespace
}  // namespace rocport::blas

using namespace rocport;
using namespace rocport::blas;

#define EXTENDED(name, end, body)                                \
  VERSIONS(hipblas##name##end, Form::SINGLE, body)               \
  VERSIONS(hipblas##name##Batched##end, Form::BATCHED, body)     \
  VERSIONS(hipblas##name##StridedBatched##end, Form::STRIDED, body)

EXTENDED(Axpy, Ex, axpyEx)
EXTENDED(Scal, Ex, scalEx)
EXTENDED(Dot, Ex, dotExOf<false>)
EXTENDED(Dotc, Ex, dotExOf<true>)
EXTENDED(Nrm2, Ex, nrm2Ex)
EXTENDED(Rot, Ex, rotEx)
EXTENDED(Gemm, Ex, gemmEx)
EXTENDED(Gemm, ExWithFlags, gemmEx)
