if(NOT USE_ROCM AND X)
  a()
endif()
