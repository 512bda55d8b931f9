// The program's own memory, registered at any alignment.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
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
  GIVES(hipHostRegister(pieces[3] + 1, 10, 0), hipErrorHostMemoryAlreadyRegistered);
  GIVES(hipHostRegister(pieces[3], size(3) + 1, 0), hipErrorHostMemoryAlreadyRegistered);
  WORKS(hipHostRegister(pieces[3], 10, 0));
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

// Pieces of a heap share pages. One is registered before or after its neighbor, and taken back before or after it.
static void piecesOfAnySize(size_t size, int count) {
  std::vector<char*> pieces, devices(static_cast<size_t>(count));
  std::vector<int> order;
  for (int i = 0; i < count; i++) {
    pieces.push_back(static_cast<char*>(std::malloc(size)));
    std::memset(pieces[i], i, size);
    order.push_back(i * 7 % count);
  }
  for (int i : order) {
    WORKS(hipHostRegister(pieces[i], size, 0));
    WORKS(hipHostGetDevicePointer(reinterpret_cast<void**>(&devices[i]), pieces[i], 0));
  }
  for (int i = 0; i < count; i++) {
    const char number = static_cast<char>(i);
    HOLDS(devices[i][0] == number && devices[i][size / 2] == number && devices[i][size - 1] == number);
    WORKS(hipMemset(devices[i], i + 1, size));
  }
  for (int i = count - 1; i >= 0; i--) {
    const char number = static_cast<char>(i + 1);
    HOLDS(pieces[i][0] == number && pieces[i][size - 1] == number);
    if (i % 3 == 0) WORKS(hipHostUnregister(pieces[i]));
  }
  for (int i = 0; i < count; i++) {
    const char number = static_cast<char>(i + 1);
    HOLDS(pieces[i][0] == number && pieces[i][size - 1] == number);
    if (i % 3 != 0) {
      devices[i][1] = 99;
      HOLDS(pieces[i][1] == 99);
      WORKS(hipHostUnregister(pieces[i]));
    }
    HOLDS(pieces[i][size / 2] == number && pieces[i][size - 1] == number);
  }
  for (char* piece : pieces) std::free(piece);
}

static void whatIsNotThereIsRefused() {
  char* memory = static_cast<char*>(std::malloc(100));
  GIVES(hipHostRegister(memory, size_t{1} << 40, 0), hipErrorInvalidValue);
  GIVES(hipHostRegister(memory, SIZE_MAX, 0), hipErrorInvalidValue);
  GIVES(hipHostRegister(memory, 0, 0), hipErrorInvalidValue);
  std::free(memory);
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

static void theStackOfTheCaller() {
  char local[64];
  std::memset(local, 3, sizeof local);
  WORKS(hipHostRegister(local, sizeof local, 0));
  char* device = nullptr;
  WORKS(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), local, 0));
  WORKS(hipMemset(device, 4, 32));
  WORKS(hipHostUnregister(local));
  HOLDS(local[0] == 4 && local[31] == 4 && local[32] == 3);
}

// The rest of a page belongs to other data of the program.
static void othersWriteToThePagesMeanwhile() {
  constexpr size_t PAGES = 16, PAGE = 4096;
  auto* memory = static_cast<char*>(std::aligned_alloc(PAGE, PAGES * PAGE));
  std::memset(memory, 0, PAGES * PAGE);
  std::atomic<bool> stop{false};
  std::vector<long> counts(2);
  std::vector<std::thread> writers;
  for (size_t t = 0; t < counts.size(); t++) {
    writers.emplace_back([&, t] {
      while (!stop.load()) {
        for (size_t page = 0; page < PAGES; page++) {
          ++*reinterpret_cast<volatile long*>(memory + page * PAGE + 2048 + t * sizeof(long));
        }
        counts[t]++;
      }
    });
  }
  for (int round = 0; round < 100; round++) {
    WORKS(hipHostRegister(memory, PAGES * PAGE - 3000, 0));
    WORKS(hipHostUnregister(memory));
  }
  stop = true;
  for (auto& writer : writers) writer.join();
  for (size_t page = 0; page < PAGES; page++) {
    for (size_t t = 0; t < counts.size(); t++) {
      HOLDS(*reinterpret_cast<volatile long*>(memory + page * PAGE + 2048 + t * sizeof(long)) == counts[t]);
    }
  }
  std::free(memory);
}

int main() {
  for (int round = 0; round < 2; round++) neighboursOfOneHeap();
  piecesOfAnySize(100 << 10, 200);
  piecesOfAnySize(9 << 20, 4);
  piecesOfAnySize(40, 300);
  whatIsNotThereIsRefused();
  aLargeOne();
  theStackOfTheCaller();
  GIVES(hipHostUnregister(nullptr), hipErrorInvalidValue);
  othersWriteToThePagesMeanwhile();
  return done();
}
