if(USE_CUDA)
  a()
endif()
