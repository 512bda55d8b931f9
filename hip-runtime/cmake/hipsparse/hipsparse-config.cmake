# find_package(hipsparse): roc::hipsparse.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(hipsparse roc::hipsparse hipsparse)
