// Addresses and memory apart from each other, in one process and by file descriptor in another.
#include <hip/hip_runtime.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "check.h"

__global__ void count(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += i;
}

__global__ void look(const int* in) {
  if (*in != 0) __builtin_trap();
}

__global__ void across(char* boundary) {
  // Not aligned: the access crosses from one piece of memory into the next.
  memcpy(boundary - 4, "abcdefgh", 8);
}

static bool sendFd(int socket, int fd) {
  char byte = 0, control[CMSG_SPACE(sizeof fd)] = {};
  iovec data = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(head), &fd, sizeof fd);
  return sendmsg(socket, &message, 0) == 1;
}

static int receiveFd(int socket) {
  char byte = 0, control[CMSG_SPACE(sizeof(int))] = {};
  iovec data = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  int fd = -1;
  if (recvmsg(socket, &message, 0) == 1 && CMSG_FIRSTHDR(&message)) {
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  }
  return fd;
}

static hipMemAllocationProp on(int device) {
  hipMemAllocationProp properties = {};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  properties.location = {hipMemLocationTypeDevice, device};
  return properties;
}

static hipMemAccessDesc access(int device, hipMemAccessFlags flags) {
  return {{hipMemLocationTypeDevice, device}, flags};
}

static void imports(int socket, size_t size) {
  int fd = receiveFd(socket);
  hipMemGenericAllocationHandle_t memory;
  WORKS(hipMemImportFromShareableHandle(&memory, &fd, hipMemHandleTypePosixFileDescriptor));
  hipMemAllocationProp properties = {};
  WORKS(hipMemGetAllocationPropertiesFromHandle(&properties, memory));
  HOLDS(properties.location.id == 0 && properties.type == hipMemAllocationTypePinned);
  void* address = nullptr;
  WORKS(hipMemAddressReserve(&address, size, 0, nullptr, 0));
  WORKS(hipMemMap(address, size, 0, memory, 0));
  WORKS(hipMemRelease(memory));
  hipMemAccessDesc both = access(0, hipMemAccessFlagsProtReadWrite);
  WORKS(hipMemSetAccess(address, size, &both, 1));
  int seen[4] = {};
  WORKS(hipMemcpy(seen, address, sizeof seen, hipMemcpyDeviceToHost));
  HOLDS(seen[0] == 100 && seen[3] == 103);
  count<<<1, 4>>>(static_cast<int*>(address), 4);
  WORKS(hipDeviceSynchronize());
  // As a buffer of external memory too.
  hipExternalMemoryHandleDesc desc = {};
  desc.type = hipExternalMemoryHandleTypeOpaqueFd;
  desc.handle.fd = fd;
  desc.size = size;
  hipExternalMemory_t external = nullptr;
  WORKS(hipImportExternalMemory(&external, &desc));
  hipExternalMemoryBufferDesc part = {};
  part.offset = 8;
  part.size = 64;
  void* buffer = nullptr;
  WORKS(hipExternalMemoryGetMappedBuffer(&buffer, external, &part));
  WORKS(hipMemcpy(seen, buffer, 8, hipMemcpyDeviceToHost));
  HOLDS(seen[0] == 104 && seen[1] == 106);
  part.offset = size;
  GIVES(hipExternalMemoryGetMappedBuffer(&buffer, external, &part), hipErrorInvalidValue);
  WORKS(hipFree(buffer));
  WORKS(hipDestroyExternalMemory(external));
  GIVES(hipDestroyExternalMemory(external), hipErrorInvalidValue);
  desc.handle.fd = socket;  // no memory of a GPU
  GIVES(hipImportExternalMemory(&external, &desc), hipErrorInvalidValue);
  desc.type = hipExternalMemoryHandleTypeOpaqueWin32;
  GIVES(hipImportExternalMemory(&external, &desc), hipErrorNotSupported);
  WORKS(hipMemUnmap(address, size));
  WORKS(hipMemAddressFree(address, size));
  close(fd);
}

/**
 * Two granules of addresses, memory behind the first only: a kernel must not come through that goes
 * on behind it, or that writes what may only be read.
 */
