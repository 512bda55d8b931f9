// Conversions between formats, and sums and products that make new matrices.
#include "call.h"

namespace rocport::sparse {
namespace {

template <class T>
using W = Wide<T>;

/** A description alone, for a result. */
Matrix result(Call& call, int64_t rows, int64_t columns) {
  return call.described(call.object<Description>(), rows, columns, 0);
}

void csr2coo(Call& call) {
  Indices offsets = call.indices();
  call.skip();
  int64_t m = call.size();
  Indices rows = call.indices();
  int base = call.base();
  call.run([=] {
    for (int64_t r = 0; r < m; r++) {
      for (int64_t k = offsets[r] - base; k < offsets[r + 1] - base; k++) rows.set(k, r + base);
    }
  });
}

void coo2csr(Call& call) {
  Indices rows = call.indices();
  int64_t count = call.size();
  int64_t m = call.size();
  Indices offsets = call.indices();
  int base = call.base();
  call.run([=] {
    int64_t k = 0;
    for (int64_t r = 0; r <= m; r++) {
      while (k < count && rows[k] - base < r) k++;
      offsets.set(r, k + base);
    }
  });
}

void transpose(Call& call, const Matrix& a, Indices offsets, Indices rows, Values values) {
  call.run([=] {
    auto turned = rowsOf<Z>(a, {true, false}, values.at != nullptr);
    Matrix to;
    to.base = a.base;
    to.offsets = offsets;
    to.indices = rows;
    to.values = values;
    write(turned, to);
  });
}

bool numeric(Call& call) {
  int64_t action = call.integer();
  require(action == HIPSPARSE_ACTION_SYMBOLIC || action == HIPSPARSE_ACTION_NUMERIC);
  return action == HIPSPARSE_ACTION_NUMERIC;
}

template <class T>
void csr2csc(Call& call) {
  Matrix a;
  a.rows = call.size();
  a.columns = call.size();
  a.count = call.size();
  a.values = call.values<T>();
  a.offsets = call.indices();
  a.indices = call.indices();
  Values values = call.values<T>();
  Indices rows = call.indices();
  Indices offsets = call.indices();
  if (!numeric(call)) values.at = nullptr;
  a.base = call.base();
  transpose(call, a, offsets, rows, values);
}

void csr2cscEx2Buffer(Call& call) {
  call.skip(13);
  call.bufferSize<size_t>();
}

void csr2cscEx2(Call& call) {
  Matrix a;
  a.rows = call.size();
  a.columns = call.size();
  a.count = call.size();
  a.values.at = call.pointer<void>();
  a.offsets = call.indices();
  a.indices = call.indices();
  Values values;
  values.at = call.pointer<void>();
  Indices offsets = call.indices();
  Indices rows = call.indices();
  a.values.type = values.type = static_cast<hipDataType>(call.integer());
  require(Values::known(values.type), HIPSPARSE_STATUS_NOT_SUPPORTED);
  if (!numeric(call)) values.at = nullptr;
  a.base = call.base();
  transpose(call, a, offsets, rows, values);
}

void identity(Call& call) {
  int64_t n = call.size();
  Indices p = call.indices();
  call.run([=] {
    for (int64_t i = 0; i < n; i++) p.set(i, i);
  });
}

void sortBuffer(Call& call) {
  call.skip(5);
  call.bufferSize<size_t>();
}

/** Puts arrays into another order. */
void permute(const std::vector<int64_t>& order, int64_t first, std::initializer_list<Indices> arrays) {
  for (const Indices& array : arrays) {
    if (!array.at) continue;
    std::vector<int64_t> old(order.size());
    for (size_t i = 0; i < order.size(); i++) old[i] = array[first + order[i]];
    for (size_t i = 0; i < order.size(); i++) array.set(first + static_cast<int64_t>(i), old[i]);
  }
}

template <class Less>
std::vector<int64_t> sorted(int64_t count, Less less) {
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), less);
  return order;
}

