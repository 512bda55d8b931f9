if(USE_ROCM OR WIN32)
  x()
endif()
a()
