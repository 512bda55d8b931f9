// Level 1: vectors.
#include "level1.h"

#include "call.h"

namespace rocport::blas {
namespace {

template <class T>
void axpy(Call& call) {
  int64_t n = call.integer();
  auto alpha = call.scalar<T>();
  auto x = call.vector<const T>(n);
  auto y = call.vector<T>(n);
  call.run(n > 0, [=](int64_t b) { level1::axpy(alpha(), x(b), y(b)); });
}

template <class T>
void copy(Call& call) {
  int64_t n = call.integer();
  auto x = call.vector<const T>(n);
  auto y = call.vector<T>(n);
  call.run(n > 0, [=](int64_t b) {
    auto from = x(b);
    auto to = y(b);
    for (int64_t i = 0; i < n; i++) to.at(i) = from.at(i);
  });
}

template <class T>
void swap(Call& call) {
  int64_t n = call.integer();
  auto x = call.vector<T>(n);
  auto y = call.vector<T>(n);
  call.run(n > 0, [=](int64_t b) {
    for (int64_t i = 0; i < n; i++) std::swap(x(b).at(i), y(b).at(i));
  });
}

template <class T, class A = T>
void scal(Call& call) {
  int64_t n = call.integer();
  auto alpha = call.scalar<A>();
  auto x = call.vector<T>(n);
  call.run(n > 0 && x.inc > 0, [=](int64_t b) { level1::scale(alpha(), x(b)); });
}

template <class T>
void scalReal(Call& call) {
  scal<T, Real<T>>(call);
}

/** Functions of one vector; the result of an empty one is 0. */
template <class T, class R, class Of>
void reduce(Call& call, Of of) {
  int64_t n = call.integer();
  auto x = call.vector<const T>(n);
  call.batches();
  auto* result = call.result<R>();
  bool empty = n <= 0 || x.inc <= 0;
  call.run(true, [=](int64_t b) { result[b] = empty ? R{} : narrow<R>(of(x(b))); });
}

template <class T>
void asum(Call& call) {
  reduce<T, Real<T>>(call, [](auto x) {
    double sum = 0;
    for (int64_t i = 0; i < x.n; i++) sum += size1(x[i]);
    return sum;
  });
}

template <class T>
void nrm2(Call& call) {
  reduce<T, Real<T>>(call, [](auto x) { return level1::norm(x); });
}

/** The number, from 1, of the first element that no other is better than. */
template <class T, class R, class Better>
void extreme(Call& call, Better better) {
  reduce<T, R>(call, [better](auto x) {
    int64_t best = 0;
    for (int64_t i = 1; i < x.n; i++) {
      if (better(size1(x[i]), size1(x[best]))) best = i;
    }
    return static_cast<double>(best + 1);
  });
}

template <class T, class R>
void amax(Call& call) {
  extreme<T, R>(call, [](double a, double b) { return a > b; });
}

template <class T, class R>
void amin(Call& call) {
  extreme<T, R>(call, [](double a, double b) { return a < b; });
}

template <class T, bool conjugated = false>
void dot(Call& call) {
  int64_t n = call.integer();
  auto x = call.vector<const T>(n);
  auto y = call.vector<const T>(n);
  call.batches();
  T* result = call.result<T>();
  call.run(true, [=](int64_t b) {
    result[b] = n <= 0 ? narrow<T>(0.0) : narrow<T>(level1::dot(x(b), y(b), conjugated));
  });
}

template <class T>
void dotc(Call& call) {
  dot<T, true>(call);
}

template <class T, class S>
void rotWith(Call& call) {
  int64_t n = call.integer();
  auto x = call.vector<T>(n);
  auto y = call.vector<T>(n);
  auto c = call.scalar<Real<T>>();
  auto s = call.scalar<S>();
  call.run(n > 0, [=](int64_t b) { level1::rotate(x(b), y(b), c(), s()); });
}

template <class T>
void rot(Call& call) {
  rotWith<T, T>(call);
}

template <class T>
void rotReal(Call& call) {
  rotWith<T, Real<T>>(call);
}

void turn(double& a, double& b, double& c, double& s) {
  double larger = std::fabs(a) > std::fabs(b) ? a : b;
  double size = std::fabs(a) + std::fabs(b);
  double r = 0;
  double z = 0;
  c = 1;
  s = 0;
  if (size != 0) {
    r = std::copysign(size * std::sqrt(square(a / size) + square(b / size)), larger);
    c = a / r;
    s = b / r;
    z = std::fabs(a) > std::fabs(b) ? s : c != 0 ? 1 / c : 1;
  }
  a = r;
  b = z;
}

void turn(Z& a, Z& b, double& c, Z& s) {
  double size = magnitude(a);
  if (size == 0) {
    c = 0;
    s = Z(1.0);
    a = b;
    return;
  }
  double scale = size + magnitude(b);
  double norm = scale * std::sqrt(square(a / scale) + square(b / scale));
  Z phase = a / size;
  c = size / norm;
  s = phase * conjugate(b) / norm;
  a = phase * norm;
}

template <class T>
void rotg(Call& call) {
  auto a = call.changed<T>();
  auto b = call.changed<T>();
  auto c = call.changed<Real<T>>();
  auto s = call.changed<T>();
  call.run(true, [=](int64_t i) {
    Wide<T> wa = widen<T>(*a(i));
    Wide<T> wb = widen<T>(*b(i));
    double wc;
    Wide<T> ws;
    turn(wa, wb, wc, ws);
    *a(i) = narrow<T>(wa);
    *b(i) = narrow<T>(wb);
    *c(i) = narrow<Real<T>>(wc);
    *s(i) = narrow<T>(ws);
  });
}

/** The matrix of a modified rotation: h11, h21, h12, h22; what the flag says is not stored. */
struct Modified {
  double h11, h21, h12, h22;

