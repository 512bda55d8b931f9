// Sparse matrices of all formats, and the common form for computations.
#pragma once

#include <hipsparse/hipsparse.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "values.h"

namespace rocport::sparse {

enum class Format { CSR, CSC, COO, COO_PAIRS, BLOCKED_ELL, BSR };

/** A matrix in the program's memory. */
struct Matrix {
  Format format = Format::CSR;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t count = 0;  // of stored elements; of blocks in BSR
  Indices offsets;    // of rows, of columns in CSC; the row of each element in COO
  Indices indices;    // columns; rows in CSC; pairs in COO_PAIRS
  Values values;
  int base = 0;
  hipsparseMatrixType_t type = HIPSPARSE_MATRIX_TYPE_GENERAL;
  bool upper = false;  // which triangle, if one is requested
  bool unit = false;   // its diagonal is 1, whatever is stored
  // BSR and blocked ELL
  int64_t blockRows = 1;
  int64_t blockColumns = 1;
  bool rowMajorBlocks = true;
  int64_t ellColumns = 0;
  // batches
  int batches = 1;
  int64_t offsetsStride = 0;
  int64_t valuesStride = 0;

  Matrix batch(int64_t b) const {
    Matrix one = *this;
    one.offsets = offsets.from(b * offsetsStride);
    one.indices = indices.from(b * valuesStride);
    one.values = values.from(b * valuesStride);
    return one;
  }
};

/** visit(row, column, place among the values) for all elements, as they are stored. */
template <class Visit>
void elements(const Matrix& a, Visit visit) {
  auto lines = [&](int64_t count, auto&& one) {
    for (int64_t line = 0; line < count; line++) {
      int64_t end = a.offsets[line + 1] - a.base;
      for (int64_t k = a.offsets[line] - a.base; k < end; k++) one(line, a.indices[k] - a.base, k);
    }
  };
  switch (a.format) {
    case Format::CSR:
      return lines(a.rows, visit);
    case Format::CSC:
      return lines(a.columns, [&](int64_t column, int64_t row, int64_t k) { visit(row, column, k); });
    case Format::COO:
      for (int64_t k = 0; k < a.count; k++) visit(a.offsets[k] - a.base, a.indices[k] - a.base, k);
      return;
    case Format::COO_PAIRS:
      for (int64_t k = 0; k < a.count; k++) {
        visit(a.indices[2 * k] - a.base, a.indices[2 * k + 1] - a.base, k);
      }
      return;
    case Format::BLOCKED_ELL:
      return;
    case Format::BSR: {
      int64_t h = a.blockRows;
      int64_t w = a.blockColumns;
      lines(a.rows / h, [&](int64_t row, int64_t column, int64_t k) {
        for (int64_t i = 0; i < h; i++) {
          for (int64_t j = 0; j < w; j++) {
            int64_t place = a.rowMajorBlocks ? i * w + j : j * h + i;
            visit(row * h + i, column * w + j, k * h * w + place);
          }
        }
      });
      return;
    }
  }
}

/** Rows of elements, in the order in which they were stored. */
template <class W>
struct Rows {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<int64_t> start;  // rows + 1
  std::vector<int64_t> column;
  std::vector<W> value;
  std::vector<int64_t> place;  // among the matrix' values

  int64_t count() const { return static_cast<int64_t>(column.size()); }

  /** Orders each row by columns. */
  void sort() {
    std::vector<int64_t> order(column.size());
    std::iota(order.begin(), order.end(), 0);
    for (int64_t r = 0; r < rows; r++) {
      std::stable_sort(order.begin() + start[r], order.begin() + start[r + 1],
                       [&](int64_t a, int64_t b) { return column[a] < column[b]; });
    }
    Rows old = *this;
    for (size_t k = 0; k < order.size(); k++) {
      column[k] = old.column[order[k]];
      value[k] = old.value[order[k]];
      if (!place.empty()) place[k] = old.place[order[k]];
    }
  }
};

/** Rows that are made one after the other. */
template <class W>
class Made {
 public:
  Made(int64_t rows, int64_t columns) {
    made_.rows = rows;
    made_.columns = columns;
    made_.start.push_back(0);
  }

