# find_package(rocblas): roc::rocblas.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(rocblas roc::rocblas rocblas)