/** Each line of a CSR or CSC matrix. */
template <bool columns>
void sortLines(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  call.skip();
  int base = call.object<Description>().base;
  Indices offsets = call.indices();
  Indices indices = call.indices();
  Indices p = call.indices();
  int64_t lines = columns ? n : m;
  call.run([=] {
    for (int64_t line = 0; line < lines; line++) {
      int64_t first = offsets[line] - base;
      int64_t count = offsets[line + 1] - base - first;
      auto order = sorted(
          count, [&](int64_t a, int64_t b) { return indices[first + a] < indices[first + b]; });
      permute(order, first, {indices, p});
    }
  });
}

template <bool byColumns>
void coosort(Call& call) {
  call.skip(2);
  int64_t count = call.size();
  Indices rows = call.indices();
  Indices columns = call.indices();
  Indices p = call.indices();
  call.run([=] {
    Indices first = byColumns ? columns : rows;
    Indices second = byColumns ? rows : columns;
    auto order = sorted(count, [&](int64_t a, int64_t b) {
      return first[a] != first[b] ? first[a] < first[b] : second[a] < second[b];
    });
    permute(order, 0, {rows, columns, p});
  });
}

template <class T>
void nnz(Call& call) {
  bool byRows = call.byRows();
  int64_t m = call.size();
  int64_t n = call.size();
  call.skip();
  Values a = call.values<T>();
  int64_t ld = call.integer();
  Indices counts = call.indices();
  int* total = call.result<int>();
  call.run([=] {
    std::vector<int64_t> found(byRows ? m : n, 0);
    int64_t sum = 0;
    for (int64_t j = 0; j < n; j++) {
      for (int64_t i = 0; i < m; i++) {
        if (a.get<W<T>>(i + j * ld) == W<T>(0)) continue;
        found[byRows ? i : j]++;
        sum++;
      }
    }
    for (size_t i = 0; i < found.size(); i++) counts.set(static_cast<int64_t>(i), found[i]);
    *total = static_cast<int>(sum);
  });
}

template <class T, Format format>
void fromDense(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  Matrix to = result(call, m, n);
  to.format = format;
  Values a = call.values<T>();
  int64_t ld = call.integer();
  call.skip();  // counts, which are computed again
  to.values = call.values<T>();
  // The arrays of columns and rows are swapped with the format.
  if (format == Format::CSR) to.offsets = call.indices();
  to.indices = call.indices();
  if (format == Format::CSC) to.offsets = call.indices();
  call.run([=] {
    Made<W<T>> made(m, n);
    for (int64_t i = 0; i < m; i++) {
      for (int64_t j = 0; j < n; j++) {
        W<T> value = a.get<W<T>>(i + j * ld);
        if (value != W<T>(0)) made.add(j, value);
      }
      made.endRow();
    }
    write(made.all(), to);
  });
}

template <class T>
void dense2csr(Call& call) {
  fromDense<T, Format::CSR>(call);
}

template <class T>
void dense2csc(Call& call) {
  fromDense<T, Format::CSC>(call);
}

template <class T, Format format>
void toDense(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  Matrix a = result(call, m, n);
  a.format = format;
  a.values = call.values<T>();
  if (format == Format::CSR) a.offsets = call.indices();
  a.indices = call.indices();
  if (format == Format::CSC) a.offsets = call.indices();
  Dense to;
  to.values = call.values<T>();
  to.ld = call.integer();
  require(to.ld >= std::max<int64_t>(1, m));
  call.run([=] {
    for (int64_t j = 0; j < n; j++) {
      for (int64_t i = 0; i < m; i++) to.set(i, j, W<T>(0));
    }
    elements(a, [&](int64_t r, int64_t c, int64_t k) { to.set(r, c, a.values.get<W<T>>(k)); });
  });
}

template <class T>
void csr2dense(Call& call) {
  toDense<T, Format::CSR>(call);
}

template <class T>
void csc2dense(Call& call) {
  toDense<T, Format::CSC>(call);
}

/** The columns of blocks in each row of blocks. */
std::vector<std::vector<int64_t>> blocksOf(const Matrix& a, int64_t block) {
  std::vector<std::vector<int64_t>> columns((a.rows + block - 1) / block);
  elements(a, [&](int64_t r, int64_t c, int64_t) { columns[r / block].push_back(c / block); });
  for (auto& row : columns) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return columns;
}

