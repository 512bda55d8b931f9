// Computations with sparse matrices.
#pragma once

#include <map>

#include "matrix.h"

namespace rocport::sparse {

/** beta y; what is multiplied by 0 is not looked at. */
template <class W, class Get>
W scaled(W beta, Get old) {
  return beta == W(0) ? W(0) : beta * old();
}

/** y = alpha A x + beta y. */
template <class W>
void multiply(const Rows<W>& a, W alpha, Values x, W beta, Values y) {
  for (int64_t r = 0; r < a.rows; r++) {
    W sum = W(0);
    for (int64_t k = a.start[r]; k < a.start[r + 1]; k++) sum += a.value[k] * x.get<W>(a.column[k]);
    y.set(r, alpha * sum + scaled(beta, [&] { return y.get<W>(r); }));
  }
}

/** C = alpha A op(B) + beta C. */
template <class W>
void multiply(const Rows<W>& a, W alpha, const Dense& b, Turn turn, W beta, const Dense& c) {
  for (int64_t r = 0; r < a.rows; r++) {
    for (int64_t j = 0; j < c.columns; j++) {
      W sum = W(0);
      for (int64_t k = a.start[r]; k < a.start[r + 1]; k++) {
        sum += a.value[k] * b.get<W>(a.column[k], j, turn);
      }
      c.set(r, j, alpha * sum + scaled(beta, [&] { return c.get<W>(r, j); }));
    }
  }
}

/** A row to which elements are added, and which then gives them in order. */
template <class W>
class Gathered {
 public:
  explicit Gathered(int64_t columns) : value_(columns), row_(columns, -1) {}

  void begin(int64_t row) {
    current_ = row;
    columns_.clear();
  }

  void add(int64_t column, W value) {
    if (row_[column] != current_) {
      row_[column] = current_;
      value_[column] = W(0);
      columns_.push_back(column);
    }
    value_[column] += value;
  }

  void end(Made<W>& made) {
    std::sort(columns_.begin(), columns_.end());
    for (int64_t column : columns_) made.add(column, value_[column]);
    made.endRow();
  }