static void leaves(size_t size, bool writes) {
  char* address = nullptr;
  hipMemGenericAllocationHandle_t memory;
  hipMemAllocationProp properties = on(0);
  hipMemAccessDesc both = access(0, hipMemAccessFlagsProtReadWrite);
  WORKS(hipMemAddressReserve(reinterpret_cast<void**>(&address), 2 * size, 0, nullptr, 0));
  WORKS(hipMemCreate(&memory, size, &properties, 0));
  WORKS(hipMemMap(address, size, 0, memory, 0));
  WORKS(hipMemSetAccess(address, size, &both, 1));
  count<<<1, 64>>>(reinterpret_cast<int*>(address + size) - 64, 64);
  WORKS(hipDeviceSynchronize());
  fclose(stderr);
  if (writes) {
    // May be read, not written.
    hipMemAccessDesc reading = access(0, hipMemAccessFlagsProtRead);
    WORKS(hipMemSetAccess(address, size, &reading, 1));
    unsigned long long flags = 9;
    WORKS(hipMemGetAccess(&flags, &reading.location, address));
    HOLDS(flags == hipMemAccessFlagsProtRead);
    int last = 0;
    WORKS(hipMemcpy(&last, address + size - 4, 4, hipMemcpyDeviceToHost));
    HOLDS(last == 63);
    look<<<1, 1>>>(reinterpret_cast<int*>(address));
    WORKS(hipDeviceSynchronize());
    if (failures) _exit(1);
    count<<<1, 64>>>(reinterpret_cast<int*>(address), 64);
    WORKS(hipDeviceSynchronize());
    _exit(0);
  }
  count<<<1, 65>>>(reinterpret_cast<int*>(address + size) - 64, 65);
  WORKS(hipDeviceSynchronize());
}

/** What is free once the device has cleared up behind processes that have ended. */
static size_t settled(size_t* total) {
  size_t free = 0, before = 1;
  for (int i = 0; i < 100 && free != before; i++) {
    before = free;
    usleep(100000);
    WORKS(hipMemGetInfo(&free, total));
  }
  return free;
}

