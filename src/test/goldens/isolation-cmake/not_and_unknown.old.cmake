if(X)
  a()
endif()
