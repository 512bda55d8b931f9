# find_package(hipblaslt): roc::hipblaslt.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(hipblaslt roc::hipblaslt hipblaslt)