  template <class T>
  explicit Modified(const T* p) : h11(p[1]), h21(p[2]), h12(p[3]), h22(p[4]) {
    if (p[0] == 0) h11 = h22 = 1;
    if (p[0] == 1) {
      h12 = 1;
      h21 = -1;
    }
  }
};

template <class T>
void rotm(Call& call) {
  int64_t n = call.integer();
  auto x = call.vector<T>(n);
  auto y = call.vector<T>(n);
  auto given = call.changed<const T>();
  call.run(n > 0, [=](int64_t b) {
    const T* p = given(b);
    if (p[0] == -2) return;
    Modified h(p);
    for (int64_t i = 0; i < n; i++) {
      double a = x(b)[i];
      double c = y(b)[i];
      x(b).set(i, h.h11 * a + h.h12 * c);
      y(b).set(i, h.h21 * a + h.h22 * c);
    }
  });
}

/** The modified rotation that makes the second of (sqrt(d1) x1, sqrt(d2) y1) zero. */
void modified(double& d1, double& d2, double& x1, double y1, double* p) {
  constexpr double GAM = 4096;
  double flag = -1;
  double h11 = 0, h12 = 0, h21 = 0, h22 = 0;
  auto reset = [&] {
    flag = -1;
    h11 = h12 = h21 = h22 = 0;
    d1 = d2 = x1 = 0;
  };
  auto spell = [&] {
    if (flag == 0) h11 = h22 = 1;
    if (flag == 1) {
      h21 = -1;
      h12 = 1;
    }
    flag = -1;
  };
  if (d1 < 0) {
    reset();
  } else {
    double p2 = d2 * y1;
    if (p2 == 0) {
      p[0] = -2;
      return;
    }
    double p1 = d1 * x1;
    double q2 = p2 * y1;
    double q1 = p1 * x1;
    if (std::fabs(q1) > std::fabs(q2)) {
      h21 = -y1 / x1;
      h12 = p2 / p1;
      double u = 1 - h12 * h21;
      if (u > 0) {
        flag = 0;
        d1 /= u;
        d2 /= u;
        x1 *= u;
      } else {
        reset();
      }
    } else if (q2 < 0) {
      reset();
    } else {
      flag = 1;
      h11 = p1 / p2;
      h22 = x1 / y1;
      double u = 1 + h11 * h22;
      double kept = d2 / u;
      d2 = d1 / u;
      d1 = kept;
      x1 = y1 * u;
    }
    while (d1 != 0 && (d1 <= 1 / (GAM * GAM) || d1 >= GAM * GAM)) {
      spell();
      double by = d1 <= 1 / (GAM * GAM) ? GAM : 1 / GAM;
      d1 *= by * by;
      x1 /= by;
      h11 /= by;
      h12 /= by;
    }
    while (d2 != 0 && (std::fabs(d2) <= 1 / (GAM * GAM) || std::fabs(d2) >= GAM * GAM)) {
      spell();
      double by = std::fabs(d2) <= 1 / (GAM * GAM) ? GAM : 1 / GAM;
      d2 *= by * by;
      h21 /= by;
      h22 /= by;
    }
  }
  p[0] = flag;
  if (flag < 0) {
    p[1] = h11;
    p[4] = h22;
  }
  if (flag <= 0) {
    p[2] = h21;
    p[3] = h12;
  }
  if (flag > 0) {
    p[1] = h11;
    p[4] = h22;
  }
}

template <class T>
void rotmg(Call& call) {
  auto d1 = call.changed<T>();
  auto d2 = call.changed<T>();
  auto x1 = call.changed<T>();
  auto y1 = call.changed<const T>();
  auto param = call.changed<T>();
  call.run(true, [=](int64_t i) {
    double a = *d1(i), b = *d2(i), x = *x1(i);
    double p[5];
    std::copy(param(i), param(i) + 5, p);
    modified(a, b, x, *y1(i), p);
    *d1(i) = narrow<T>(a);
    *d2(i) = narrow<T>(b);
    *x1(i) = narrow<T>(x);
    for (int k = 0; k < 5; k++) param(i)[k] = narrow<T>(p[k]);
  });
}

}  // namespace
}  // namespace rocport::blas

