// exact: printf on the device: every conversion, order within a lane, strings, the result
#include "check.h"

__global__ void formats(int* results) {
  if (threadIdx.x != 0) return;
  int k = 0;
  results[k++] = printf("plain\n");
  results[k++] = printf("%d %i %u %x %X %o %c%c\n", -5, 7, 4000000000u, 255, 255, 8, 'o', 'k');
  results[k++] = printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%#x] [%.3d]\n", 42, 42, 42, 42, 42, 42, 7);
  results[k++] = printf("%lld %llu %llx %ld %hd %hhd\n", -1234567890123ll, 18446744073709551615ull, 0x123456789abcdefull,
                        -9l, short(-3), (signed char)-2);
  results[k++] = printf("%f %.2f %10.3f %-10.1f| %e %g %G\n", 1.5, 3.14159, 2.71828, 9.99, 12345.678, 0.0001, 1e20);
  results[k++] = printf("%s and %s, %8s|%-8s|%.2s\n", "one", "two", "right", "left", "cut");
  results[k++] = printf("%% %5.1f%% %a\n", 99.5f, 1.0);
  results[k++] = printf("%*d %-*d| %.*f\n", 6, 1, 4, 2, 2, 1.005);
  results[k++] = printf("%d %d %d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  const char* chosen = results[0] >= 0 ? "dynamic" : "never";
  results[k++] = printf("%s %f %f\n", chosen, INFINITY, -INFINITY);
}

__global__ void lines(int from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= from && i % 2) printf("lane %d of block %d\n", threadIdx.x, blockIdx.x);
}

int main() {
  Check check;
  Buffer<int> results(10);
  formats<<<1, 64>>>(results.get());
  DONE();
  printf("after formats\n");
  fflush(stdout);
  lines<<<1, 8>>>(2);
  DONE();
  std::vector<int> got = results.host();
  for (int r : got) check.that("printf returns at least 0", r >= 0);
  return check.end();
}
