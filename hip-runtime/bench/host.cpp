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
constexpr int NONZEROS = 16;
constexpr int POINTS = 1024;
constexpr int WIDTH = 64;
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

void stencil(const float* in, float* out, size_t n) {
  size_t plane = n * n;
  memcpy(out, in, 4 * plane);
  memcpy(out + (n - 1) * plane, in + (n - 1) * plane, 4 * plane);
  for (size_t z = 1; z < n - 1; z++) {
    memcpy(out + z * plane, in + z * plane, 4 * n);
    memcpy(out + z * plane + plane - n, in + z * plane + plane - n, 4 * n);
    for (size_t y = 1; y < n - 1; y++) {
      const float* at = in + z * plane + y * n;
      float* to = out + z * plane + y * n;
      to[0] = at[0];
      for (size_t x = 1; x < n - 1; x++) {
        const float* p = at + x;
        to[x] = 0.4f * p[0] + 0.1f * (*(p - plane) + p[plane] + p[-1] + p[1] + *(p - n) + p[n]);
      }
      to[n - 1] = at[n - 1];
    }
  }
}

void spmv(const float* values, const float* places, float* out, size_t rows) {
  for (size_t r = 0; r < rows; r++) {
    float sum = 0;
    for (size_t i = r * NONZEROS; i < (r + 1) * NONZEROS; i++) sum += values[i] * values[(int)(places[i] * (int)rows)];
    out[r] = sum;
  }
}

struct Complex {
  float x, y;
};

Complex operator+(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }
Complex operator-(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }
Complex operator*(Complex a, Complex b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

void fft(const float* in, float* out, size_t count) {
  static Complex data[2][POINTS], roots[POINTS];
  for (int i = 0; i < POINTS; i++) {
    float angle = -6.283185307f / POINTS * i;
    roots[i] = {cosf(angle), sinf(angle)};
  }
  for (size_t transform = 0; transform < count; transform++) {
    memcpy(data[0], in + 2 * transform * POINTS, sizeof data[0]);
    int side = 0;
    for (int length = 1; length < POINTS; length *= 4, side ^= 1) {
      const Complex* from = data[side];
      for (int block = 0; block < POINTS / 4; block += length) {
        Complex* to = data[side ^ 1] + 4 * block;
        for (int k = 0; k < length; k++) {
          int t = block + k, turn = k * (POINTS / 4 / length);
          Complex a = from[t], b = from[t + POINTS / 4] * roots[turn];
          Complex c = from[t + POINTS / 2] * roots[2 * turn], d = from[t + POINTS / 4 * 3] * roots[3 * turn];
          Complex e = a + c, f = a - c, g = b + d, h = b - d;
          to[k] = e + g;
          to[k + length] = {f.x + h.y, f.y - h.x};
          to[k + 2 * length] = e - g;
          to[k + 3 * length] = {f.x - h.y, f.y + h.x};
        }
      }
    }
    for (int i = 0; i < POINTS; i++) {
      Complex x = data[side][i];
      out[transform * POINTS + i] = sqrtf(x.x * x.x + x.y * x.y);
    }
  }
}

void attention(const float* in, const float* keys, float* out, size_t n) {
  std::vector<float> scores(n);
  for (size_t q = 0; q < n; q++) {
    const float* query = in + q * WIDTH;
    float most = -INFINITY, weight = 0;
    for (size_t k = 0; k < n; k++) {
#pragma clang fp reassociate(on)
      float score = 0;
      for (int i = 0; i < WIDTH; i++) score += query[i] * keys[k * WIDTH + i];
      scores[k] = score * 0.125f;
      most = scores[k] > most ? scores[k] : most;
    }
    float sum[WIDTH] = {};
    for (size_t k = 0; k < n; k++) {
      float e = expf(scores[k] - most);
      weight += e;
      for (int i = 0; i < WIDTH; i++) sum[i] += e * in[k * WIDTH + i];
    }
    for (int i = 0; i < WIDTH; i++) out[q * WIDTH + i] = sum[i] / weight;
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
  } else if (!strcmp(name, "matmul") || !strcmp(name, "mfma_matmul")) {
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
  } else if (!strcmp(name, "stencil")) {
    auto in = floats(n * n * n, 0);
    std::vector<float> out(n * n * n);
    double seconds = best([&] { stencil(in.data(), out.data(), n); });
    print(seconds, out);
  } else if (!strcmp(name, "spmv")) {
    auto values = floats(n, 0), places = floats(n, n);
    std::vector<float> out(n / NONZEROS);
    double seconds = best([&] { spmv(values.data(), places.data(), out.data(), n / NONZEROS); });
    print(seconds, out);
  } else if (!strcmp(name, "scan")) {
    auto in = integers(n);
    std::vector<uint32_t> out(n);
    double seconds = best([&] {
      uint32_t sum = 0;
      for (size_t i = 0; i < n; i++) out[i] = sum += in[i];
    });
    print(seconds, out);
  } else if (!strcmp(name, "fft")) {
    auto in = floats(2 * n, 0);
    std::vector<float> out(n);
    double seconds = best([&] { fft(in.data(), out.data(), n / POINTS); });
    print(seconds, out);
  } else if (!strcmp(name, "attention")) {
    auto in = floats(n * WIDTH, 0), keys = floats(n * WIDTH, n * WIDTH);
    std::vector<float> out(n * WIDTH);
    double seconds = best([&] { attention(in.data(), keys.data(), out.data(), n); });
    print(seconds, out);
  } else {
    return 2;
  }
}
