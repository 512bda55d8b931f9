# find_package(amd_smi): amd_smi.
include("${CMAKE_CURRENT_LIST_DIR}/../rocport/library.cmake")
rocport_library(amd_smi amd_smi amd_smi)
