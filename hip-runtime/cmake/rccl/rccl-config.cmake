# find_package(rccl): roc::rccl.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(rccl roc::rccl rccl)
