// The work of kernels.hip on one core of the processor: "host NAME SIZE" prints the seconds that the best of some
// rounds took, and then samples of the result.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

constexpr int TILE = 16;
constexpr int THREADS = 65536;
constexpr int COLUMNS = 1024;
constexpr int BINS = 256;
constexpr size_t SAMPLES = 4096;

// Seconds of the processor, which other work beside does not lengthen.
double processor() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

// The least of up to five rounds, of fewer where they are long.
template <class F>
double best(F work) {
  double least = 1e9, all = 0;
  for (int i = 0; i < 5 && all < 5; i++) {
    double start = processor();
    work();
    double took = processor() - start;
    all += took;
    if (took < least) least = took;
  }
  return least;
}

uint32_t bits(uint32_t i) {
  i *= 0x9e3779b1u;
  i ^= i >> 15;
  i *= 0x85ebca77u;
  return i ^ i >> 13;
}

std::vector<float> floats(size_t n, uint32_t first) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; i++) values[i] = (bits(first + i) >> 8) * 0x1p-24f;
  return values;
}

std::vector<uint32_t> integers(size_t n) {
  std::vector<uint32_t> values(n);
  for (size_t i = 0; i < n; i++) values[i] = bits(i);
  return values;
}

template <class T>
void print(double seconds, const std::vector<T>& result) {
  printf("%.9f\n", seconds);
  size_t count = result.size() < SAMPLES ? result.size() : SAMPLES;
  for (size_t i = 0; i < count; i++) printf("%.17g\n", (double)result[i * result.size() / count]);
}

// Each of the grid's threads sums its stride, as the kernel does.
float reduction(const std::vector<float>& in) {
  std::vector<float> sums(THREADS, 0.0f);
  for (size_t i = 0; i < in.size(); i += THREADS) {
    size_t end = in.size() - i < THREADS ? in.size() - i : THREADS;
    for (size_t t = 0; t < end; t++) sums[t] += in[i + t];
  }
  double sum = 0;
  for (float s : sums) sum += s;
  return sum;
}

void matmul(const float* a, const float* b, float* c, int n) {
  for (int by = 0; by < n; by += TILE)
    for (int bx = 0; bx < n; bx += TILE) {
      float sums[TILE][TILE] = {};
      for (int k = 0; k < n; k++)
        for (int y = 0; y < TILE; y++)
          for (int x = 0; x < TILE; x++) sums[y][x] += a[(by + y) * n + k] * b[k * n + bx + x];
      for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++) c[(by + y) * n + bx + x] = sums[y][x];
    }
}

void softmax(const float* in, float* out, size_t rows) {
  for (size_t r = 0; r < rows; r++, in += COLUMNS, out += COLUMNS) {
    float most = -INFINITY, sum = 0;
    for (int i = 0; i < COLUMNS; i++) most = in[i] > most ? in[i] : most;
    for (int i = 0; i < COLUMNS; i++) sum += out[i] = expf(in[i] - most);
    float scale = 1 / sum;
    for (int i = 0; i < COLUMNS; i++) out[i] *= scale;
  }
}

void bitonic(uint32_t* data, size_t n) {
  for (size_t k = 2; k <= n; k *= 2)
    for (size_t j = k / 2; j > 0; j /= 2)
      for (size_t start = 0; start < n; start += 2 * j)
        for (size_t i = start; i < start + j; i++) {
          uint32_t a = data[i], b = data[i + j];
          uint32_t less = a < b ? a : b, more = a < b ? b : a;
          bool up = (start & k) == 0;
          data[i] = up ? less : more;
          data[i + j] = up ? more : less;
        }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* name = argv[1];
  size_t n = strtoull(argv[2], nullptr, 10);
  if (!strcmp(name, "reduction")) {
    auto in = floats(n, 0);
    std::vector<float> out(1);
    double seconds = best([&] { out[0] = reduction(in); });
    print(seconds, out);
  } else if (!strcmp(name, "matmul")) {
    auto a = floats(n * n, 0), b = floats(n * n, n * n);
    std::vector<float> c(n * n);
    double seconds = best([&] { matmul(a.data(), b.data(), c.data(), n); });
    print(seconds, c);
  } else if (!strcmp(name, "softmax")) {
    auto in = floats(n, 0);
    std::vector<float> out(n);
    double seconds = best([&] { softmax(in.data(), out.data(), n / COLUMNS); });
    print(seconds, out);
  } else if (!strcmp(name, "histogram")) {
    auto in = integers(n);
    std::vector<uint32_t> out;
    double seconds = best([&] {
      out.assign(BINS, 0);
      for (uint32_t i : in) out[i >> 24]++;
    });
    print(seconds, out);
  } else if (!strcmp(name, "bitonic")) {
    auto in = integers(n), out = in;
    double seconds = best([&] {
      out = in;
      bitonic(out.data(), n);
    });
    print(seconds, out);
  } else {
    return 2;
  }
}
