// exact: virtual calls on objects made on the device, function pointers in tables and registers
#include "check.h"

struct Shape {
  BOTH Shape(int size) : size(size) {}
  BOTH virtual ~Shape() {}
  BOTH virtual int area() const = 0;
  BOTH virtual int scaled(int by) { return area() * by; }
  int size;
};
struct Square : Shape {
  using Shape::Shape;
  BOTH int area() const override { return size * size; }
};
struct Cross : Shape {
  BOTH Cross(int size, short arm) : Shape(size), arm(arm) {}
  BOTH int area() const override { return 4 * size * arm + arm * arm; }
  BOTH int scaled(int by) override { return Shape::scaled(by) ^ arm; }
  short arm;
};

using Operation = int (*)(int, int);
BOTH int add(int a, int b) { return a + b; }
BOTH int subtract(int a, int b) { return a - b; }
BOTH int multiply(int a, int b) { return a * b; }
BOTH int mix(int a, int b) { return (a << 3) ^ (b >> 2) ^ (a * 7); }
__device__ Operation deviceTable[4] = {add, subtract, multiply, mix};

__global__ void shapes(int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square(i % 13);
  Cross cross(i % 7, short(i % 5));
  Shape* chosen = bits(i) & 1 ? static_cast<Shape*>(&square) : &cross;
  out[i] = chosen->scaled(i);
}

__global__ void make(Shape** shapes, char* memory) {
  int i = threadIdx.x;
  shapes[i] = i % 3 ? static_cast<Shape*>(new (memory + 32 * i) Square(i)) : new (memory + 32 * i) Cross(i, short(i / 2));
}

__global__ void use(Shape** shapes, int* out) { out[threadIdx.x] = shapes[(threadIdx.x * 7) % blockDim.x]->scaled(3); }

__global__ void calls(int* out, Operation* table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Operation op = deviceTable[bits(i) % 4];
  int v = op(i, int(bits(i)));
  out[i] = table[i % 4](v, i);
}

__global__ void copyTable(Operation* to) {
  to[threadIdx.x] = deviceTable[3 - threadIdx.x];
}

int main() {
  Check check;
  constexpr int n = 160;
  std::vector<int> want(n);
  for (int i = 0; i < n; i++) {
    Square square(i % 13);
    Cross cross(i % 7, short(i % 5));
    want[i] = bits(i) & 1 ? square.scaled(i) : cross.scaled(i);
  }
  Buffer<int> out(n);
  shapes<<<2, n / 2>>>(out.get());
  check.same("shapes", out.host(), want);
  Buffer<Shape*> pointers(n);
  Buffer<char> memory(32 * n);
  make<<<1, n>>>(pointers.get(), memory.get());
  use<<<1, n>>>(pointers.get(), out.get());
  for (int t = 0; t < n; t++) {
    int i = t * 7 % n;
    want[t] = i % 3 ? Square(i).scaled(3) : Cross(i, short(i / 2)).scaled(3);
  }
  check.same("made", out.host(), want);
  Buffer<Operation> table(4);
  copyTable<<<1, 4>>>(table.get());
  calls<<<n / 32, 32>>>(out.get(), table.get());
  Operation host[4] = {add, subtract, multiply, mix};
  for (int i = 0; i < n; i++) want[i] = host[3 - i % 4](host[bits(i) % 4](i, int(bits(i))), i);
  check.same("calls", out.host(), want);
  return check.end();
}
