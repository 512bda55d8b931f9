# Read by CMake's language HIP: flags and library of every target with HIP sources.
get_filename_component(hip_lang_root "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)

# CMake takes its initial flags from $HIPFLAGS, which "rocport toolchain env" sets for manual calls of the compiler.
# CMake passes the language itself, and $HIPFLAGS would also apply it to object files.
string(REPLACE "-x hip " "" CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS}")

if(NOT TARGET hip-lang::amdhip64)
  add_library(hip-lang::amdhip64 SHARED IMPORTED)
  set_target_properties(hip-lang::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${hip_lang_root}/lib/libamdhip64.so.@ROCPORT_HIP_MAJOR@"
    IMPORTED_SONAME "libamdhip64.so.@ROCPORT_HIP_MAJOR@")
endif()

if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "$<$<COMPILE_LANGUAGE:HIP>:${hip_lang_root}/include>"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "$<$<COMPILE_LANGUAGE:HIP>:${hip_lang_root}/include>"
    INTERFACE_COMPILE_DEFINITIONS "$<$<COMPILE_LANGUAGE:HIP>:__HIP_PLATFORM_AMD__=1>;$<$<COMPILE_LANGUAGE:HIP>:HIP_ENABLE_WARP_SYNC_BUILTINS=1>"
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:HIP>:--rocm-path=${hip_lang_root}>;$<$<COMPILE_LANGUAGE:HIP>:--rocm-device-lib-path=${hip_lang_root}/amdgcn/bitcode>;$<$<COMPILE_LANGUAGE:HIP>:-mcode-object-version=@ROCPORT_CODE_OBJECT@>;$<$<COMPILE_LANGUAGE:HIP>:SHELL:@ROCPORT_WORKAROUNDS@>"
    INTERFACE_LINK_OPTIONS "$<$<LINK_LANGUAGE:HIP>:--rocm-path=${hip_lang_root}>;$<$<LINK_LANGUAGE:HIP>:--rocm-device-lib-path=${hip_lang_root}/amdgcn/bitcode>;$<$<LINK_LANGUAGE:HIP>:-no-hip-rt>"
    INTERFACE_LINK_LIBRARIES hip-lang::amdhip64)
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET "hip-lang::device")
