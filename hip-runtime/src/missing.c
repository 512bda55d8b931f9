/* Every function that HIP's headers declare links. One that this library does not have ends the
   program with its name: it never returns success. The build adds a MISSING(name) line for each
   name; as they are weak, those that are defined elsewhere in the library win. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef STAND_IN
/* Reports name the libraries that replaced those of ROCm. */
static __attribute__((constructor)) void noteStandIn(void) {
  const char *path = getenv("ROCPORT_STAND_INS");
  int file = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (file < 0) return;
  (void)!write(file, STAND_IN "\n", strlen(STAND_IN "\n"));
  close(file);
}
#endif

static __attribute__((noreturn, noinline)) void missing(const char *name) {
  fprintf(stderr, "rocport: %s is not implemented\n", name);
  abort();
}

#define MISSING(name) \
  __attribute__((weak, visibility("default"))) void name(void) { missing(#name); }

