if(USE_ROCM AND X OR Y)
  x()
endif()
a()
