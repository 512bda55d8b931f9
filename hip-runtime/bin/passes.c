/*
 * Lets the driver of clang run its passes without starting clang again: preloaded by hip-precompiled into the driver.
 *
 * A compile of HIP takes a process for the host and for each GPU, and one that puts the device code into one file. Each
 * of them loads and relocates more than 100 MB of libraries, which takes longer than what they do for a small source.
 * Here, the driver forks where it would start itself (-cc1), and the file of device code is written in place.
 * Whatever else the driver starts, and all that fails here, runs as without this file. What is made is the same.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int Main(int, char**, char**);
typedef int Start(Main*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
typedef int Spawn(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const[],
                  char* const[]);

/* Of glibc 2.32: whether the process has never had a second thread. */
extern char __libc_single_threaded __attribute__((weak));

static Main* start;

/* The C library calls this with the program's main. */
int __libc_start_main(Main* main, int argc, char** argv, void (*init)(void), void (*fini)(void), void (*end)(void),
                      void* stack) {
  Start* next = (Start*)dlsym(RTLD_NEXT, "__libc_start_main");
  start = main;
  return next(main, argc, argv, init, fini, end, stack);
}

/* What the driver starts is not to load this library, which is the first one named. */
static void unload(void) {
  const char* loaded = getenv("LD_PRELOAD");
  const char* others = loaded ? strchr(loaded, ':') : NULL;
  if (others) {
    setenv("LD_PRELOAD", others + 1, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
}

static int isThisProgram(const char* path) {
  struct stat self;
  struct stat other;
  return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 && self.st_dev == other.st_dev &&
         self.st_ino == other.st_ino;
}

/* What clang-offload-bundler was told to do. */
enum { MOST = 32 };
typedef struct {
  size_t count; /* of the targets and of the inputs */
  const char* target[MOST];
  const char* input[MOST];
  const char* output;
  uint64_t align;
} Bundle;

/* Reads the arguments, and cuts the list of targets; fails where they are others than those of a compile of HIP. */
static int parse(char* const argv[], char* list, size_t room, Bundle* b) {
  size_t inputs = 0;
  memset(b, 0, sizeof *b);
  for (size_t i = 1; argv[i]; i++) {
    if (strncmp(argv[i], "-bundle-align=", 14) == 0) {
      b->align = strtoul(argv[i] + 14, NULL, 10);
    } else if (strncmp(argv[i], "-targets=", 9) == 0 && !b->count && strlen(argv[i]) < room) {
      strcpy(list, argv[i] + 9);
      for (char* rest = list; rest && b->count < MOST;) {
        b->target[b->count++] = strsep(&rest, ",");
      }
    } else if (strncmp(argv[i], "-input=", 7) == 0 && inputs < MOST) {
      b->input[inputs++] = argv[i] + 7;
    } else if (strncmp(argv[i], "-output=", 8) == 0 && !b->output) {
      b->output = argv[i] + 8;
    } else if (strcmp(argv[i], "-type=o") != 0) {
      return -1;
    }
  }
  int plain = b->count > 1 && b->count < MOST && inputs == b->count && strcmp(b->input[0], "/dev/null") == 0 &&
              strcmp(b->target[0], "host-x86_64-unknown-linux") == 0;
  /* The bundler looks for conflicts between features of a target, after a colon. */
  for (size_t i = 1; plain && i < b->count; i++) {
    plain = strncmp(b->target[i], "hipv4-amdgcn-amd-amdhsa--gfx", 28) == 0 && !strchr(b->target[i], ':');
  }
  /* The bundler completes triples with what they leave out. */
  b->target[0] = "host-x86_64-unknown-linux--";
  return plain && b->align && b->output ? 0 : -1;
}

static int copy(int from, int to, uint64_t size, uint64_t at) {
  char buffer[1 << 16];
  while (size > 0) {
    ssize_t n = read(from, buffer, size < sizeof buffer ? size : sizeof buffer);
    if (n <= 0 || pwrite(to, buffer, (size_t)n, (off_t)at) != n) {
      return -1;
    }
    size -= (uint64_t)n;
    at += (uint64_t)n;
  }
  return 0;
}

/* Writes a number with its lowest byte first, as all of the header. */
static void number(FILE* header, uint64_t value) {
  for (int i = 0; i < 8; i++) {
    fputc((int)(value >> 8 * i & 255), header);
  }
}

/* Writes the file that ClangOffloadBundler.rst of LLVM describes. */
static int bundle(const Bundle* b) {
  int to = open(b->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  char* text = NULL;
  size_t length = 0;
  FILE* header = to < 0 ? NULL : open_memstream(&text, &length);
  if (!header) {
    return -1;
  }
  uint64_t at = 24 + 8;
  for (size_t i = 0; i < b->count; i++) {
    at += 24 + strlen(b->target[i]);
  }
  fputs("__CLANG_OFFLOAD_BUNDLE__", header);
  number(header, b->count);
  int made = 0;
  for (size_t i = 0; i < b->count && made == 0; i++) {
    struct stat input;
    int from = open(b->input[i], O_RDONLY | O_CLOEXEC);
    at = (at + b->align - 1) / b->align * b->align;
    made = from < 0 || fstat(from, &input) != 0 ? -1 : copy(from, to, (uint64_t)input.st_size, at);
    if (made == 0) {
      number(header, at);
      number(header, (uint64_t)input.st_size);
      number(header, strlen(b->target[i]));
      fputs(b->target[i], header);
      at += (uint64_t)input.st_size;
    }
    if (from >= 0) {
      close(from);
    }
  }
  if (fclose(header) != 0 || pwrite(to, text, length, 0) != (ssize_t)length) {
    made = -1;
  }
  free(text);
  return close(to) == 0 ? made : -1;
}

static int isBundler(const char* path) {
  const char* name = strrchr(path, '/');
  /* Other releases may write another form. */
  return __clang_major__ == 19 && strcmp(name ? name + 1 : path, "clang-offload-bundler") == 0 &&
         !getenv("OFFLOAD_BUNDLER_COMPRESS");
}

/* LLVM starts programs with this function, without actions and attributes unless it redirects their output. */
int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attr,
                char* const argv[], char* const envp[]) {
  unload();
  int usual = start && !actions && !attr && envp == environ && argv[0] && argv[1] && &__libc_single_threaded &&
              __libc_single_threaded;
  if (usual && strcmp(argv[1], "-cc1") == 0 && isThisProgram(path)) {
    pid_t child = fork();
    if (child == 0) {
      int argc = 0;
      while (argv[argc]) {
        argc++;
      }
      exit(start(argc, (char**)argv, (char**)envp));
    }
    if (child > 0) {
      *pid = child;
      return 0;
    }
  } else if (usual && isBundler(path)) {
    char list[4096];
    Bundle b;
    if (parse(argv, list, sizeof list, &b) == 0 && bundle(&b) == 0) {
      /* The driver waits for a process. */
      pid_t child = vfork();
      if (child == 0) {
        _exit(0);
      }
      if (child > 0) {
        *pid = child;
        return 0;
      }
    }
  }
  Spawn* next = (Spawn*)dlsym(RTLD_NEXT, "posix_spawn");
  return next(pid, path, actions, attr, argv, envp);
}
