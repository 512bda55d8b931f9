// Large code objects in files and in memory: loaded when a kernel is first needed, whatever has become of the file by then.
#include <elf.h>
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 2 << 20 };

static int failures = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  printf("%s: FAIL\n", what);
  failures++;
}

#define HOLDS(condition) expect(condition, #condition)

// A copy of a code object with zeros behind it.
static void copy(const char* from, const char* to) {
  char* bytes = calloc(LARGE, 1);
  FILE* in = fopen(from, "rb");
  FILE* out = fopen(to, "wb");
  size_t length = fread(bytes, 1, LARGE, in);
  HOLDS(length > 0 && length < LARGE);
  HOLDS(fwrite(bytes, 1, LARGE, out) == LARGE);
  fclose(in);
  fclose(out);
  free(bytes);
}

// The content of a file, in memory that the caller frees.
static char* content(const char* path) {
  char* bytes = malloc(LARGE);
  FILE* in = fopen(path, "rb");
  HOLDS(fread(bytes, 1, LARGE, in) == LARGE);
  fclose(in);
  return bytes;
}

// Makes the section headers end the image, which has no other sign of its size.
static void stretch(char* bytes) {
  Elf64_Ehdr* head = (Elf64_Ehdr*)bytes;
  size_t size = (size_t)head->e_shnum * sizeof(Elf64_Shdr);
  memcpy(bytes + LARGE - size, bytes + head->e_shoff, size);
  head->e_shoff = LARGE - size;
}

static size_t freeMemory(void) {
  size_t left = 0, total = 0;
  HOLDS(hipMemGetInfo(&left, &total) == hipSuccess);
  return left;
}

static void launch(hipFunction_t scale) {
  float* values;
  float host[64];
  int n = 64;
  void* arguments[] = {&values, &n};
  for (int i = 0; i < n; i++) host[i] = (float)i;
  HOLDS(hipMalloc((void**)&values, sizeof host) == hipSuccess);
  HOLDS(hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice) == hipSuccess);
  HOLDS(hipModuleLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL) == hipSuccess);
  HOLDS(hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost) == hipSuccess);
  HOLDS(host[63] == 63 * 2.5f);
  HOLDS(hipFree(values) == hipSuccess);
}

int main(int argc, char** argv) {
  hipModule_t first, second, third, fourth, fifth, sixth;
  hipFunction_t function;
  hipDeviceptr_t global;
  size_t size, before, mapped;
  char* image;
  if (argc != 2) return 2;
  copy(argv[1], "first.co");
  copy(argv[1], "second.co");
  copy(argv[1], "third.co");

  HOLDS(hipModuleLoad(&first, "first.co") == hipSuccess);
  before = freeMemory();
  HOLDS(hipModuleLoad(&second, "second.co") == hipSuccess);
  HOLDS(hipModuleLoad(&third, "third.co") == hipSuccess);
  HOLDS(hipModuleLoad(&fourth, "first.co") == hipSuccess);
  HOLDS(hipModuleLoad(&fifth, "first.co") == hipSuccess);
  HOLDS(hipModuleGetFunction(&function, second, "scal") == hipErrorNotFound);
  mapped = freeMemory();
  HOLDS(mapped == before);

  HOLDS(unlink("second.co") == 0);
  HOLDS(hipModuleGetFunction(&function, second, "scale") == hipSuccess);
  HOLDS(freeMemory() < mapped);
  HOLDS(hipModuleGetFunction(&function, second, "scal") == hipErrorNotFound);
  launch(function);

  HOLDS(truncate("third.co", 100) == 0);
  HOLDS(hipModuleGetFunction(&function, third, "scale") == hipErrorInvalidImage);

  HOLDS(hipModuleGetGlobal(&global, &size, fourth, "calls") == hipSuccess && size == sizeof(unsigned));
  HOLDS(hipModuleGetGlobal(&global, &size, fourth, "steps") == hipSuccess && size == sizeof(int) && *(int*)global == 40);
  HOLDS(hipModuleGetGlobal(&global, &size, fourth, "call") == hipErrorNotFound);

  image = content("first.co");
  stretch(image);
  before = freeMemory();
  HOLDS(hipModuleLoadData(&sixth, image) == hipSuccess);
  memset(image, 0, LARGE);
  free(image);
  HOLDS(hipModuleGetFunction(&function, sixth, "scal") == hipErrorNotFound);
  HOLDS(freeMemory() == before);
  HOLDS(hipModuleGetFunction(&function, sixth, "scale") == hipSuccess);
  HOLDS(freeMemory() < before);
  launch(function);

  HOLDS(hipModuleUnload(sixth) == hipSuccess);
  HOLDS(hipModuleUnload(first) == hipSuccess);
  HOLDS(hipModuleUnload(second) == hipSuccess);
  HOLDS(hipModuleUnload(third) == hipSuccess);
  HOLDS(hipModuleUnload(fourth) == hipSuccess);
  HOLDS(hipModuleUnload(fifth) == hipSuccess);
  HOLDS(hipModuleGetFunction(&function, fifth, "scale") == hipErrorNotFound);
  HOLDS(hipModuleLoad(&first, "third.co") == hipErrorInvalidImage);
  printf("files: %s\n", failures ? "FAIL" : "PASS");
  return failures != 0;
}
