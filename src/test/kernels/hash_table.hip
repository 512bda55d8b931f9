// exact: an open-addressing hash table by 64-bit atomicCAS: insert, count, look up
#include "check.h"

#include <algorithm>

constexpr unsigned kSlots = 4096;
constexpr unsigned long long kFree = ~0ull;

struct Slot {
  unsigned long long key;
  unsigned count;
  int least;
};

__global__ void clear(Slot* table) {
  for (unsigned i = threadIdx.x; i < kSlots; i += blockDim.x) table[i] = {kFree, 0, INT32_MAX};
}

BOTH unsigned long long keyOf(uint32_t i) { return bits64(i % 1000) >> 1; }

__global__ void insert(Slot* table, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long key = keyOf(i);
  unsigned at = unsigned(key * 0x9e3779b97f4a7c15ull >> 52) % kSlots;
  while (true) {
    unsigned long long seen = atomicCAS(&table[at].key, kFree, key);
    if (seen == kFree || seen == key) {
      atomicAdd(&table[at].count, 1u);
      atomicMin(&table[at].least, i);
      break;
    }
    at = (at + 1) % kSlots;
  }
}

__global__ void lookUp(const Slot* table, unsigned* counts, int* least, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long key = bits64(i) >> 1;
  unsigned at = unsigned(key * 0x9e3779b97f4a7c15ull >> 52) % kSlots;
  while (table[at].key != kFree && table[at].key != key) at = (at + 1) % kSlots;
  counts[i] = table[at].key == key ? table[at].count : 0;
  least[i] = table[at].key == key ? table[at].least : -1;
}

int main() {
  Check check;
  constexpr int n = 2500, queries = 1200;
  Buffer<Slot> table(kSlots);
  Buffer<unsigned> counts(queries);
  Buffer<int> least(queries);
  clear<<<1, 256>>>(table.get());
  insert<<<(n + 127) / 128, 128>>>(table.get(), n);
  lookUp<<<(queries + 255) / 256, 256>>>(table.get(), counts.get(), least.get(), queries);
  std::vector<unsigned> wc(queries);
  std::vector<int> wl(queries, -1);
  for (int i = n - 1; i >= 0; i--) {
    wc[i % 1000]++;
    wl[i % 1000] = i % 1000;
  }
  check.same("counts", counts.host(), wc);
  check.same("least", least.host(), wl);
  return check.end();
}
