# AX_CHECK_CUDA: sets NVCC, CUDA_CFLAGS, CUDA_LIBS, NVCCFLAGS.
AC_DEFUN([AX_CHECK_CUDA], [
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda=PATH], [the CUDA toolkit, auto or no])],
    [], [with_cuda=auto])
  AC_ARG_WITH([cuda-arch],
    [AS_HELP_STRING([--with-cuda-arch=ARCH], [the GPU])], [cuda_arch=$withval], [cuda_arch=sm_70])
  have_cuda=no
  AS_CASE([$with_cuda],
    [no], [],
    [yes|auto], [AC_PATH_PROG([NVCC], [nvcc])],
    [NVCC=$with_cuda/bin/nvcc])
  AS_IF([test -n "$NVCC"], [
    have_cuda=yes
    CUDA_HOME=`AS_DIRNAME(["$NVCC"])`/..
    CUDA_CFLAGS="-I$CUDA_HOME/include"
    CUDA_LIBS="-L$CUDA_HOME/lib64 -lcudart"
    NVCCFLAGS="-O2 -arch=$cuda_arch -Xcompiler -fPIC"
    AC_DEFINE([HAVE_CUDA], [1], [Define if CUDA is used])
  ], [AS_IF([test "x$with_cuda" = xyes], [AC_MSG_ERROR([no nvcc])])])
  AC_SUBST([NVCC])
  AC_SUBST([CUDA_CFLAGS])
  AC_SUBST([CUDA_LIBS])
  AC_SUBST([NVCCFLAGS])
  AM_CONDITIONAL([HAVE_CUDA], [test "x$have_cuda" = xyes])
])
