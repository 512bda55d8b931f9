// exact: breadth-first search and label propagation on a random graph, frontier queues by atomics
#include "check.h"

constexpr int kNodes = 800, kEdges = 4;

BOTH int edge(int node, int k) { return k == 0 ? (node + 1) % kNodes : int(bits(node * kEdges + k) % kNodes); }

__global__ void expand(const int* frontier, int size, int* distance, int* next, int* nextSize, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  int node = frontier[i];
  for (int k = 0; k < kEdges; k++) {
    int to = edge(node, k);
    if (atomicCAS(&distance[to], -1, level) == -1) next[atomicAdd(nextSize, 1)] = to;
  }
}

__global__ void relax(unsigned* cost, int* changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kNodes) return;
  // Others lower it meanwhile; what is missed now is done in the next round.
  unsigned own = __hip_atomic_load(&cost[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  if (own == ~0u) return;
  for (int k = 0; k < kEdges; k++) {
    unsigned c = own + 1 + bits(i * 17 + k) % 30;
    if (atomicMin(&cost[edge(i, k)], c) > c) *changed = 1;
  }
}

int main() {
  Check check;
  std::vector<int> distance(kNodes, -1), queue = {0};
  distance[0] = 0;
  for (size_t at = 0; at < queue.size(); at++)
    for (int k = 0; k < kEdges; k++) {
      int to = edge(queue[at], k);
      if (distance[to] < 0) {
        distance[to] = distance[queue[at]] + 1;
        queue.push_back(to);
      }
    }
  std::vector<int> start(kNodes, -1);
  start[0] = 0;
  Buffer<int> d(start), a(kNodes), b(kNodes), size(1);
  int n = 1;
  for (int level = 1; n > 0; level++) {
    HIP(hipMemset(size.get(), 0, sizeof(int)));
    expand<<<(n + 63) / 64, 64>>>(level % 2 ? a.get() : b.get(), n, d.get(), level % 2 ? b.get() : a.get(), size.get(), level);
    n = size.host()[0];
  }
  check.same("distance", d.host(), distance);
  std::vector<unsigned> cost(kNodes, ~0u);
  cost[0] = 0;
  Buffer<unsigned> c(cost);
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < kNodes; i++)
      if (cost[i] != ~0u)
        for (int k = 0; k < kEdges; k++) {
          unsigned v = cost[i] + 1 + bits(i * 17 + k) % 30;
          if (cost[edge(i, k)] > v) {
            cost[edge(i, k)] = v;
            again = true;
          }
        }
  }
  do {
    HIP(hipMemset(size.get(), 0, sizeof(int)));
    relax<<<(kNodes + 127) / 128, 128>>>(c.get(), size.get());
  } while (size.host()[0]);
  check.same("cost", c.host(), cost);
  return check.end();
}
