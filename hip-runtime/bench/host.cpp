// The work of kernels.hip on one core of the processor: prints the seconds of the reduction and the matmul.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int TILE = 16;

template <class F>
double best(int rounds, F work) {
  double least = 1e9;
  for (int i = 0; i < rounds; i++) {
    auto start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (took.count() < least) least = took.count();
  }
  return least;
}

// Each of the grid's threads sums its stride, as the kernel does.
float reduction(const std::vector<float>& in, int threads) {
  std::vector<float> sums(threads, 0.0f);
  for (size_t i = 0; i < in.size(); i += threads)
    for (int t = 0; t < threads; t++) sums[t] += in[i + t];
  float sum = 0;
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

}  // namespace

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 24;
  int m = argc > 2 ? atoi(argv[2]) : 512;
  std::vector<float> in(n, 1.0f), a(m * m, 1.0f), b(m * m, 2.0f), c(m * m);
  volatile float sink = 0;
  double first = best(5, [&] { sink = reduction(in, 65536); });
  double second = best(5, [&] {
    matmul(a.data(), b.data(), c.data(), m);
    sink = c[m];
  });
  printf("%.6f %.6f\n", first, second);
  return sink == 0;
}
