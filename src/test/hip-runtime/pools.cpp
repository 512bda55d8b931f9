// Memory pools keep what was freed, and give it to allocations that come after the free.
#include "check.h"

#include <atomic>

/** Work of a stream that ends when the test says so. */
class Hold {
 public:
  explicit Hold(hipStream_t stream) { WORKS(hipLaunchHostFunc(stream, wait, this)); }
  void end() { ended_ = true; }

 private:
  static void wait(void* self) {
    while (!static_cast<Hold*>(self)->ended_) {
    }
  }
  std::atomic<bool> ended_{false};
};

static hipMemPool_t pool(size_t most = 0) {
  hipMemPoolProps properties = {};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  properties.maxSize = most;
  hipMemPool_t made = nullptr;
  WORKS(hipMemPoolCreate(&made, &properties));
  return made;
}

static hipStream_t stream() {
  hipStream_t made = nullptr;
  WORKS(hipStreamCreateWithFlags(&made, hipStreamNonBlocking));
  return made;
}

static uint64_t value(hipMemPool_t pool, hipMemPoolAttr name) {
  uint64_t value = 0;
  WORKS(hipMemPoolGetAttribute(pool, name, &value));
  return value;
}

static void set(hipMemPool_t pool, hipMemPoolAttr name, uint64_t value) {
  int flag = static_cast<int>(value);
  bool flags = name <= hipMemPoolReuseAllowInternalDependencies;
  WORKS(hipMemPoolSetAttribute(pool, name, flags ? static_cast<void*>(&flag) : &value));
}

static void* take(size_t bytes, hipMemPool_t pool, hipStream_t stream) {
  void* memory = nullptr;
  WORKS(hipMallocFromPoolAsync(&memory, bytes, pool, stream));
  return memory;
}

static constexpr size_t SIZE = 1 << 20;

static void laterAllocationsOfAStreamReuseMemory() {
  hipMemPool_t from = pool();
  hipStream_t in = stream();
  void* first = take(SIZE, from, in);
  Hold hold(in);
  WORKS(hipFreeAsync(first, in));
  HOLDS(value(from, hipMemPoolAttrUsedMemCurrent) == 0);
  GIVES(hipFreeAsync(first, in), hipErrorInvalidValue);
  void* smaller = take(SIZE - 100, from, in);
  HOLDS(smaller == first);
  void* much = take(SIZE / 2, from, in);
  HOLDS(much != first);
  WORKS(hipMemsetAsync(smaller, 7, SIZE - 100, in));
  GIVES(hipMemsetAsync(smaller, 7, SIZE, in), hipErrorInvalidValue);
  hold.end();
  unsigned char last = 0;
  WORKS(hipStreamSynchronize(in));
  WORKS(hipMemcpy(&last, static_cast<char*>(smaller) + SIZE - 101, 1, hipMemcpyDeviceToHost));
  HOLDS(last == 7);
  HOLDS(value(from, hipMemPoolAttrUsedMemHigh) == SIZE + SIZE / 2 - 100);
  HOLDS(value(from, hipMemPoolAttrReservedMemHigh) == SIZE + SIZE / 2);
  WORKS(hipFreeAsync(smaller, in));
  WORKS(hipFree(much));
  WORKS(hipStreamSynchronize(in));
  HOLDS(value(from, hipMemPoolAttrReservedMemCurrent) == 0);
  GIVES(hipMemset(smaller, 0, 1), hipErrorInvalidValue);
  WORKS(hipMemPoolDestroy(from));
  WORKS(hipStreamDestroy(in));
}

static void memoryAboveTheThresholdIsReleased() {
  hipMemPool_t from = pool();
  hipStream_t in = stream();
  set(from, hipMemPoolAttrReleaseThreshold, 3 * SIZE);
  void* memory[4];
  for (void*& one : memory) one = take(SIZE, from, in);
  Hold hold(in);
  for (void* one : memory) WORKS(hipFreeAsync(one, in));
  WORKS(hipMemPoolTrimTo(from, 0));
  HOLDS(value(from, hipMemPoolAttrReservedMemCurrent) == 4 * SIZE);
  hold.end();
  WORKS(hipStreamSynchronize(in));
  HOLDS(value(from, hipMemPoolAttrReservedMemCurrent) == 3 * SIZE);
  WORKS(hipMemPoolTrimTo(from, SIZE + 1));
  HOLDS(value(from, hipMemPoolAttrReservedMemCurrent) == 2 * SIZE);
  WORKS(hipMemPoolTrimTo(from, 0));
  HOLDS(value(from, hipMemPoolAttrReservedMemCurrent) == 0);
  HOLDS(value(from, hipMemPoolAttrReservedMemHigh) == 4 * SIZE);
  set(from, hipMemPoolAttrReservedMemHigh, 0);
  HOLDS(value(from, hipMemPoolAttrReservedMemHigh) == 0);
  WORKS(hipMemPoolDestroy(from));
  WORKS(hipStreamDestroy(in));
}

