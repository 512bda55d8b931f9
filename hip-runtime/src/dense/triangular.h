// Triangular systems.
#pragma once

#include "product.h"

namespace rocport {

/** x = inverse(a) x for a lower or upper triangular a with elements a(i, j), in columns of rows range(j). */
template <class W, class At, class Range>
void substitute(bool lower, int64_t n, const At& a, const Range& range, W* x) {
  for (int64_t step = 0; step < n; step++) {
    int64_t j = lower ? step : n - 1 - step;
    auto [first, end] = range(j);
    x[j] = x[j] / a(j, j);
    W value = x[j];
    for (int64_t i = lower ? j + 1 : first; i < (lower ? end : j); i++) x[i] -= a(i, j) * value;
  }
}

/** b = inverse(a) b. Of a only the one triangle is read, and its diagonal unless it is 1. */
template <class W>
void solveTriangular(const Dense<W>& a, bool lower, bool unit, Dense<W>& b) {
  constexpr int64_t BLOCK = 64;
  int64_t n = a.rows;
  int64_t blocks = (n + BLOCK - 1) / BLOCK;
  auto at = [&](int64_t i, int64_t j) { return i == j && unit ? W(1.0) : a(i, j); };
  for (int64_t step = 0; step < blocks; step++) {
    int64_t first = (lower ? step : blocks - 1 - step) * BLOCK;
    int64_t size = std::min(BLOCK, n - first);
    auto inner = [&](int64_t i, int64_t j) { return at(first + i, first + j); };
    auto all = [&](int64_t) { return std::pair<int64_t, int64_t>(0, size); };
    for (int64_t j = 0; j < b.columns; j++) substitute(lower, size, inner, all, b.column(j) + first);
    int64_t rest = lower ? first + size : 0;
    int64_t rows = lower ? n - rest : first;
    auto left = factor<W>([&](int64_t i, int64_t j) { return a(rest + i, first + j); });
    auto right = factor<W>([&](int64_t i, int64_t j) { return b(first + i, j); });
    Target<W> target{b.all.data() + rest, {rows, b.columns, b.rows}};
    multiply(rows, b.columns, size, -1.0, left, right, 1.0, Part::ALL, target);
  }
}

}  // namespace rocport
