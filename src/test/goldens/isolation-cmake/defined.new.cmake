if(DEFINED USE_ROCM)
  x()
endif()
a()
