set(TEXT "one
  if(USE_ROCM)
  two")
set(RAW [=[
  endif() ]] "
]=])
#[[ if(USE_ROCM)
]] message("a \" # b")
set(P C:\\x\ y a;b "c")
