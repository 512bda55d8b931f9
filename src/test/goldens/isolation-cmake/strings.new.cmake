if(NOT USE_ROCM)
  set(TEXT "one
  if(USE_ROCM)
  two")
  set(RAW [=[
  endif() ]] "
]=])
endif()
#[[ if(USE_ROCM)
]] message("a \" # b")
if(USE_ROCM)
  set(Q [==[ endif() ]=] ]==])
endif()
set(P C:\\x\ y a;b "c")
