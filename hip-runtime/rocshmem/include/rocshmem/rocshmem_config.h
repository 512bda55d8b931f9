// The version that this rocSHMEM reports. It has the names that programs for this and earlier versions use.
#pragma once

#define ROCSHMEM_VERSION "3.8.0"
#define ROCSHMEM_VENDOR_MAJOR_VERSION 3
#define ROCSHMEM_VENDOR_MINOR_VERSION 8
#define ROCSHMEM_VENDOR_PATCH_VERSION 0
#define ROCSHMEM_VENDOR_STRING "rocport's stand-in for rocSHMEM 3.8.0"
