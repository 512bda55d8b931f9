if(USE_ROCM)
  x()
endif()
a()