 private:
  std::vector<W> value_;
  std::vector<int64_t> row_;  // which last had this column
  std::vector<int64_t> columns_;
  int64_t current_ = -1;
};

/** alpha A B, by Gustavson; zeros that come out stay. */
template <class W>
Rows<W> product(const Rows<W>& a, const Rows<W>& b, W alpha) {
  Made<W> made(a.rows, b.columns);
  Gathered<W> row(b.columns);
  for (int64_t r = 0; r < a.rows; r++) {
    row.begin(r);
    for (int64_t k = a.start[r]; k < a.start[r + 1]; k++) {
      int64_t mid = a.column[k];
      for (int64_t l = b.start[mid]; l < b.start[mid + 1]; l++) {
        row.add(b.column[l], alpha * a.value[k] * b.value[l]);
      }
    }
    row.end(made);
  }
  return made.all();
}

/** alpha A + beta B. */
template <class W>
Rows<W> sum(const Rows<W>& a, W alpha, const Rows<W>& b, W beta) {
  Made<W> made(a.rows, a.columns);
  Gathered<W> row(a.columns);
  for (int64_t r = 0; r < a.rows; r++) {
    row.begin(r);
    for (int64_t k = a.start[r]; k < a.start[r + 1]; k++) row.add(a.column[k], alpha * a.value[k]);
    for (int64_t k = b.start[r]; k < b.start[r + 1]; k++) row.add(b.column[k], beta * b.value[k]);
    row.end(made);
  }
  return made.all();
}

/**
 * Solves A x = f for a triangle of A, where get(row) is f and set(row, number) takes x. The first row
 * without a diagonal element, or with one of 0, is the result; -1 if there is none.
 */
template <class W, class Get, class Set>
int64_t solve(const Rows<W>& a, bool upper, bool unit, Get get, Set set) {
  std::vector<W> x(a.rows);
  int64_t pivot = -1;
  for (int64_t i = 0; i < a.rows; i++) {
    int64_t r = upper ? a.rows - 1 - i : i;
    W sum = get(r);
    W diagonal = W(unit ? 1 : 0);
    for (int64_t k = a.start[r]; k < a.start[r + 1]; k++) {
      int64_t c = a.column[k];
      if (c == r) {
        if (!unit) diagonal = a.value[k];
      } else if ((c > r) == upper) {
        sum -= a.value[k] * x[c];
      }
    }
    if (diagonal == W(0) && (pivot < 0 || r < pivot)) pivot = r;
    x[r] = unit ? sum : sum / diagonal;
  }
  for (int64_t r = 0; r < a.rows; r++) set(r, x[r]);
  return pivot;
}

/** The places of a row's elements by column. */
template <class W>
std::map<int64_t, int64_t> placesOf(const Rows<W>& a, int64_t row) {
  std::map<int64_t, int64_t> places;
  for (int64_t k = a.start[row]; k < a.start[row + 1]; k++) places[a.column[k]] = k;
  return places;
}

/** What takes the place of pivots that are small. */
template <class W>
struct Boost {
  bool on = false;
  double tolerance = 0;
  W value = W(0);
};

/** Incomplete LU without fill, in place; the first row without a pivot, or -1. */
template <class W>
int64_t incompleteLu(Rows<W>& a, Boost<W> boost) {
  int64_t pivot = -1;
  std::vector<int64_t> diagonal(a.rows, -1);
  for (int64_t i = 0; i < a.rows; i++) {
    auto places = placesOf(a, i);
    for (auto [k, at] : places) {
      if (k >= i) break;
      if (diagonal[k] < 0) continue;
      a.value[at] = a.value[at] / a.value[diagonal[k]];
      for (int64_t l = a.start[k]; l < a.start[k + 1]; l++) {
        if (a.column[l] <= k) continue;
        auto target = places.find(a.column[l]);
        if (target != places.end()) a.value[target->second] -= a.value[at] * a.value[l];
      }
    }
    auto own = places.find(i);
    if (own != places.end()) {
      W& value = a.value[own->second];
      if (boost.on && magnitude(value) <= boost.tolerance) value = boost.value;
      diagonal[i] = own->second;
    }
    if (pivot < 0 && (diagonal[i] < 0 || a.value[diagonal[i]] == W(0))) pivot = i;
  }
  return pivot;
}

/** Incomplete Cholesky of the lower triangle without fill, in place; the first bad row, or -1. */
template <class W>
int64_t incompleteCholesky(Rows<W>& a) {
  int64_t pivot = -1;
  std::vector<std::map<int64_t, int64_t>> rows(a.rows);
  for (int64_t i = 0; i < a.rows; i++) {
    for (auto [column, at] : placesOf(a, i)) {
      if (column <= i) rows[i][column] = at;
    }
    for (auto [j, at] : rows[i]) {
      W sum = a.value[at];
      auto& other = rows[j];
      for (auto [k, left] : rows[i]) {
        if (k >= j) break;
        auto right = other.find(k);
        if (right != other.end()) sum -= a.value[left] * conjugate(a.value[right->second]);
      }
      if (j == i) {
        double real = realPart(sum);
        if (pivot < 0 && !(real > 0)) pivot = i;
        a.value[at] = W(std::sqrt(real));
      } else {
        auto diagonal = other.find(j);
        if (diagonal != other.end()) a.value[at] = sum / conjugate(a.value[diagonal->second]);
      }
    }
    if (pivot < 0 && !rows[i].count(i)) pivot = i;
  }
  return pivot;
}

/** Solves a band matrix by elimination with or without exchange of rows; 2 below, 2 above at most. */
template <class W>
void solveBand(std::vector<std::vector<W>>& a, std::vector<std::vector<W>>& f, int64_t below,
               int64_t above, bool exchange) {
  auto m = static_cast<int64_t>(a.size());
  int64_t width = exchange ? above + below : above;
  for (int64_t i = 0; i < m; i++) {
    int64_t best = i;
    int64_t last = std::min(m - 1, i + below);
    for (int64_t r = i + 1; exchange && r <= last; r++) {
      if (size1(a[r][i - r + below]) > size1(a[best][i - best + below])) best = r;
    }
    // Element (r, c) of the band is a[r][c - r + below].
    if (best != i) {
      for (int64_t c = i; c <= std::min(m - 1, i + width); c++) {
        std::swap(a[i][c - i + below], a[best][c - best + below]);
      }
      std::swap(f[i], f[best]);
    }
    for (int64_t r = i + 1; r <= last; r++) {
      W factor = a[r][i - r + below] / a[i][below];
      if (factor == W(0)) continue;
      for (int64_t c = i; c <= std::min(m - 1, i + width); c++) {
        a[r][c - r + below] -= factor * a[i][c - i + below];
      }
      for (size_t j = 0; j < f[r].size(); j++) f[r][j] -= factor * f[i][j];
    }
  }
  for (int64_t i = m; i-- > 0;) {
    for (size_t j = 0; j < f[i].size(); j++) {
      W sum = f[i][j];
      for (int64_t c = i + 1; c <= std::min(m - 1, i + width); c++) {
        sum -= a[i][c - i + below] * f[c][j];
      }
      f[i][j] = sum / a[i][below];
    }
  }
}

}  // namespace rocport::sparse
