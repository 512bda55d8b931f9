# ax_check_rocm.m4: checks for AMD ROCm in a build that supports NVIDIA CUDA. Written by rocport port.
#
# AX_ARG_ROCM([VARIABLE...], [port or asked])
#   Adds the options --with-rocm and --with-rocm-arch. Call it before the check for CUDA. VARIABLE...
#   are the shell variables of the options that turn CUDA on, such as with_cuda: if ROCm is requested,
#   CUDA is turned off; if both are requested, configure fails. With "port", the tree is the ROCm port
#   of a CUDA tree and CUDA is always off; if no option turns CUDA off, ROCm is required. With
#   "asked", ROCm is used only on request.
#
# AX_CHECK_ROCM([TEST])
#   Checks for ROCm. Call it after the check for CUDA; TEST is a shell command that succeeds if CUDA
#   is in use. Sets and substitutes:
#     HIPCC           the compiler
#     ROCM_HOME       the folder that contains include/hip
#     ROCM_CFLAGS     flags of a host compiler for the HIP headers
#     ROCM_LDFLAGS    -L flag for the runtime
#     ROCM_LIBS       ROCM_LDFLAGS and the runtime
#     ROCM_ARCHFLAGS  --offload-arch for each GPU of --with-rocm-arch
#     HIPCCFLAGS      -fPIC and ROCM_ARCHFLAGS
#     have_rocm       yes or no
#   and defines the conditional and the macro HAVE_ROCM, and __HIP_PLATFORM_AMD__.

AC_DEFUN([AX_ARG_ROCM], [
AC_ARG_WITH([rocm],
  [AS_HELP_STRING([--with-rocm@<:@=PATH|auto|no@:>@],
    [build for AMD GPUs with ROCm in PATH, or with the ROCm that is found
    @<:@default: ]m4_case([$1:$2], [:port], [yes], [m4_if([$2], [asked], [no], [auto])])[@:>@])],
  [], [with_rocm=m4_case([$1:$2], [:port], [yes], [m4_if([$2], [asked], [no], [auto])])])
AC_ARG_WITH([rocm-arch],
  [AS_HELP_STRING([--with-rocm-arch=LIST],
    [AMD GPUs to compile for, such as gfx90a,gfx942 @<:@default: the choice of hipcc@:>@])],
  [], [with_rocm_arch=])
AS_IF([test "x$with_rocm" = x], [with_rocm=yes])
AS_CASE([$with_rocm_arch],
  [yes|no], [AC_MSG_ERROR([--with-rocm-arch needs a list of AMD GPUs, such as gfx90a,gfx942])])
m4_foreach_w([ax_rocm_Cuda], [$1], [
m4_if([$2], [port], [
AS_CASE([$ax_rocm_Cuda],
  [''|no|auto], [ax_rocm_Cuda=no],
  [AC_MSG_ERROR([this tree is the ROCm port; configure the original tree to build for CUDA])])
], [
AS_CASE([$with_rocm],
  [no|auto], [],
  [AS_CASE([$ax_rocm_Cuda],
    [''|no|auto], [ax_rocm_Cuda=no],
    [AC_MSG_ERROR([both CUDA and ROCm are requested, but a build supports only one of them; drop --with-rocm or the option for CUDA])])])
])
])
])

