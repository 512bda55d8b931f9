if(USE_ROCM)
  x()
a()
