# find_package(hipfft): hip::hipfft.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(hipfft hip::hipfft hipfft)