static void otherStreamsWaitOrFindItDone() {
  hipMemPool_t from = pool();
  hipStream_t one = stream();
  hipStream_t other = stream();
  hipEvent_t early, late;
  WORKS(hipEventCreate(&early));
  WORKS(hipEventCreate(&late));
  void* first = take(SIZE, from, one);
  Hold hold(one);
  WORKS(hipEventRecord(early, one));
  WORKS(hipFreeAsync(first, one));
  WORKS(hipEventRecord(late, one));
  WORKS(hipStreamWaitEvent(other, early, 0));
  void* unordered = take(SIZE, from, other);
  HOLDS(unordered != first);
  WORKS(hipStreamWaitEvent(other, late, 0));
  set(from, hipMemPoolReuseFollowEventDependencies, 0);
  void* independent = take(SIZE, from, other);
  HOLDS(independent != first);
  set(from, hipMemPoolReuseFollowEventDependencies, 1);
  HOLDS(take(SIZE, from, other) == first);
  hold.end();
  WORKS(hipFreeAsync(unordered, one));
  set(from, hipMemPoolAttrReleaseThreshold, SIZE * 8);
  WORKS(hipStreamSynchronize(one));
  set(from, hipMemPoolReuseAllowOpportunistic, 0);
  HOLDS(take(SIZE, from, other) != unordered);
  set(from, hipMemPoolReuseAllowOpportunistic, 1);
  HOLDS(take(SIZE, from, other) == unordered);
  WORKS(hipMemPoolDestroy(from));
  WORKS(hipMemset(first, 0, SIZE));
  WORKS(hipFree(first));
  GIVES(hipFree(first), hipErrorInvalidValue);
  WORKS(hipEventDestroy(early));
  WORKS(hipEventDestroy(late));
  WORKS(hipStreamDestroy(one));
  WORKS(hipStreamDestroy(other));
}

static void poolsHaveALargestSize() {
  hipMemPool_t from = pool(2 * SIZE);
  hipStream_t in = stream();
  void* first = take(SIZE, from, in);
  void* none = nullptr;
  GIVES(hipMallocFromPoolAsync(&none, SIZE + 1, from, in), hipErrorOutOfMemory);
  WORKS(hipFreeAsync(first, in));
  void* kept = take(SIZE / 2, from, in);
  GIVES(hipMallocFromPoolAsync(&none, 2 * SIZE, from, in), hipErrorOutOfMemory);
  set(from, hipMemPoolAttrReleaseThreshold, 2 * SIZE);
  WORKS(hipFree(kept));
  HOLDS(take(2 * SIZE, from, in) != nullptr);
  WORKS(hipMemPoolDestroy(from));
  WORKS(hipStreamDestroy(in));
}

// What a pool keeps is there for all who need memory.
static void poolsGiveWayWhereMemoryIsShort() {
  hipMemPool_t from = pool();
  hipStream_t in = stream();
  set(from, hipMemPoolAttrReleaseThreshold, UINT64_MAX);
  size_t free = 0, total = 0;
  WORKS(hipMemGetInfo(&free, &total));
  void* most = take(free / 4 * 3, from, in);
  WORKS(hipFreeAsync(most, in));
  WORKS(hipStreamSynchronize(in));
  void* memory = nullptr;
  WORKS(hipMalloc(&memory, free / 2));
  HOLDS(value(from, hipMemPoolAttrReservedMemCurrent) == 0);
  WORKS(hipFree(memory));
  WORKS(hipMemPoolDestroy(from));
  WORKS(hipStreamDestroy(in));
}

int main() {
  laterAllocationsOfAStreamReuseMemory();
  memoryAboveTheThresholdIsReleased();
  otherStreamsWaitOrFindItDone();
  poolsHaveALargestSize();
  poolsGiveWayWhereMemoryIsShort();
  return done();
}
