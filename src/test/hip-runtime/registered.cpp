// The program's own memory, registered at any alignment.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "check.h"

static void neighboursOfOneHeap() {
  constexpr int COUNT = 50;
  std::vector<char*> pieces;
  auto size = [](int i) { return static_cast<size_t>(500 + i * 97); };
  for (int i = 0; i < COUNT; i++) {
    pieces.push_back(static_cast<char*>(std::malloc(size(i))));
    std::memset(pieces[i], i, size(i));
  }
  for (int i = 0; i < COUNT; i++) WORKS(hipHostRegister(pieces[i], size(i), hipHostRegisterDefault));
  GIVES(hipHostRegister(pieces[3], 10, 0), hipErrorHostMemoryAlreadyRegistered);
  for (int i = 0; i < COUNT; i++) {
    char* device = nullptr;
    WORKS(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), pieces[i], 0));
    HOLDS(device != nullptr && device[0] == i && device[size(i) - 1] == i);
    device[1] = 99;
    HOLDS(pieces[i][1] == 99);
    char two[2];
    WORKS(hipMemcpy(two, device, 2, hipMemcpyDeviceToHost));
    HOLDS(two[1] == 99);
  }
  for (int i = 0; i < COUNT; i++) {
    WORKS(hipHostUnregister(pieces[i]));
    HOLDS(pieces[i][0] == i && pieces[i][1] == 99 && pieces[i][size(i) - 1] == i);
    std::free(pieces[i]);
  }
}

static void aLargeOne() {
  constexpr size_t SIZE = 40 << 20;
  char* memory = static_cast<char*>(std::malloc(SIZE));
  std::memset(memory, 5, SIZE);
  WORKS(hipHostRegister(memory + 3, SIZE - 7, 0));
  char* device = nullptr;
  WORKS(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), memory + 1000003, 0));
  HOLDS(*device == 5);
  *device = 6;
  HOLDS(memory[1000003] == 6);
  WORKS(hipHostUnregister(memory + 3));
  HOLDS(memory[1000003] == 6 && memory[1000004] == 5);
  GIVES(hipHostUnregister(memory + 3), hipErrorHostMemoryNotRegistered);
  GIVES(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), memory, 0), hipErrorInvalidValue);
  std::free(memory);
}

int main() {
  for (int round = 0; round < 2; round++) neighboursOfOneHeap();
  aLargeOne();
  return done();
}
