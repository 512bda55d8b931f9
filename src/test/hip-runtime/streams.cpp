// Order in and between streams, events and their times.
#include <unistd.h>

#include <atomic>
#include <thread>

#include "check.h"

static std::atomic<int> count{0};

static void slow(void*) {
  usleep(50000);
  count++;
}

static void eventsMark() {
  hipStream_t stream;
  hipEvent_t start, stop, untimed;
  WORKS(hipStreamCreate(&stream));
  WORKS(hipEventCreate(&start));
  WORKS(hipEventCreate(&stop));
  WORKS(hipEventCreateWithFlags(&untimed, hipEventDisableTiming));
  float time = 0;
  GIVES(hipEventElapsedTime(&time, start, stop), hipErrorInvalidHandle);
  WORKS(hipEventRecord(start, stream));
  WORKS(hipLaunchHostFunc(stream, slow, nullptr));
  WORKS(hipEventRecord(stop, stream));
  WORKS(hipEventRecord(untimed, stream));
  GIVES(hipEventQuery(stop), hipErrorNotReady);
  GIVES(hipStreamQuery(stream), hipErrorNotReady);
  GIVES(hipEventElapsedTime(&time, start, stop), hipErrorNotReady);
  WORKS(hipEventSynchronize(stop));
  WORKS(hipEventElapsedTime(&time, start, stop));
  HOLDS(time >= 49 && time < 5000);
  GIVES(hipEventElapsedTime(&time, start, untimed), hipErrorInvalidHandle);
  WORKS(hipEventDestroy(start));
  GIVES(hipEventDestroy(start), hipErrorContextIsDestroyed);
  GIVES(hipEventDestroy(nullptr), hipErrorInvalidHandle);
  WORKS(hipEventDestroy(stop));
  WORKS(hipEventDestroy(untimed));
  WORKS(hipStreamDestroy(stream));
  GIVES(hipStreamSynchronize(stream), hipErrorContextIsDestroyed);
  GIVES(hipStreamDestroy(stream), hipErrorContextIsDestroyed);
  GIVES(hipStreamWaitEvent(stream, start, 0), hipErrorContextIsDestroyed);
}

static void eventsOfTwoDevicesHaveNoTimeBetween() {
  hipEvent_t one, two;
  WORKS(hipEventCreate(&one));
  WORKS(hipEventRecord(one));
  WORKS(hipSetDevice(1));
  WORKS(hipEventCreate(&two));
  WORKS(hipEventRecord(two));
  WORKS(hipEventSynchronize(two));
  WORKS(hipEventSynchronize(one));
  float time = 0;
  GIVES(hipEventElapsedTime(&time, one, two), hipErrorInvalidHandle);
  WORKS(hipEventDestroy(two));
  WORKS(hipEventDestroy(one));
  WORKS(hipSetDevice(0));
}

static void wrongArgumentsAreRefused() {
  unsigned flags = 0;
  GIVES(hipStreamGetFlags(nullptr, &flags), hipErrorInvalidValue);
  GIVES(hipExtStreamCreateWithCUMask(nullptr, 1, &flags), hipErrorInvalidHandle);
  hipEvent_t event;
  GIVES(hipEventCreateWithFlags(&event, hipEventReleaseToDevice | hipEventReleaseToSystem), hipErrorInvalidValue);
  GIVES(hipEventCreateWithFlags(&event, hipEventReleaseToDevice | hipEventDisableSystemFence), hipErrorInvalidValue);
  WORKS(hipEventCreateWithFlags(&event, hipEventReleaseToDevice | hipEventBlockingSync));
  WORKS(hipEventDestroy(event));
}

static void theNullStreamWaitsForBlockingOnes() {
  hipStream_t blocking, free;
  WORKS(hipStreamCreate(&blocking));
  WORKS(hipStreamCreateWithFlags(&free, hipStreamNonBlocking));
  char* memory = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&memory), 100));
  count = 0;
  WORKS(hipLaunchHostFunc(blocking, slow, nullptr));
  WORKS(hipMemset(memory, 1, 100));
  WORKS(hipStreamSynchronize(nullptr));
  HOLDS(count == 1);
  WORKS(hipLaunchHostFunc(free, slow, nullptr));
  WORKS(hipMemset(memory, 1, 100));
  WORKS(hipStreamSynchronize(nullptr));
  HOLDS(count == 1);
  WORKS(hipDeviceSynchronize());
  HOLDS(count == 2);
  WORKS(hipLaunchHostFunc(nullptr, slow, nullptr));
  WORKS(hipLaunchHostFunc(blocking, [](void*) { HOLDS(count == 3); }, nullptr));
  WORKS(hipStreamSynchronize(blocking));
  WORKS(hipLaunchHostFunc(blocking, slow, nullptr));
  WORKS(hipStreamDestroy(blocking));
  WORKS(hipDeviceSynchronize());
  HOLDS(count == 4);
  WORKS(hipFree(memory));
  WORKS(hipStreamDestroy(free));
}

static void streamsWaitForEvents() {
  hipStream_t first, second;
  hipEvent_t event;
  WORKS(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
  WORKS(hipStreamCreateWithPriority(&second, hipStreamNonBlocking, -5));
  WORKS(hipEventCreate(&event));
  int priority = 0, least = 0, greatest = 0;
  WORKS(hipDeviceGetStreamPriorityRange(&least, &greatest));
  WORKS(hipStreamGetPriority(second, &priority));
  HOLDS(greatest <= least && priority == greatest);
  count = 0;
  WORKS(hipLaunchHostFunc(first, slow, nullptr));
  WORKS(hipEventRecord(event, first));
  WORKS(hipStreamWaitEvent(second, event, 0));
  WORKS(hipLaunchHostFunc(second, [](void*) { HOLDS(count == 1); }, nullptr));
  WORKS(hipStreamSynchronize(second));
  WORKS(hipEventDestroy(event));
  WORKS(hipStreamDestroy(first));
  WORKS(hipStreamDestroy(second));
}

static void eachThreadHasAStream() {
  count = 0;
  std::thread other([] {
    WORKS(hipLaunchHostFunc(hipStreamPerThread, slow, nullptr));
    HOLDS(count == 0);
    WORKS(hipStreamSynchronize(hipStreamPerThread));
    HOLDS(count == 1);
  });
  other.join();
}

static void streamsWaitForValues() {
  hipStream_t stream;
  uint32_t* value = nullptr;
  WORKS(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  WORKS(hipHostMalloc(reinterpret_cast<void**>(&value), 8, 0));
  *value = 0;
  WORKS(hipStreamWaitValue32(stream, value, 5, hipStreamWaitValueGte, 0xffffffff));
  WORKS(hipStreamWriteValue32(stream, value + 1, 77, 0));
  GIVES(hipStreamQuery(stream), hipErrorNotReady);
  __atomic_store_n(value, 6, __ATOMIC_RELEASE);
  WORKS(hipStreamSynchronize(stream));
  HOLDS(value[1] == 77);
  WORKS(hipHostFree(value));
  WORKS(hipStreamDestroy(stream));
}

int main() {
  eventsMark();
  eventsOfTwoDevicesHaveNoTimeBetween();
  wrongArgumentsAreRefused();
  theNullStreamWaitsForBlockingOnes();
  streamsWaitForEvents();
  eachThreadHasAStream();
  streamsWaitForValues();
  return done();
}
