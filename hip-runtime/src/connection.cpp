#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cinttypes>
#include <optional>
#include <string>

#include "allocation.h"

namespace rocport {
namespace {

[[noreturn]] void lost() {
  die("the connection to the device broke: the device process ended or was stopped");
}

void receive(int socket, void* into, size_t size) {
  char* at = static_cast<char*>(into);
  while (size > 0) {
    ssize_t got = recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) lost();
    at += got;
    size -= static_cast<size_t>(got);
  }
}

/** Findings go to the file that the user has named; other processes also write to it. */
void keep(const char* bytes, size_t size) {
  const char* path = getenv("ROCPORT_FINDINGS");
  if (path == nullptr || *path == '\0') return;
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0 || ::write(fd, bytes, size) != static_cast<ssize_t>(size)) {
    tell("cannot write findings to %s: %s", path, strerror(errno));
  }
  if (fd >= 0) close(fd);
}

/** Kernel output goes after all that the program has printed so far. */
void print(Reader& output) {
  constexpr uint32_t FINDINGS = 3;
  uint32_t to = output.u32();
  size_t size = output.left();
  const char* bytes = output.take(size);
  if (to == FINDINGS) {
    keep(bytes, size);
    return;
  }
  int fd = to == 2 ? 2 : 1;
  fflush(fd == 2 ? stderr : stdout);
  while (size > 0) {
    ssize_t done = ::write(fd, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;
    bytes += done;
    size -= static_cast<size_t>(done);
  }
}

/** A line about an address that a kernel must not access, if it is the host's address of registered memory. */
std::string registeredAt(uint64_t address) {
  auto found = Allocations::get().find(static_cast<uintptr_t>(address));
  if (!found || found->kind != Kind::REGISTERED || found->start == found->device) return {};
  char line[240];
  snprintf(line, sizeof line,
           "\n  this address is in host memory that hipHostRegister registered; its device address is 0x%" PRIxPTR
           ": pass what hipHostGetDevicePointer returns",
           found->device + (static_cast<uintptr_t>(address) - found->start));
  return line;
}

void check(Status status, Message type, Reader& reply) {
  if (status == Status::OK) return;
  std::string message = reply.left() >= 4 ? reply.text() : std::string();
  switch (status) {
    case Status::OUT_OF_MEMORY:
      fail(hipErrorOutOfMemory);
    case Status::NO_CODE:
      tell("%s", message.c_str());
      fail(hipErrorNoBinaryForGpu);
    case Status::BAD_CODE:
      tell("%s", message.c_str());
      fail(hipErrorInvalidImage);
    case Status::LIMIT:
      tell("%s", message.c_str());
      fail(hipErrorInvalidConfiguration);
    case Status::INVALID:
      fail(hipErrorInvalidValue);
    case Status::TOO_LARGE:
      fail(hipErrorCooperativeLaunchTooLarge);
    case Status::FAULT:
      if (reply.left() >= 8) message += registeredAt(reply.u64());
      [[fallthrough]];
    case Status::TRAP:
    case Status::UNSUPPORTED:
      fflush(stdout);
      die("%s", message.c_str());
    case Status::BAD_REQUEST:
    case Status::OK:
      break;
  }
  die("the device refused request %u with status %u: %s", static_cast<unsigned>(type),
      static_cast<unsigned>(status), message.c_str());
}

}  // namespace

Connection::~Connection() { close(socket_); }

void Connection::send(Message type, const Writer& payload, std::string_view image) {
  struct {
    uint32_t size;
    uint16_t type;
    uint16_t zero;
  } head = {};
  size_t size = sizeof head - sizeof head.size + payload.bytes().size() + image.size();
  require(size <= UINT32_MAX, hipErrorInvalidImage);
  head.size = static_cast<uint32_t>(size);
  head.type = static_cast<uint16_t>(type);
  iovec parts[] = {{&head, sizeof head},
                   {const_cast<char*>(payload.bytes().data()), payload.bytes().size()},
                   {const_cast<char*>(image.data()), image.size()}};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = 3;
  while (message.msg_iovlen > 0) {
    ssize_t sent = sendmsg(socket_, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) lost();
    size_t done = static_cast<size_t>(sent);
    while (message.msg_iovlen > 0 && done >= message.msg_iov->iov_len) {
      done -= message.msg_iov->iov_len;
      message.msg_iov++;
      message.msg_iovlen--;
    }
    if (message.msg_iovlen > 0) {
      message.msg_iov->iov_base = static_cast<char*>(message.msg_iov->iov_base) + done;
      message.msg_iov->iov_len -= done;
    }
  }
}

Reader Connection::call(Message type, const Writer& payload, std::string_view image) {
  std::lock_guard lock(mutex_);
  send(type, payload, image);
  return answer(type);
}

void Connection::callAll(Message type, const std::vector<Writer>& payloads, const Replied& replied) {
  std::lock_guard lock(mutex_);
  for (const Writer& payload : payloads) send(type, payload, {});
  for (size_t i = 0; i < payloads.size(); i++) {
    std::optional<Failure> failed;
    try {
      answer(type);
    } catch (const Failure& failure) {
      failed = failure;
    }
    replied(failed ? &*failed : nullptr);
  }
}

Reader Connection::answer(Message type) {
  for (;;) {
    struct {
      uint32_t size;
      uint16_t type;
      uint16_t status;
    } head = {};
    receive(socket_, &head, sizeof head);
    if (head.size < 4) die("the device sent a message that is too short");
    std::vector<char> bytes(head.size - 4);
    receive(socket_, bytes.data(), bytes.size());
    Reader reply(std::move(bytes));
    if (head.type == static_cast<uint16_t>(Message::OUTPUT)) {
      print(reply);
      continue;
    }
    check(static_cast<Status>(head.status), type, reply);
    return reply;
  }
}

}  // namespace rocport
