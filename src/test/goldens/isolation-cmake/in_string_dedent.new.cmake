if(1)
  if(NOT USE_ROCM)
    a("
  x")
  endif()
endif()
