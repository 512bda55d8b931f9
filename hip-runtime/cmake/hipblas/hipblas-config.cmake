# find_package(hipblas): roc::hipblas.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(hipblas roc::hipblas hipblas)