  void add(int64_t column, W value) {
    made_.column.push_back(column);
    made_.value.push_back(value);
  }

  void endRow() { made_.start.push_back(made_.count()); }

  Rows<W> all() { return std::move(made_); }

 private:
  Rows<W> made_;
};

struct Turn {
  bool transposed = false;
  bool conjugated = false;
};

/** op(A). numbers: whether values are looked at. */
template <class W>
Rows<W> rowsOf(const Matrix& a, Turn turn = {}, bool numbers = true) {
  Rows<W> made;
  made.rows = turn.transposed ? a.columns : a.rows;
  made.columns = turn.transposed ? a.rows : a.columns;
  made.start.assign(made.rows + 1, 0);
  elements(a, [&](int64_t r, int64_t c, int64_t) { made.start[(turn.transposed ? c : r) + 1]++; });
  for (int64_t r = 0; r < made.rows; r++) made.start[r + 1] += made.start[r];
  made.column.resize(made.start.back());
  made.value.resize(made.start.back());
  made.place.resize(made.start.back());
  std::vector<int64_t> next(made.start.begin(), made.start.end() - 1);
  elements(a, [&](int64_t r, int64_t c, int64_t k) {
    if (turn.transposed) std::swap(r, c);
    int64_t to = next[r]++;
    made.column[to] = c;
    made.place[to] = k;
    if (!numbers) return;
    W value = a.values.get<W>(k);
    made.value[to] = turn.conjugated ? conjugate(value) : value;
  });
  return made;
}

/** Writes rows as CSR, CSC or COO; what has no address is left out. */
template <class W>
void write(const Rows<W>& from, const Matrix& to) {
  if (to.format == Format::CSC) {
    std::vector<int64_t> start(to.columns + 1, 0);
    for (int64_t c : from.column) start[c + 1]++;
    for (int64_t c = 0; c < to.columns; c++) start[c + 1] += start[c];
    if (to.offsets.at) {
      for (int64_t c = 0; c <= to.columns; c++) to.offsets.set(c, start[c] + to.base);
    }
    for (int64_t r = 0; r < from.rows; r++) {
      for (int64_t k = from.start[r]; k < from.start[r + 1]; k++) {
        int64_t place = start[from.column[k]]++;
        if (to.indices.at) to.indices.set(place, r + to.base);
        if (to.values.at) to.values.set(place, from.value[k]);
      }
    }
    return;
  }
  if (to.format == Format::CSR && to.offsets.at) {
    for (int64_t r = 0; r <= from.rows; r++) to.offsets.set(r, from.start[r] + to.base);
  }
  for (int64_t r = 0; r < from.rows; r++) {
    for (int64_t k = from.start[r]; k < from.start[r + 1]; k++) {
      if (to.format == Format::COO && to.offsets.at) to.offsets.set(k, r + to.base);
      if (to.format == Format::COO_PAIRS && to.indices.at) {
        to.indices.set(2 * k, r + to.base);
        to.indices.set(2 * k + 1, from.column[k] + to.base);
      } else if (to.indices.at) {
        to.indices.set(k, from.column[k] + to.base);
      }
      if (to.values.at) to.values.set(k, from.value[k]);
    }
  }
}

/** A dense matrix. */
struct Dense {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t ld = 0;
  Values values;
  bool rowMajor = false;
  int batches = 1;
  int64_t stride = 0;

  int64_t place(int64_t i, int64_t j) const { return rowMajor ? i * ld + j : j * ld + i; }

  template <class W>
  W get(int64_t i, int64_t j, Turn turn = {}) const {
    W value = values.get<W>(turn.transposed ? place(j, i) : place(i, j));
    return turn.conjugated ? conjugate(value) : value;
  }

  template <class W>
  void set(int64_t i, int64_t j, W value) const {
    values.set(place(i, j), value);
  }

  Dense batch(int64_t b) const {
    Dense one = *this;
    one.values = values.from(b * stride);
    return one;
  }
};

}  // namespace rocport::sparse
