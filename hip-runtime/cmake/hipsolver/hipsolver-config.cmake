# find_package(hipsolver): roc::hipsolver.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(hipsolver roc::hipsolver hipsolver)