int main() {
  constexpr size_t GRANULE = 2 << 20;
  int sockets[2];
  HOLDS(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  pid_t importer = fork();  // before any call of HIP, so that each is a program of its own
  if (importer == 0) {
    imports(sockets[1], GRANULE);
    _exit(failures);
  }
  int status = -1;
  for (bool writes : {false, true}) {
    pid_t leaver = fork();
    if (leaver == 0) {
      leaves(GRANULE, writes);
      _exit(0);
    }
    waitpid(leaver, &status, 0);
    HOLDS(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  }

  int supported = 0;
  WORKS(hipDeviceGetAttribute(&supported, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
  HOLDS(supported == 1);
  hipMemAllocationProp properties = on(0);
  size_t granule = 0;
  WORKS(hipMemGetAllocationGranularity(&granule, &properties, hipMemAllocationGranularityRecommended));
  HOLDS(granule == GRANULE);
  size_t page = 0;
  WORKS(hipMemGetAllocationGranularity(&page, &properties, hipMemAllocationGranularityMinimum));
  HOLDS(page == 4096);
  void* small = nullptr;
  WORKS(hipMemAddressReserve(&small, page, 0, nullptr, 0));
  WORKS(hipMemAddressFree(small, page));
  GIVES(hipMemAddressReserve(&small, page / 2, 0, nullptr, 0), hipErrorOutOfMemory);
  GIVES(hipMemAddressReserve(&small, SIZE_MAX - page + 1, 0, nullptr, 0), hipErrorOutOfMemory);
  GIVES(hipMemGetAllocationGranularity(nullptr, &properties, hipMemAllocationGranularityMinimum), hipErrorInvalidValue);

  char* address = nullptr;
  GIVES(hipMemAddressReserve(reinterpret_cast<void**>(&address), 100, 0, nullptr, 0), hipErrorOutOfMemory);
  WORKS(hipMemAddressReserve(reinterpret_cast<void**>(&address), 4 * granule, 0, nullptr, 0));
  HOLDS(reinterpret_cast<uintptr_t>(address) % granule == 0);

  count<<<1, 1>>>(nullptr, 0);  // the code takes memory too
  WORKS(hipDeviceSynchronize());
  size_t total = 0, after = 0;
  size_t free = settled(&total);
  hipMemGenericAllocationHandle_t first, second;
  GIVES(hipMemCreate(&first, granule + 1, &properties, 0), hipErrorInvalidValue);
  GIVES(hipMemCreate(&first, granule, nullptr, 0), hipErrorInvalidValue);
  GIVES(hipMemCreate(&first, total + granule, &properties, 0), hipErrorOutOfMemory);
  WORKS(hipMemCreate(&first, granule, &properties, 0));
  WORKS(hipMemCreate(&second, granule, &properties, 0));
  WORKS(hipMemGetInfo(&after, &total));
  HOLDS(free - after >= 2 * granule);

  GIVES(hipMemMap(address, 2 * granule, 0, first, 0), hipErrorInvalidValue);     // more than there is
  GIVES(hipMemMap(address + 4 * granule, granule, 0, first, 0), hipErrorInvalidValue);  // not reserved
  WORKS(hipMemMap(address, granule, 0, first, 0));
  GIVES(hipMemMap(address, granule, 0, second, 0), hipErrorInvalidValue);  // taken
  WORKS(hipMemMap(address + granule, granule, 0, second, 0));
  int word = 0;
  GIVES(hipMemcpy(&word, address, 4, hipMemcpyDeviceToHost), hipErrorInvalidValue);  // no access yet
  unsigned long long flags = 9;
  hipMemLocation here = {hipMemLocationTypeDevice, 0};
  WORKS(hipMemGetAccess(&flags, &here, address));
  HOLDS(flags == hipMemAccessFlagsProtNone);
  hipMemAccessDesc both = access(0, hipMemAccessFlagsProtReadWrite);
  GIVES(hipMemSetAccess(address, 3 * granule, &both, 1), hipErrorInvalidValue);  // nothing there
  WORKS(hipMemSetAccess(address, 2 * granule, &both, 1));
  WORKS(hipMemGetAccess(&flags, &here, address + granule + 5));
  HOLDS(flags == hipMemAccessFlagsProtReadWrite);
  hipMemAccessDesc wrong = access(0, static_cast<hipMemAccessFlags>(2));
  GIVES(hipMemSetAccess(address, granule, &wrong, 1), hipErrorInvalidValue);

  // Both pieces are one range for kernels and copies.
  int n = static_cast<int>(2 * granule / 4);
  WORKS(hipMemset(address, 0, 2 * granule));
  int* values = reinterpret_cast<int*>(address);
  count<<<(n + 255) / 256, 256>>>(values, n);
  int* host = new int[n];
  WORKS(hipMemcpy(host, address, 2 * granule, hipMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < n; i++) right = right && host[i] == i;
  HOLDS(right);
  GIVES(hipMemcpy(host, address, 2 * granule + 1, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  across<<<1, 1>>>(address + granule);
  WORKS(hipMemcpy(host, address + granule - 4, 8, hipMemcpyDeviceToHost));
  HOLDS(memcmp(host, "abcdefgh", 8) == 0);
  hipPointerAttribute_t attributes = {};
  WORKS(hipPointerGetAttributes(&attributes, address + granule));
  HOLDS(attributes.type == hipMemoryTypeDevice && attributes.device == 0);
  GIVES(hipFree(address), hipErrorInvalidValue);

  // The same memory at a second place: what is written at one is read at the other.
  WORKS(hipMemMap(address + 3 * granule, granule, 0, first, 0));
  WORKS(hipMemSetAccess(address + 3 * granule, granule, &both, 1));
  int hundreds[4] = {100, 101, 102, 103};
  WORKS(hipMemcpy(address + 3 * granule, hundreds, sizeof hundreds, hipMemcpyHostToDevice));
  WORKS(hipMemcpy(host, address, sizeof hundreds, hipMemcpyDeviceToHost));
  HOLDS(memcmp(host, hundreds, sizeof hundreds) == 0);
  hipMemGenericAllocationHandle_t again;
  WORKS(hipMemRetainAllocationHandle(&again, address + 3 * granule + 7));
  HOLDS(again == first);
  WORKS(hipMemRelease(again));

  // Another process maps it.
  int fd = -1;
  WORKS(hipMemExportToShareableHandle(&fd, first, hipMemHandleTypePosixFileDescriptor, 0));
  GIVES(hipMemExportToShareableHandle(&fd, first, hipMemHandleTypeWin32, 0), hipErrorInvalidValue);
  HOLDS(fd >= 0 && sendFd(sockets[0], fd));
  waitpid(importer, &status, 0);
  HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  WORKS(hipMemcpy(host, address, sizeof hundreds, hipMemcpyDeviceToHost));
  HOLDS(host[0] == 100 && host[1] == 102 && host[3] == 106);

  // The other GPU reaches it only where it was told so.
  hipMemAccessDesc other = access(1, hipMemAccessFlagsProtReadWrite);
  WORKS(hipMemSetAccess(address, granule, &other, 1));
  WORKS(hipSetDevice(1));
  count<<<1, 4>>>(values, 4);
  WORKS(hipDeviceSynchronize());
  WORKS(hipSetDevice(0));
  WORKS(hipMemcpy(host, address, sizeof hundreds, hipMemcpyDeviceToHost));
  HOLDS(host[3] == 109);

  // Memory lives as long as it is held or mapped.
  WORKS(hipMemRelease(first));
  GIVES(hipMemRelease(first), hipErrorInvalidValue);
  WORKS(hipMemUnmap(address + 3 * granule, granule));
  WORKS(hipMemcpy(host, address, sizeof hundreds, hipMemcpyDeviceToHost));
  HOLDS(host[3] == 109);
  GIVES(hipMemAddressFree(address, 4 * granule), hipErrorInvalidValue);  // still mapped
  WORKS(hipMemUnmap(address, 2 * granule));
  GIVES(hipMemUnmap(address, granule), hipErrorInvalidValue);
  WORKS(hipMemRelease(second));
  GIVES(hipMemcpy(&word, address, 4, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  WORKS(hipMemAddressFree(address, 4 * granule));
  HOLDS(settled(&total) == free);
  delete[] host;
  close(fd);
  return done();
}
