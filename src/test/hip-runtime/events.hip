// Events and pools that two processes share.
#include <hip/hip_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "check.h"

__global__ void add(int* x, int n) { atomicAdd(x, n); }

template <class T>
static void give(int pipe, const T& value) {
  HOLDS(write(pipe, &value, sizeof value) == static_cast<ssize_t>(sizeof value));
}

template <class T>
static T take(int pipe) {
  T value = {};
  HOLDS(read(pipe, &value, sizeof value) == static_cast<ssize_t>(sizeof value));
  return value;
}

struct Offer {
  hipIpcEventHandle_t event;
  hipIpcEventHandle_t back;
  hipMemPoolPtrExportData memory;
  pid_t owner;
  int pool;
};

static void child(int in, int out) {
  auto offer = take<Offer>(in);
  // The descriptor of the pool, out of the other process.
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", offer.owner, offer.pool);
  FILE* file = fopen(path, "r");
  HOLDS(file != nullptr);
  hipMemPool_t pool = nullptr;
  void* number = reinterpret_cast<void*>(static_cast<uintptr_t>(fileno(file)));
  WORKS(hipMemPoolImportFromShareableHandle(&pool, number, hipMemHandleTypePosixFileDescriptor, 0));
  void* nothing = nullptr;
  GIVES(hipMallocFromPoolAsync(&nothing, 64, pool, nullptr), hipErrorInvalidValue);
  int* memory = nullptr;
  WORKS(hipMemPoolImportPointer(reinterpret_cast<void**>(&memory), pool, &offer.memory));

  hipEvent_t event, back;
  WORKS(hipIpcOpenEventHandle(&event, offer.event));
  WORKS(hipIpcOpenEventHandle(&back, offer.back));
  GIVES(hipEventQuery(event), hipErrorNotReady);
  hipStream_t stream;
  WORKS(hipStreamCreate(&stream));
  WORKS(hipStreamWaitEvent(stream, event, 0));
  add<<<1, 1, 0, stream>>>(memory, 5);  // after the other process' 1000
  WORKS(hipEventRecord(back, stream));
  give(out, 'w');  // both waits are in their streams now
  WORKS(hipEventSynchronize(back));
  WORKS(hipEventQuery(event));
  int seen = 0;
  WORKS(hipMemcpy(&seen, memory, sizeof seen, hipMemcpyDeviceToHost));
  HOLDS(seen == 1005);
  WORKS(hipFreeAsync(memory, stream));
  WORKS(hipStreamSynchronize(stream));
  GIVES(hipMemcpy(&seen, memory, sizeof seen, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  WORKS(hipEventDestroy(event));
  WORKS(hipMemPoolDestroy(pool));
}

/** Records an event of another process behind work that never ends, and goes. */
static void dies(int in, int out) {
  auto handle = take<hipIpcEventHandle_t>(in);
  hipEvent_t event;
  WORKS(hipIpcOpenEventHandle(&event, handle));
  hipStream_t stream;
  WORKS(hipStreamCreate(&stream));
  WORKS(hipLaunchHostFunc(stream, [](void*) { sleep(1000); }, nullptr));
  WORKS(hipEventRecord(event, stream));
  give(out, 'r');
  take<char>(in);
  _exit(failures);
}

int main() {
  int toChild[2], toParent[2], toMortal[2], fromMortal[2];
  HOLDS(pipe(toMortal) == 0 && pipe(fromMortal) == 0);
  pid_t mortal = fork();
  if (mortal == 0) dies(toMortal[0], fromMortal[1]);
  HOLDS(pipe(toChild) == 0 && pipe(toParent) == 0);
  pid_t other = fork();  // before any call of HIP, so that both are programs of their own
  if (other == 0) {
    child(toChild[0], toParent[1]);
    _exit(failures);
  }
  Offer offer = {};
  offer.owner = getpid();
  hipMemPoolProps props = {};
  props.allocType = hipMemAllocationTypePinned;
  props.handleTypes = hipMemHandleTypePosixFileDescriptor;
  props.location = {hipMemLocationTypeDevice, 0};
  hipMemPool_t pool = nullptr, plain = nullptr;
  WORKS(hipMemPoolCreate(&pool, &props));
  WORKS(hipDeviceGetDefaultMemPool(&plain, 0));
  GIVES(hipMemPoolExportToShareableHandle(&offer.pool, plain, hipMemHandleTypePosixFileDescriptor, 0), hipErrorInvalidValue);
  WORKS(hipMemPoolExportToShareableHandle(&offer.pool, pool, hipMemHandleTypePosixFileDescriptor, 0));
  int *memory = nullptr, *private_ = nullptr;
  WORKS(hipMallocFromPoolAsync(reinterpret_cast<void**>(&memory), 4, pool, nullptr));
  WORKS(hipMalloc(reinterpret_cast<void**>(&private_), 4));
  WORKS(hipMemset(memory, 0, 4));
  WORKS(hipMemPoolExportPointer(&offer.memory, memory));
  GIVES(hipMemPoolExportPointer(&offer.memory, private_), hipErrorInvalidValue);
  WORKS(hipMemPoolExportPointer(&offer.memory, memory));

  hipEvent_t event, back, ordinary;
  GIVES(hipEventCreateWithFlags(&event, hipEventInterprocess), hipErrorInvalidValue);  // it has no times
  WORKS(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
  WORKS(hipEventCreateWithFlags(&back, hipEventInterprocess | hipEventDisableTiming));
  WORKS(hipEventCreate(&ordinary));
  GIVES(hipIpcGetEventHandle(&offer.event, ordinary), hipErrorInvalidConfiguration);
  GIVES(hipIpcGetEventHandle(nullptr, event), hipErrorInvalidValue);
  WORKS(hipIpcGetEventHandle(&offer.event, event));
  WORKS(hipIpcGetEventHandle(&offer.back, back));
  hipEvent_t mine;
  GIVES(hipIpcOpenEventHandle(&mine, offer.event), hipErrorInvalidContext);
  WORKS(hipEventQuery(event));  // never recorded: nothing to wait for

  static std::atomic<bool> open{false};
  hipStream_t stream;
  WORKS(hipStreamCreate(&stream));
  WORKS(hipLaunchHostFunc(stream, [](void*) {
    while (!open) usleep(1000);
  }, nullptr));
  add<<<1, 1, 0, stream>>>(memory, 1000);
  WORKS(hipEventRecord(event, stream));
  GIVES(hipEventQuery(event), hipErrorNotReady);
  give(toChild[1], offer);
  take<char>(toParent[0]);
  GIVES(hipEventQuery(back), hipErrorNotReady);  // recorded by the other process, behind this one's
  hipStream_t waiting;
  WORKS(hipStreamCreate(&waiting));
  WORKS(hipStreamWaitEvent(waiting, back, 0));
  add<<<1, 1, 0, waiting>>>(memory, 0);
  GIVES(hipStreamQuery(waiting), hipErrorNotReady);
  open = true;
  WORKS(hipStreamSynchronize(waiting));
  int seen = 0;
  WORKS(hipMemcpy(&seen, memory, sizeof seen, hipMemcpyDeviceToHost));
  HOLDS(seen == 1005);
  int status = 0;
  waitpid(other, &status, 0);
  HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  // A process that ends takes what it has recorded along: nobody waits for it.
  give(toMortal[1], offer.event);
  take<char>(fromMortal[0]);
  GIVES(hipEventQuery(event), hipErrorNotReady);
  give(toMortal[1], 'd');
  WORKS(hipEventSynchronize(event));
  WORKS(hipEventQuery(event));
  waitpid(mortal, &status, 0);
  HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  WORKS(hipFree(memory));
  WORKS(hipFree(private_));
  WORKS(hipEventDestroy(event));
  WORKS(hipEventDestroy(back));
  return done();
}