AC_DEFUN([AX_CHECK_ROCM], [
have_rocm=no
ax_rocm_cuda=no
m4_ifval([$1], [AS_IF([$1], [ax_rocm_cuda=yes])])
AS_CASE([$with_rocm:$ax_rocm_cuda],
  [no:*], [],
  [auto:yes], [AC_MSG_NOTICE([CUDA is in use; skipping the check for ROCm])],
  [*:yes], [AC_MSG_ERROR([ROCm is requested, but CUDA was found and a build supports only one of them; turn CUDA off])],
  [_AX_ROCM_FIND])
AS_IF([test "x$have_rocm" = xyes], [
  AC_DEFINE([HAVE_ROCM], [1], [Define to 1 if ROCm is used.])
  AC_DEFINE([__HIP_PLATFORM_AMD__], [1])
], [
  HIPCC= ROCM_HOME= ROCM_CFLAGS= ROCM_LDFLAGS= ROCM_LIBS= ROCM_ARCHFLAGS= HIPCCFLAGS=
])
AH_VERBATIM([__HIP_PLATFORM_AMD__],
[/* Selects the AMD GPU platform in the HIP headers. */
#ifndef __HIP_PLATFORM_AMD__
# undef __HIP_PLATFORM_AMD__
#endif])
AC_SUBST([HIPCC])
AC_SUBST([ROCM_HOME])
AC_SUBST([ROCM_CFLAGS])
AC_SUBST([ROCM_LDFLAGS])
AC_SUBST([ROCM_LIBS])
AC_SUBST([ROCM_ARCHFLAGS])
AC_SUBST([HIPCCFLAGS])
AM_CONDITIONAL([HAVE_ROCM], [test "x$have_rocm" = xyes])
])

# Fails if ROCm is required; with --with-rocm=auto, records the problem.
AC_DEFUN([_AX_ROCM_MISSING], [
AS_IF([test "x$with_rocm" = xauto], [ax_rocm_problem=yes], [AC_MSG_ERROR([$1])])
])

AC_DEFUN([_AX_ROCM_FIND], [
ax_rocm_problem=no
AC_ARG_VAR([HIPCC], [the compiler for AMD GPUs])
AS_CASE([$with_rocm],
  [yes|auto], [
    ax_rocm_place=
    ax_rocm_path=$PATH
    AS_IF([test -n "$ROCM_PATH"], [ax_rocm_path=$ax_rocm_path$PATH_SEPARATOR$ROCM_PATH/bin])
    ax_rocm_path=$ax_rocm_path$PATH_SEPARATOR/opt/rocm/bin
  ], [
    ax_rocm_place=$with_rocm
    ax_rocm_path=$with_rocm/bin
  ])
AC_PATH_PROG([HIPCC], [hipcc], [], [$ax_rocm_path])
AS_IF([test -z "$HIPCC"], [
  AS_IF([test -n "$ax_rocm_place"],
    [_AX_ROCM_MISSING([--with-rocm: there is no bin/hipcc in $ax_rocm_place])],
    [_AX_ROCM_MISSING([hipcc is neither in PATH nor in ROCM_PATH nor in /opt/rocm; set the ROCm folder with --with-rocm=PATH])])
], [
  ROCM_HOME=$ax_rocm_place
  AS_IF([test -z "$ROCM_HOME"], [
    ax_rocm_real=`readlink -f "$HIPCC" 2>/dev/null || echo "$HIPCC"`
    for ax_rocm_dir in "$ROCM_PATH" "`AS_DIRNAME(["$HIPCC"])`/.." "`AS_DIRNAME(["$ax_rocm_real"])`/.." /opt/rocm; do
      AS_IF([test -n "$ax_rocm_dir" && test -f "$ax_rocm_dir/include/hip/hip_runtime_api.h"], [
        ROCM_HOME=`cd "$ax_rocm_dir" && pwd`
        break
      ])
    done
  ])
  AS_IF([test -f "$ROCM_HOME/include/hip/hip_runtime_api.h"], [_AX_ROCM_FLAGS], [
    _AX_ROCM_MISSING([include/hip/hip_runtime_api.h was not found for $HIPCC; set the folder that contains the HIP headers with --with-rocm=PATH])
  ])
])
])

AC_DEFUN([_AX_ROCM_FLAGS], [
AS_CASE([$ROCM_HOME],
  [/usr], [ROCM_CFLAGS=-D__HIP_PLATFORM_AMD__],
  [ROCM_CFLAGS="-D__HIP_PLATFORM_AMD__ -I$ROCM_HOME/include"])
ax_rocm_multiarch=`$CC -print-multiarch 2>/dev/null`
ROCM_LDFLAGS=
for ax_rocm_dir in lib64 lib "lib/$ax_rocm_multiarch"; do
  AS_IF([test -f "$ROCM_HOME/$ax_rocm_dir/libamdhip64.so"], [
    ROCM_LDFLAGS=-L$ROCM_HOME/$ax_rocm_dir
    break
  ])
done
AS_IF([test -z "$ROCM_LDFLAGS"], [
  _AX_ROCM_MISSING([libamdhip64.so is not in $ROCM_HOME/lib64 or $ROCM_HOME/lib])
], [
  ROCM_LIBS="$ROCM_LDFLAGS -lamdhip64"
  ROCM_ARCHFLAGS=
  for ax_rocm_arch in `echo "$with_rocm_arch" | tr ',;' '  '`; do
    AS_CASE([$ax_rocm_arch],
      [gfx*], [ROCM_ARCHFLAGS="$ROCM_ARCHFLAGS --offload-arch=$ax_rocm_arch"],
      [AC_MSG_ERROR([--with-rocm-arch: '$ax_rocm_arch' is not an AMD GPU; use names such as gfx90a or gfx942])])
  done
  HIPCCFLAGS="-fPIC$ROCM_ARCHFLAGS"
  have_rocm=yes
])
])
