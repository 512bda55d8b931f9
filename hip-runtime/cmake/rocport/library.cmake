# rocport_library(PACKAGE TARGET NAME): lib/libNAME.so of this ROCm as an imported target.
macro(rocport_library package target name)
  get_filename_component(${package}_PREFIX_DIR "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
  set(${package}_INCLUDE_DIRS "${${package}_PREFIX_DIR}/include")
  set(${package}_LIBRARIES ${target})
  if(NOT EXISTS "${${package}_PREFIX_DIR}/lib/lib${name}.so")
    set(${package}_FOUND FALSE)
    set(${package}_NOT_FOUND_MESSAGE "this ROCm has no lib${name}.so")
  elseif(NOT TARGET ${target})
    add_library(${target} SHARED IMPORTED)
    set_target_properties(${target} PROPERTIES
      IMPORTED_LOCATION "${${package}_PREFIX_DIR}/lib/lib${name}.so"
      INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
      INTERFACE_INCLUDE_DIRECTORIES "${${package}_INCLUDE_DIRS}"
      INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${${package}_INCLUDE_DIRS}")
  endif()
endmacro()