int64_t writeOffsets(const std::vector<std::vector<int64_t>>& columns, Indices offsets, int base) {
  int64_t count = 0;
  offsets.set(0, base);
  for (size_t r = 0; r < columns.size(); r++) {
    count += static_cast<int64_t>(columns[r].size());
    offsets.set(static_cast<int64_t>(r) + 1, count + base);
  }
  return count;
}

void csr2bsrNnz(Call& call) {
  call.byRows();
  int64_t m = call.size();
  int64_t n = call.size();
  Matrix a = result(call, m, n);
  a.offsets = call.indices();
  a.indices = call.indices();
  int64_t block = call.integer();
  require(block > 0);
  int base = call.object<Description>().base;
  Indices offsets = call.indices();
  int* total = call.result<int>();
  call.run([=] { *total = static_cast<int>(writeOffsets(blocksOf(a, block), offsets, base)); });
}

template <class T>
void csr2bsr(Call& call) {
  bool byRows = call.byRows();
  int64_t m = call.size();
  int64_t n = call.size();
  Matrix a = call.csr<T>(m, n, 0);
  int64_t block = call.integer();
  require(block > 0);
  int base = call.object<Description>().base;
  Values values = call.values<T>();
  Indices offsets = call.indices();
  Indices indices = call.indices();
  call.run([=] {
    auto columns = blocksOf(a, block);
    int64_t count = writeOffsets(columns, offsets, base);
    for (int64_t k = 0; k < count * block * block; k++) values.set(k, W<T>(0));
    for (size_t r = 0; r < columns.size(); r++) {
      int64_t first = offsets[static_cast<int64_t>(r)] - base;
      for (size_t k = 0; k < columns[r].size(); k++) {
        indices.set(first + static_cast<int64_t>(k), columns[r][k] + base);
      }
    }
    elements(a, [&](int64_t r, int64_t c, int64_t k) {
      const auto& row = columns[r / block];
      int64_t which = std::lower_bound(row.begin(), row.end(), c / block) - row.begin();
      int64_t i = r % block;
      int64_t j = c % block;
      int64_t place = byRows ? i * block + j : j * block + i;
      int64_t first = offsets[r / block] - base;
      values.set((first + which) * block * block + place, a.values.get<W<T>>(k));
    });
  });
}

template <class T, bool square>
void expand(Call& call) {
  bool byRows = call.byRows();
  int64_t m = call.size();
  int64_t n = call.size();
  Matrix a = call.csr<T>(m, n, 0);
  int64_t height = call.integer();
  int64_t width = square ? height : call.integer();
  call.blocks(a, byRows, height, width);
  Matrix to = result(call, a.rows, a.columns);
  to.values = call.values<T>();
  to.offsets = call.indices();
  to.indices = call.indices();
  call.run([=] { write(rowsOf<W<T>>(a), to); });
}

template <class T>
void bsr2csr(Call& call) {
  expand<T, true>(call);
}

template <class T>
void gebsr2csr(Call& call) {
  expand<T, false>(call);
}

/** The pattern of a matrix: a description, a count, offsets and columns. */
Matrix pattern(Call& call, int64_t rows, int64_t columns) {
  const Description& description = call.object<Description>();
  int64_t count = call.size();
  Matrix made = call.described(description, rows, columns, count);
  made.offsets = call.indices();
  made.indices = call.indices();
  return made;
}

template <class T>
Matrix counted(Call& call, int64_t rows, int64_t columns) {
  const Description& description = call.object<Description>();
  int64_t count = call.size();
  Matrix made = call.described(description, rows, columns, count);
  made.values = call.values<T>();
  made.offsets = call.indices();
  made.indices = call.indices();
  return made;
}

void writeCount(const Rows<double>& made, Matrix to, int* total) {
  to.indices.at = nullptr;
  to.values.at = nullptr;
  write(made, to);
  *total = static_cast<int>(made.count());
}

void geamNnz(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  Matrix a = pattern(call, m, n);
  Matrix b = pattern(call, m, n);
  Matrix c = result(call, m, n);
  c.offsets = call.indices();
  int* total = call.result<int>();
  call.run([=] {
    writeCount(sum(rowsOf<double>(a, {}, false), 1.0, rowsOf<double>(b, {}, false), 1.0), c, total);
  });
}

