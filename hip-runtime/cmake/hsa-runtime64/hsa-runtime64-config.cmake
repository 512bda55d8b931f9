# find_package(hsa-runtime64): hsa-runtime64::hsa-runtime64.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(hsa-runtime64 hsa-runtime64::hsa-runtime64 hsa-runtime64)
