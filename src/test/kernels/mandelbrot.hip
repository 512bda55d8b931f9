// exact: Mandelbrot iteration counts in float and double, divergent loops
#include "check.h"

template <class T>
BOTH int iterate(T x, T y, int limit) {
  T a = 0, b = 0;
  int n = 0;
  while (n < limit && a * a + b * b <= 4) {
    T t = a * a - b * b + x;
    b = 2 * a * b + y;
    a = t;
    n++;
  }
  return n;
}

template <class T>
BOTH int pixel(int x, int y, int width, int height) {
  return iterate<T>(T(x) / width * 3 - 2, T(y) / height * 2 - 1, 120);
}

template <class T>
__global__ void draw(int* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = pixel<T>(x, y, width, height);
}

template <class T>
void run(Check& check, const char* name) {
  constexpr int width = 70, height = 45;
  Buffer<int> out(width * height);
  draw<T><<<dim3(9, 12), dim3(8, 4)>>>(out.get(), width, height);
  std::vector<int> want(width * height);
  for (int i = 0; i < width * height; i++) want[i] = pixel<T>(i % width, i / width, width, height);
  check.same(name, out.host(), want);
}

int main() {
  Check check;
  run<float>(check, "float");
  run<double>(check, "double");
  return check.end();
}
