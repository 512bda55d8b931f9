/* Every function that HIP's headers declare links. One that this library does not have ends the
   program with its name: it never returns success. The build adds a MISSING(name) line for each
   name; as they are weak, those that are defined elsewhere in the library win. */
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noreturn, noinline)) void missing(const char *name) {
  fprintf(stderr, "rocport: %s is not implemented\n", name);
  abort();
}

#define MISSING(name) \
  __attribute__((weak, visibility("default"))) void name(void) { missing(#name); }

