# find_package(hip): hip::host, hip::device, hip::amdhip64 and the variables of ROCm's own file.
get_filename_component(hip_PREFIX_DIR "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)

set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
set(HIP_PLATFORM amd)
set(HIP_FOUND TRUE)
set(HIP_VERSION ${hip_VERSION})
set(hip_INCLUDE_DIR "${hip_PREFIX_DIR}/include")
set(hip_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(HIP_INCLUDE_DIR "${hip_INCLUDE_DIR}")
set(HIP_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(hip_LIB_INSTALL_DIR "${hip_PREFIX_DIR}/lib")
set(HIP_LIB_INSTALL_DIR "${hip_LIB_INSTALL_DIR}")
set(hip_BIN_INSTALL_DIR "${hip_PREFIX_DIR}/bin")
set(HIP_BIN_INSTALL_DIR "${hip_BIN_INSTALL_DIR}")
set(hip_HIPCC_EXECUTABLE "${hip_PREFIX_DIR}/bin/hipcc")
set(hip_HIPCONFIG_EXECUTABLE "${hip_PREFIX_DIR}/bin/hipconfig")
set(HIP_HIPCC_EXECUTABLE "${hip_HIPCC_EXECUTABLE}")
set(HIP_HIPCONFIG_EXECUTABLE "${hip_HIPCONFIG_EXECUTABLE}")
set(hip_LIBRARIES hip::host hip::device)
set(hip_LIBRARY hip::host)
set(HIP_LIBRARIES ${hip_LIBRARIES})
set(HIP_LIBRARY ${hip_LIBRARY})

find_package(Threads QUIET)

if(NOT TARGET hip::amdhip64)
  add_library(hip::amdhip64 SHARED IMPORTED)
  set_target_properties(hip::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${hip_PREFIX_DIR}/lib/libamdhip64.so.@ROCPORT_HIP_MAJOR@"
    IMPORTED_SONAME "libamdhip64.so.@ROCPORT_HIP_MAJOR@"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
    INTERFACE_INCLUDE_DIRECTORIES "${hip_INCLUDE_DIR}"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${hip_INCLUDE_DIR}")
endif()

# For host code.
if(NOT TARGET hip::host)
  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES INTERFACE_LINK_LIBRARIES hip::amdhip64)
endif()

# For code with kernels if the C++ compiler is clang.
if(NOT TARGET hip::device)
  set(GPU_TARGETS "@ROCPORT_TARGETS@" CACHE STRING "GPU targets to compile for")
  set(AMDGPU_TARGETS "${GPU_TARGETS}" CACHE STRING "GPU targets to compile for")
  set(hip_device_flags "SHELL:-x hip"
    "--rocm-path=${hip_PREFIX_DIR}" "--rocm-device-lib-path=${hip_PREFIX_DIR}/amdgcn/bitcode"
    "--hip-version=${hip_VERSION}" "-mcode-object-version=@ROCPORT_CODE_OBJECT@" "SHELL:@ROCPORT_WORKAROUNDS@" "-DHIP_ENABLE_WARP_SYNC_BUILTINS=1")
  set(hip_link_flags "--hip-link" "--rocm-path=${hip_PREFIX_DIR}"
    "--rocm-device-lib-path=${hip_PREFIX_DIR}/amdgcn/bitcode" "-no-hip-rt")
  foreach(target IN LISTS AMDGPU_TARGETS)
    list(APPEND hip_device_flags "--offload-arch=${target}")
    list(APPEND hip_link_flags "--offload-arch=${target}")
  endforeach()
  set(hip_cxx_flags "")
  foreach(flag IN LISTS hip_device_flags)
    list(APPEND hip_cxx_flags "$<$<COMPILE_LANGUAGE:CXX>:${flag}>")
  endforeach()
  set(hip_cxx_link_flags "")
  foreach(flag IN LISTS hip_link_flags)
    list(APPEND hip_cxx_link_flags "$<$<LINK_LANGUAGE:CXX>:${flag}>")
  endforeach()
  add_library(hip::device INTERFACE IMPORTED)
  set_target_properties(hip::device PROPERTIES
    INTERFACE_LINK_LIBRARIES hip::host
    INTERFACE_COMPILE_OPTIONS "${hip_cxx_flags}"
    INTERFACE_LINK_OPTIONS "${hip_cxx_link_flags}")
endif()

function(hip_add_executable name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE hip::device)
endfunction()
