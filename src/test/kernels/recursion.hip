// quick exact: recursion with a dynamic stack: Ackermann, Fibonacci, quicksort, a tree walk
#include "check.h"

BOTH unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

BOTH unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

BOTH void quicksort(int* a, int low, int high) {
  if (low >= high) return;
  int pivot = a[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i <= j) {
      int t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}

BOTH long long walk(const int* keys, int node, int n, long long path) {
  if (node >= n) return path;
  long long left = walk(keys, 2 * node + 1, n, path * 3 + keys[node]);
  long long right = walk(keys, 2 * node + 2, n, path * 5 - keys[node]);
  return left ^ (right << 1);
}

constexpr int kItems = 24;

BOTH void all(unsigned i, unsigned* u, int* sorted, long long* w) {
  u[0] = ackermann(2, i % 4);
  u[1] = fibonacci(i % 11);
  for (int k = 0; k < kItems; k++) sorted[k] = int(bits(i * kItems + k));
  *w = walk(sorted, 0, 15, i);
  quicksort(sorted, 0, kItems - 1);
}

__global__ void run(unsigned* u, int* sorted, long long* w) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // The compiler may fold an offset that leads into an aperture from below it, which faults on
  // silicon as on the device; so the array does not start where the aperture does.
  int local[kItems + 4];
  all(i, u + 2 * i, local + 4, w + i);
  for (int k = 0; k < kItems; k++) sorted[i * kItems + k] = local[k + 4];
}

int main() {
  Check check;
  constexpr int n = 100;
  Buffer<unsigned> u(2 * n);
  Buffer<int> s(n * kItems);
  Buffer<long long> w(n);
  run<<<2, n / 2>>>(u.get(), s.get(), w.get());
  std::vector<unsigned> wu(2 * n);
  std::vector<int> ws(n * kItems);
  std::vector<long long> ww(n);
  for (int i = 0; i < n; i++) all(i, &wu[2 * i], &ws[i * kItems], &ww[i]);
  check.same("numbers", u.host(), wu);
  check.same("sorted", s.host(), ws);
  check.same("walk", w.host(), ww);
  return check.end();
}
