# find_package(hiprtc): hiprtc::hiprtc.
get_filename_component(hiprtc_PREFIX_DIR "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
if(NOT TARGET hiprtc::hiprtc)
  add_library(hiprtc::hiprtc SHARED IMPORTED)
  set_target_properties(hiprtc::hiprtc PROPERTIES
    IMPORTED_LOCATION "${hiprtc_PREFIX_DIR}/lib/libhiprtc.so.@ROCPORT_HIP_MAJOR@"
    IMPORTED_SONAME "libhiprtc.so.@ROCPORT_HIP_MAJOR@"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
    INTERFACE_INCLUDE_DIRECTORIES "${hiprtc_PREFIX_DIR}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${hiprtc_PREFIX_DIR}/include")
endif()