template <class T>
void geam(Call& call) {
  int64_t m = call.size();
  int64_t n = call.size();
  Scalar alpha = call.scalar<T>();
  Matrix a = counted<T>(call, m, n);
  Scalar beta = call.scalar<T>();
  Matrix b = counted<T>(call, m, n);
  Matrix c = result(call, m, n);
  c.values = call.values<T>();
  c.offsets = call.indices();
  c.indices = call.indices();
  call.run([=] {
    write(sum(rowsOf<W<T>>(a), alpha.get<W<T>>(), rowsOf<W<T>>(b), beta.get<W<T>>()), c);
  });
}

void geamBuffer(Call& call) {
  call.skip(18);
  call.bufferSize<size_t>();
}

struct Shapes {
  Turn a;
  Turn b;
  int64_t m;
  int64_t n;
  int64_t k;
};

Shapes shapesOf(Call& call) {
  Shapes shapes;
  shapes.a = call.turn();
  shapes.b = call.turn();
  shapes.m = call.size();
  shapes.n = call.size();
  shapes.k = call.size();
  return shapes;
}

void gemmNnz(Call& call) {
  Shapes s = shapesOf(call);
  Matrix a = s.a.transposed ? pattern(call, s.k, s.m) : pattern(call, s.m, s.k);
  Matrix b = s.b.transposed ? pattern(call, s.n, s.k) : pattern(call, s.k, s.n);
  Matrix c = result(call, s.m, s.n);
  c.offsets = call.indices();
  int* total = call.result<int>();
  call.run([=] {
    writeCount(product(rowsOf<double>(a, s.a, false), rowsOf<double>(b, s.b, false), 1.0), c, total);
  });
}

template <class T>
void gemm(Call& call) {
  Shapes s = shapesOf(call);
  Matrix a = s.a.transposed ? counted<T>(call, s.k, s.m) : counted<T>(call, s.m, s.k);
  Matrix b = s.b.transposed ? counted<T>(call, s.n, s.k) : counted<T>(call, s.k, s.n);
  Matrix c = result(call, s.m, s.n);
  c.values = call.values<T>();
  call.skip();  // the offsets, which already exist
  c.indices = call.indices();
  call.run([=] { write(product(rowsOf<W<T>>(a, s.a), rowsOf<W<T>>(b, s.b), W<T>(1)), c); });
}

}  // namespace
}  // namespace rocport::sparse

using namespace rocport;
using namespace rocport::sparse;

ONE(Xcsr2coo, csr2coo)
ONE(Xcoo2csr, coo2csr)
TYPES(csr2csc, csr2csc)
ONE(Csr2cscEx2_bufferSize, csr2cscEx2Buffer)
ONE(Csr2cscEx2, csr2cscEx2)
ONE(CreateIdentityPermutation, identity)
ONE(Xcsrsort_bufferSizeExt, sortBuffer)
ONE(Xcsrsort, sortLines<false>)
ONE(Xcscsort_bufferSizeExt, sortBuffer)
ONE(Xcscsort, sortLines<true>)
ONE(Xcoosort_bufferSizeExt, sortBuffer)
ONE(XcoosortByRow, coosort<false>)
ONE(XcoosortByColumn, coosort<true>)
TYPES(nnz, nnz)
TYPES(dense2csr, dense2csr)
TYPES(dense2csc, dense2csc)
TYPES(csr2dense, csr2dense)
TYPES(csc2dense, csc2dense)
ONE(Xcsr2bsrNnz, csr2bsrNnz)
TYPES(csr2bsr, csr2bsr)
TYPES(bsr2csr, bsr2csr)
TYPES(gebsr2csr, gebsr2csr)
ONE(XcsrgeamNnz, geamNnz)
TYPES(csrgeam, geam)
ONE(Scsrgeam2_bufferSizeExt, geamBuffer)
ONE(Dcsrgeam2_bufferSizeExt, geamBuffer)
ONE(Ccsrgeam2_bufferSizeExt, geamBuffer)
ONE(Zcsrgeam2_bufferSizeExt, geamBuffer)
ONE(Xcsrgeam2Nnz, geamNnz)
TYPES(csrgeam2, geam)
ONE(XcsrgemmNnz, gemmNnz)
TYPES(csrgemm, gemm)
