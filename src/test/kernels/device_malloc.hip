// exact: malloc, free, new and delete on the device: lists, odd sizes, reuse
#include "check.h"

struct Node {
  unsigned value;
  Node* next;
};

__global__ void lists(unsigned* out, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node* head = nullptr;
  for (int k = 0; k < length; k++) head = new Node{bits(i * length + k), head};
  unsigned sum = 0;
  while (head) {
    sum = sum * 31 + head->value;
    Node* next = head->next;
    delete head;
    head = next;
  }
  out[i] = sum;
}

__global__ void sizes(unsigned* out) {
  int i = threadIdx.x;
  size_t n = 1 + bits(i) % 300;
  auto* p = static_cast<uint8_t*>(malloc(n));
  if (!p) {
    out[i] = 0;
    return;
  }
  for (size_t k = 0; k < n; k++) p[k] = uint8_t(i + k);
  __syncthreads();
  unsigned sum = unsigned(n);
  for (size_t k = 0; k < n; k++) sum = sum * 17 + p[k];
  out[i] = sum;
  free(p);
}

int main() {
  Check check;
  constexpr int n = 96, length = 5;
  Buffer<unsigned> a(n), b(n);
  lists<<<2, n / 2>>>(a.get(), length);
  sizes<<<1, n>>>(b.get());
  std::vector<unsigned> wa(n), wb(n);
  for (int i = 0; i < n; i++) {
    for (int k = length; k-- > 0;) wa[i] = wa[i] * 31 + bits(i * length + k);
    size_t size = 1 + bits(i) % 300;
    wb[i] = unsigned(size);
    for (size_t k = 0; k < size; k++) wb[i] = wb[i] * 17 + uint8_t(i + k);
  }
  check.same("lists", a.host(), wa);
  check.same("sizes", b.host(), wb);
  return check.end();
}
