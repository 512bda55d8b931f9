// The product of two matrices, in tiles of doubles: all level-3 functions use it.
#pragma once

#include <functional>

#include "matrix.h"
#include "parallel.h"

namespace rocport {

/** A block of a matrix as real and imaginary parts, column-major; im is null for real matrices. */
struct Planes {
  double* re;
  double* im;
  int64_t ld;
};

/** Reads the block of so many rows and columns that begins at (i, j). */
using Block = std::function<void(int64_t i, int64_t j, int64_t rows, int64_t columns, Planes to)>;

struct Factor {
  bool complex;
  Block block;
};

/** A factor whose elements a function gives. */
template <class W, class At>
Factor factor(At at) {
  return {std::is_same_v<W, Z>, [at](int64_t i0, int64_t j0, int64_t rows, int64_t columns, Planes to) {
            for (int64_t j = 0; j < columns; j++) {
              for (int64_t i = 0; i < rows; i++) {
                W value = at(i0 + i, j0 + j);
                to.re[i + j * to.ld] = realPart(value);
                if (to.im) to.im[i + j * to.ld] = imaginaryPart(value);
              }
            }
          }};
}

namespace tiles {

constexpr int64_t TILE = 128;   // rows and columns of the result
constexpr int64_t DEPTH = 256;  // of the factors at a time
constexpr int64_t STEP = 4;     // rows and columns of the result in registers
constexpr int64_t LD = TILE + STEP;  // not a power of two, for better cache use

typedef double Four __attribute__((vector_size(32), aligned(8)));

// sum[i, j] += sign * a[i, p] b[p, j]
#if defined(__x86_64__)
__attribute__((target_clones("arch=haswell", "default")))
#endif
inline void addProduct(const double* a, const double* b, double* sum, int64_t rows, int64_t columns, int64_t depth, double sign) {
  for (int64_t j = 0; j < columns; j += STEP) {
    const double* b0 = b + j * DEPTH;
    for (int64_t i = 0; i < rows; i += STEP) {
      Four s0 = {}, s1 = {}, s2 = {}, s3 = {};
      for (int64_t p = 0; p < depth; p++) {
        Four x = *reinterpret_cast<const Four*>(a + i + p * LD);
        s0 += x * b0[p];
        s1 += x * b0[p + DEPTH];
        s2 += x * b0[p + 2 * DEPTH];
        s3 += x * b0[p + 3 * DEPTH];
      }
      auto* to = sum + i + j * LD;
      *reinterpret_cast<Four*>(to) += sign * s0;
      *reinterpret_cast<Four*>(to + LD) += sign * s1;
      *reinterpret_cast<Four*>(to + 2 * LD) += sign * s2;
      *reinterpret_cast<Four*>(to + 3 * LD) += sign * s3;
    }
  }
}

inline int64_t whole(int64_t n) { return (n + STEP - 1) / STEP * STEP; }

}  // namespace tiles

/** Hands a (m by k) times b (k by n) to a sink, tile by tile, perhaps from several threads. */
inline void product(int64_t m, int64_t n, int64_t k, const Factor& a, const Factor& b,
                    const std::function<void(int64_t i, int64_t j, int64_t rows, int64_t columns, Planes tile)>& sink) {
  using namespace tiles;
  bool complex = a.complex || b.complex;
  int64_t down = (m + TILE - 1) / TILE;
  int64_t across = (n + TILE - 1) / TILE;
  auto tile = [&](int64_t index) {
    int64_t i = index % down * TILE;
    int64_t j = index / down * TILE;
    int64_t rows = std::min(TILE, m - i);
    int64_t columns = std::min(TILE, n - j);
    std::vector<double> memory[6];  // sums, a, b: real and imaginary
    auto planes = [&](int which, int64_t size, int64_t ld, bool both) {
      memory[2 * which].assign(size, 0);
      if (both) memory[2 * which + 1].assign(size, 0);
      return Planes{memory[2 * which].data(), both ? memory[2 * which + 1].data() : nullptr, ld};
    };
    Planes sum = planes(0, LD * TILE, LD, complex);
    for (int64_t p = 0; p < k; p += DEPTH) {
      int64_t depth = std::min(DEPTH, k - p);
      Planes x = planes(1, LD * depth, LD, a.complex);
      Planes y = planes(2, DEPTH * whole(columns), DEPTH, b.complex);
      a.block(i, p, rows, depth, x);
      b.block(p, j, depth, columns, y);
      auto add = [&](const double* left, const double* right, double* to, double sign) {
        if (left && right) addProduct(left, right, to, whole(rows), whole(columns), depth, sign);
      };
      add(x.re, y.re, sum.re, 1);
      add(x.im, y.im, sum.re, -1);
      add(x.re, y.im, sum.im, 1);
      add(x.im, y.re, sum.im, 1);
    }
    sink(i, j, rows, columns, sum);
  };
  if (double(m) * double(n) * double(k) > 1e6) {
    parallel(down * across, tile);
  } else {
    for (int64_t t = 0; t < down * across; t++) tile(t);
  }
}

/** c = alpha a b + beta c in one part of c. c is not read where beta is 0, nor a and b where alpha is. */
template <class Get, class Set>
void multiply(int64_t m, int64_t n, int64_t k, Z alpha, const Factor& a, const Factor& b, Z beta, Part part, Get get,
              Set set) {
  bool none = alpha == Z(0.0);
  if (none && beta == Z(1.0)) return;
  // Real scalars multiply the parts separately, so that an infinity in one does not make the other a NaN.
  auto times = [](Z scale, Z value) { return scale.im == 0 ? scale.re * value : scale * value; };
  product(m, n, none ? 0 : k, a, b, [=](int64_t i0, int64_t j0, int64_t rows, int64_t columns, Planes tile) {
    for (int64_t j = 0; j < columns; j++) {
      for (int64_t i = 0; i < rows; i++) {
        if (!within(part, i0 + i, j0 + j)) continue;
        int64_t at = i + j * tile.ld;
        Z value = none ? Z() : times(alpha, {tile.re[at], tile.im ? tile.im[at] : 0});
        if (beta != Z(0.0)) value += times(beta, get(i0 + i, j0 + j));
        set(i0 + i, j0 + j, value);
      }
    }
  });
}

template <class T>
void multiply(int64_t m, int64_t n, int64_t k, Z alpha, const Factor& a, const Factor& b, Z beta, Part part,
              Target<T> c) {
  multiply(
      m, n, k, alpha, a, b, beta, part, [=](int64_t i, int64_t j) { return Z(c(i, j)); },
      [=](int64_t i, int64_t j, Z value) { c.set(i, j, value); });
}

/** The product of two matrices of this library's own. */
template <class W>
Dense<W> operator*(const Dense<W>& a, const Dense<W>& b) {
  Dense<W> c(a.rows, b.columns);
  auto left = factor<W>([&](int64_t i, int64_t j) { return a(i, j); });
  auto right = factor<W>([&](int64_t i, int64_t j) { return b(i, j); });
  Layout full{c.rows, c.columns, c.rows};
  multiply(c.rows, c.columns, a.columns, 1.0, left, right, 0.0, Part::ALL, Target<W>{c.all.data(), full});
  return c;
}

}  // namespace rocport
