if(USE_AMD)
  x()
endif()
a()