using namespace rocport;
using namespace rocport::blas;

ALL(axpy, axpy)
ALL(copy, copy)
ALL(swap, swap)
ALL(scal, scal)
FORMS(hipblasCsscal, scalReal<Complex<float>>)
FORMS(hipblasZdscal, scalReal<Complex<double>>)
ALL_NAMED(Sasum, Dasum, Scasum, Dzasum, asum)
ALL_NAMED(Snrm2, Dnrm2, Scnrm2, Dznrm2, nrm2)
REAL(dot, dot)
COMPLEX(dotu, dot)
COMPLEX(dotc, dotc)
ALL(rot, rot)
FORMS(hipblasCsrot, rotReal<Complex<float>>)
FORMS(hipblasZdrot, rotReal<Complex<double>>)
ALL(rotg, rotg)
REAL(rotm, rotm)
REAL(rotmg, rotmg)
FORMS(hipblasHaxpy, axpy<Half>)
FORMS(hipblasHdot, dot<Half>)
FORMS(hipblasBfdot, dot<BFloat>)

// The results are int, or int64_t where the sizes are.
#define EXTREMES(letter, type)                                                                          \
  INDEXED(I##letter##amax, amax, type) INDEXED(I##letter##amin, amin, type)
#define INDEXED(name, body, type)                                                     \
  INDEXED_FORM(hipblas##name, Form::SINGLE, body, type)                               \
  INDEXED_FORM(hipblas##name##Batched, Form::BATCHED, body, type)                     \
  INDEXED_FORM(hipblas##name##StridedBatched, Form::STRIDED, body, type)
#define INDEXED_FORM(name, form, body, ...)             \
  ENTRY(name, form, body<__VA_ARGS__, int>)             \
  ENTRY(name##_v2, form, body<__VA_ARGS__, int>)        \
  ENTRY(name##_64, form, body<__VA_ARGS__, int64_t>)    \
  ENTRY(name##_v2_64, form, body<__VA_ARGS__, int64_t>)

EXTREMES(s, float)
EXTREMES(d, double)
EXTREMES(c, Complex<float>)
EXTREMES(z, Complex<double>)
