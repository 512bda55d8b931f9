#include "descriptor.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace rocport {
namespace {

struct Content {
  char magic[12];
  Shared kind;
  Handle handle;
};
constexpr char MAGIC[] = "rocport-hip";

}  // namespace

int descriptorOf(Shared kind, const Handle& handle) {
  Content content = {};
  memcpy(content.magic, MAGIC, sizeof MAGIC);
  content.kind = kind;
  content.handle = handle;
  // Not MFD_CLOEXEC: programs pass it to other processes in various ways.
  int file = memfd_create("rocport-shared", 0);
  require(file >= 0, hipErrorOperatingSystem);
  if (::write(file, &content, sizeof content) != static_cast<ssize_t>(sizeof content)) {
    close(file);
    fail(hipErrorOperatingSystem);
  }
  return file;
}

Handle handleIn(int descriptor, Shared kind) {
  Content content = {};
  require(pread(descriptor, &content, sizeof content, 0) == static_cast<ssize_t>(sizeof content));
  require(memcmp(content.magic, MAGIC, sizeof MAGIC) == 0 && content.kind == kind);
  return content.handle;
}

}  // namespace rocport
