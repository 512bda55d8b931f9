# find_package(miopen): MIOpen.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(miopen MIOpen MIOpen)
