if(USE_ROCM STREQUAL "OFF")
  x()
endif()
a()
