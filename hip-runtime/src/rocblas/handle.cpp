// What rocBLAS has and hipBLAS lacks: versions, names of results, memory that calls need.
#include <cstring>
#include <string>

#include "status.h"

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

namespace {

constexpr const char* VERSION =
    TEXT(ROCBLAS_VERSION_MAJOR) "." TEXT(ROCBLAS_VERSION_MINOR) "." TEXT(ROCBLAS_VERSION_PATCH);

}  // namespace

extern "C" {

void rocblas_initialize(void) {}

// No function needs a workspace.
rocblas_status rocblas_set_workspace(rocblas_handle handle, void*, size_t) {
  return handle ? rocblas_status_success : rocblas_status_invalid_handle;
}

rocblas_pointer_mode rocblas_pointer_to_mode(void* at) {
  hipPointerAttribute_t attributes;
  if (hipPointerGetAttributes(&attributes, at) != hipSuccess) {
    (void)hipGetLastError();
    return rocblas_pointer_mode_host;
  }
  return attributes.type == hipMemoryTypeDevice ? rocblas_pointer_mode_device : rocblas_pointer_mode_host;
}

rocblas_status rocblas_get_version_string_size(size_t* size) {
  if (!size) return rocblas_status_invalid_pointer;
  *size = strlen(VERSION) + 1;
  return rocblas_status_success;
}

rocblas_status rocblas_get_version_string(char* text, size_t size) {
  if (!text) return rocblas_status_invalid_pointer;
  if (size < strlen(VERSION) + 1) return rocblas_status_invalid_size;
  strcpy(text, VERSION);
  return rocblas_status_success;
}

const char* rocblas_status_to_string(rocblas_status status) {
  switch (status) {
#define NAMED(name) \
  case name:        \
    return #name
    NAMED(rocblas_status_success);
    NAMED(rocblas_status_invalid_handle);
    NAMED(rocblas_status_not_implemented);
    NAMED(rocblas_status_invalid_pointer);
    NAMED(rocblas_status_invalid_size);
    NAMED(rocblas_status_memory_error);
    NAMED(rocblas_status_internal_error);
    NAMED(rocblas_status_perf_degraded);
    NAMED(rocblas_status_size_query_mismatch);
    NAMED(rocblas_status_size_increased);
    NAMED(rocblas_status_size_unchanged);
    NAMED(rocblas_status_invalid_value);
    NAMED(rocblas_status_continue);
    NAMED(rocblas_status_check_numerics_fail);
#undef NAMED
    default:
      return "unrecognized rocblas_status";
  }
}

}  // extern "C"
