# find_package(hiprand): hip::hiprand.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(hiprand hip::hiprand hiprand)
