// Matrices and vectors in memory, element by element, whatever their storage and structure.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "number.h"

namespace rocport {

/** n numbers inc apart; a negative inc begins with the last in memory, as in BLAS. */
template <class T>
struct Vector {
  T* data;
  int64_t n;
  int64_t inc;

  T& at(int64_t i) const { return data[(inc < 0 ? i - (n - 1) : i) * inc]; }
  Wide<T> operator[](int64_t i) const { return widen<std::remove_const_t<T>>(at(i)); }
  template <class W>
  void set(int64_t i, W value) const {
    at(i) = narrow<T>(value);
  }
  std::vector<Wide<T>> copy() const {
    std::vector<Wide<T>> all(n);
    for (int64_t i = 0; i < n; i++) all[i] = (*this)[i];
    return all;
  }
};

enum class Storage { FULL, BAND, PACKED };
enum class Structure { GENERAL, SYMMETRIC, HERMITIAN, TRIANGULAR };

/** What an element's address and value follow from. */
struct Layout {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t ld = 0;
  Storage storage = Storage::FULL;
  Structure structure = Structure::GENERAL;
  bool upper = false;  // the part that is stored, unless GENERAL
  bool unit = false;
  int64_t below = 0;  // diagonals of a band
  int64_t above = 0;

  int64_t offset(int64_t i, int64_t j) const {
    switch (storage) {
      case Storage::BAND:
        return above + i - j + j * ld;
      case Storage::PACKED:
        return upper ? i + j * (j + 1) / 2 : i + j * (2 * rows - j - 1) / 2;
      default:
        return i + j * ld;
    }
  }
};

/** A matrix to read, perhaps transposed or conjugated. */
template <class T>
struct Operand {
  const T* data;
  Layout layout;
  bool transposed = false;
  bool conjugated = false;

  int64_t rows() const { return transposed ? layout.columns : layout.rows; }
  int64_t columns() const { return transposed ? layout.rows : layout.columns; }

  Wide<T> operator()(int64_t i, int64_t j) const {
    using W = Wide<T>;
    bool flip = conjugated;
    bool diagonal = i == j;
    if (transposed) std::swap(i, j);
    bool stored = layout.upper ? i <= j : i >= j;
    switch (layout.structure) {
      case Structure::GENERAL:
        break;
      case Structure::TRIANGULAR:
        if (!stored) return W(0.0);
        if (diagonal && layout.unit) return W(1.0);
        break;
      case Structure::HERMITIAN:
        if (!stored) flip = !flip;
        [[fallthrough]];
      case Structure::SYMMETRIC:
        if (!stored) std::swap(i, j);
        break;
    }
    if (layout.storage == Storage::BAND && (i - j > layout.below || j - i > layout.above)) return W(0.0);
    W value = widen<T>(data[layout.offset(i, j)]);
    if (layout.structure == Structure::HERMITIAN && diagonal) return W(realPart(value));
    return flip ? conjugate(value) : value;
  }

  /** The rows of column j that may hold something, from first to before end. */
  std::pair<int64_t, int64_t> range(int64_t j) const {
    if (layout.storage != Storage::BAND) return {0, rows()};
    bool both = layout.structure == Structure::SYMMETRIC || layout.structure == Structure::HERMITIAN;
    int64_t widest = std::max(layout.above, layout.below);
    int64_t up = both ? widest : transposed ? layout.below : layout.above;
    int64_t down = both ? widest : transposed ? layout.above : layout.below;
    return {std::max<int64_t>(0, j - up), std::min(rows(), j + down + 1)};
  }
};

/** A matrix to change. */
template <class T>
struct Target {
  T* data;
  Layout layout;

  Wide<T> operator()(int64_t i, int64_t j) const { return widen<T>(data[layout.offset(i, j)]); }
  template <class W>
  void set(int64_t i, int64_t j, W value) const {
    data[layout.offset(i, j)] = narrow<T>(value);
  }
};

/** A matrix of this library's own, column after column. */
template <class W>
struct Dense {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<W> all;

  Dense() = default;
  Dense(int64_t rows, int64_t columns) : rows(rows), columns(columns), all(rows * columns, W(0.0)) {}

  W& operator()(int64_t i, int64_t j) { return all[i + j * rows]; }
  const W& operator()(int64_t i, int64_t j) const { return all[i + j * rows]; }
  W* column(int64_t j) { return all.data() + j * rows; }
  const W* column(int64_t j) const { return all.data() + j * rows; }

  template <class From>
  static Dense of(int64_t rows, int64_t columns, const From& from) {
    Dense made(rows, columns);
    for (int64_t j = 0; j < columns; j++) {
      for (int64_t i = 0; i < rows; i++) made(i, j) = from(i, j);
    }
    return made;
  }

  static Dense identity(int64_t n) {
    Dense made(n, n);
    for (int64_t i = 0; i < n; i++) made(i, i) = W(1.0);
    return made;
  }

  /** The conjugate transpose. */
  Dense adjoint() const {
    return of(columns, rows, [&](int64_t i, int64_t j) { return conjugate((*this)(j, i)); });
  }
};

/** Which part of a result is written. */
enum class Part { ALL, UPPER, LOWER };

inline bool within(Part part, int64_t i, int64_t j) {
  return part == Part::ALL || (part == Part::UPPER ? i <= j : i >= j);
}

}  // namespace rocport
