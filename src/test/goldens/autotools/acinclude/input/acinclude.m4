dnl MY_CUDA: --enable-cuda
AC_DEFUN([MY_CUDA],[
AC_ARG_ENABLE(cuda, [  --enable-cuda           use CUDA], , enable_cuda=no)
if test "$enable_cuda" = yes; then
  AC_CHECK_PROG(NVCC, nvcc, nvcc, missing)
  if test "$NVCC" = missing; then
    AC_MSG_ERROR([nvcc is missing])
  fi
  CUDA_INCLUDES="-I/usr/local/cuda/include"
  CUDA_LIBS="-L/usr/local/cuda/lib64 -lcudart -lcublas"
  NVCC_FLAGS="-O3 --use_fast_math -gencode arch=compute_70,code=sm_70"
  AC_DEFINE(USE_CUDA, 1, [use CUDA])
fi
AM_CONDITIONAL(USE_CUDA, test "$enable_cuda" = yes)
AC_SUBST(NVCC)
AC_SUBST(CUDA_INCLUDES)
AC_SUBST(CUDA_LIBS)
AC_SUBST(NVCC_FLAGS)
])
