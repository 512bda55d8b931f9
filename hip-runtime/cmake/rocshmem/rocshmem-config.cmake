# find_package(rocshmem): roc::rocshmem, which rocport's compiler drivers recognize by its name.
if(NOT TARGET roc::rocshmem)
  add_library(roc::rocshmem INTERFACE IMPORTED)
  set_target_properties(roc::rocshmem PROPERTIES INTERFACE_LINK_LIBRARIES "-lrocshmem")
endif()
