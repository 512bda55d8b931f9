/* Takes the place of a library of rocport's that is not compiled yet: every function is there, and
   goes on to that of the library, which is compiled when a program loads this one. The build adds
   an ENTRY(index, name) line for each function, and END(count). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern __attribute__((visibility("hidden"))) void *rocport_entries[];
extern __attribute__((visibility("hidden"))) const char *const rocport_names[];
extern __attribute__((visibility("hidden"))) const int rocport_count;

static __attribute__((noreturn)) void unavailable(void) {
  fprintf(stderr, "rocport: lib" LIBRARY " could not be compiled, as reported above\n");
  abort();
}

static int isVariable(const char *entry, const char *name) {
  size_t size = strlen(name);
  return strncmp(entry, name, size) == 0 && entry[size] == '=';
}

/* The environment of the program, without the variables that control its loader and select a ROCm. */
static char **variables(void) {
  size_t count = 0;
  while (environ[count]) count++;
  char **copy = calloc(count + 3, sizeof *copy);
  if (!copy) return NULL;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    char *entry = environ[i];
    if (isVariable(entry, "LD_PRELOAD") || isVariable(entry, "LD_LIBRARY_PATH") ||
        isVariable(entry, "ROCM_PATH") || isVariable(entry, "ROCPORT_TOOLCHAIN")) {
      continue;
    }
    copy[kept++] = entry;
  }
  copy[kept++] = "ROCPORT_TOOLCHAIN=" TOOLCHAINS;
#ifdef ROCM
  copy[kept++] = "ROCM_PATH=" ROCM;
#endif
  return copy;
}

/* Runs "rocport toolchain libraries" and waits for it; that command reports errors itself. */
static void compile(void) {
  const char *home = getenv("ROCPORT_HOME");
  if (!home || !*home) home = INSTALLATION;
  char *program = NULL;
  char **environment = variables();
  if (!environment || asprintf(&program, "%s/rocport", home) < 0) return;
  char *arguments[] = {program, "toolchain", "libraries", "--runtime", RUNTIME, LIBRARY, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (fcntl(2, F_GETFD) >= 0) posix_spawn_file_actions_adddup2(&actions, 2, 1);
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child;
  int failure = posix_spawn(&child, program, &actions, &attributes, arguments, environment);
  if (failure != 0) {
    fprintf(stderr, "rocport: cannot start %s: %s; set ROCPORT_HOME to the rocport folder\n", program,
            strerror(failure));
  } else {
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  free(environment);
  free(program);
}

static __attribute__((constructor)) void load(void) {
  for (int i = 0; i < rocport_count; i++) rocport_entries[i] = (void *)unavailable;
  if (access(REAL, R_OK) != 0) compile();
  if (access(REAL, R_OK) != 0) return;
  void *library = dlopen(REAL, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "rocport: %s\n", dlerror());
    return;
  }
  for (int i = 0; i < rocport_count; i++) {
    void *function = dlsym(library, rocport_names[i]);
    if (function) rocport_entries[i] = function;
  }
}

#define ENTRY(index, name)                                                                      \
  __asm__(".pushsection .text\n.globl " #name "\n.type " #name ", @function\n" #name            \
          ": jmp *rocport_entries+8*" #index "(%rip)\n.size " #name ", .-" #name "\n.popsection\n" \
          ".pushsection .rodata.rocport,\"aMS\",@progbits,1\n1: .asciz \"" #name "\"\n.popsection\n" \
          ".pushsection .data.rel.ro.rocport,\"aw\"\n.quad 1b\n.popsection\n");
#define END(count)                                                   \
  void *rocport_entries[count];                                      \
  const int rocport_count = count;                                   \
  __asm__(".globl rocport_names\n.hidden rocport_names\n");

/* The names follow here. */
__asm__(".pushsection .data.rel.ro.rocport,\"aw\"\n.balign 8\nrocport_names:\n.popsection\n");
