// The functions of rocBLAS that hipBLAS has under another name: operands, options and types have the same order and
// the same numbers, so each call goes on as it is, and only its result is translated.
#include <cstdio>
#include <cstdlib>

#include "declared.h"
#include "status.h"

namespace rocport {

template <class Function, class Names>
struct Forward;

template <class... A, class Names>
struct Forward<rocblas_status(A...), Names> {
  static rocblas_status call(A... arguments) {
    auto target = reinterpret_cast<int (*)(A...)>(Names::target());
    if (!target) {
      fprintf(stderr, "rocport: %s is not implemented\n", Names::NAME);
      abort();
    }
    return translated(target(arguments...));
  }
};

}  // namespace rocport

// FORWARD(name, theirs) expands to nothing if this version of the headers lacks the function.
#define FORWARD(name, theirs) FORWARD_PICK(DECLARED_##name, FORWARD_ABSENT)(name, theirs)
#define FORWARD_PICK(...) FORWARD_SECOND(__VA_ARGS__, ~)
#define FORWARD_SECOND(first, second, ...) second
#define FORWARD_ABSENT(name, theirs)
// The function of hipBLAS is weak, since this hipBLAS may lack it: then a call ends the program with its name, as one of
// any function without a body does (missing.c). An ifunc, as in dense/entry.h.
#define ENTRY_DECLARED(name, theirs)                                                                             \
  extern "C" void to_##theirs() __asm__(#theirs) __attribute__((weak));                                          \
  struct Names_##name {                                                                                          \
    static constexpr const char* NAME = #name;                                                                   \
    static void (*target())() { return to_##theirs; }                                                            \
  };                                                                                                             \
  extern "C" decltype(name)* entry_of_##name() { return &rocport::Forward<decltype(name), Names_##name>::call; } \
  extern "C" decltype(name) name __attribute__((ifunc("entry_of_" #name)));

#define SIZES(name, theirs) FORWARD(name, theirs) FORWARD(name##_64, theirs##_64)
#define FORMS(name, theirs)                     \
  SIZES(name, theirs)                           \
  SIZES(name##_batched, theirs##Batched)        \
  SIZES(name##_strided_batched, theirs##StridedBatched)
#define EXTENDED(name, theirs)                          \
  SIZES(name##_ex, theirs##Ex)                          \
  SIZES(name##_batched_ex, theirs##BatchedEx)           \
  SIZES(name##_strided_batched_ex, theirs##StridedBatchedEx)

#define REAL(name) FORMS(rocblas_s##name, hipblasS##name) FORMS(rocblas_d##name, hipblasD##name)
#define COMPLEX(name) FORMS(rocblas_c##name, hipblasC##name) FORMS(rocblas_z##name, hipblasZ##name)
#define ALL(name) REAL(name) COMPLEX(name)
// Names in which the type of a result or a factor stands before that of the elements.
#define RESULT(name)                        \
  REAL(name)                                \
  FORMS(rocblas_sc##name, hipblasSc##name)  \
  FORMS(rocblas_dz##name, hipblasDz##name)
#define FACTOR(name) FORMS(rocblas_cs##name, hipblasCs##name) FORMS(rocblas_zd##name, hipblasZd##name)
#define INDEX(name)                         \
  FORMS(rocblas_is##name, hipblasIs##name)  \
  FORMS(rocblas_id##name, hipblasId##name)  \
  FORMS(rocblas_ic##name, hipblasIc##name)  \
  FORMS(rocblas_iz##name, hipblasIz##name)

FORWARD(rocblas_create_handle, hipblasCreate)
FORWARD(rocblas_destroy_handle, hipblasDestroy)
FORWARD(rocblas_set_stream, hipblasSetStream)
FORWARD(rocblas_get_stream, hipblasGetStream)
FORWARD(rocblas_set_pointer_mode, hipblasSetPointerMode)
FORWARD(rocblas_get_pointer_mode, hipblasGetPointerMode)
FORWARD(rocblas_set_atomics_mode, hipblasSetAtomicsMode)
FORWARD(rocblas_get_atomics_mode, hipblasGetAtomicsMode)
FORWARD(rocblas_set_math_mode, hipblasSetMathMode)
FORWARD(rocblas_get_math_mode, hipblasGetMathMode)
FORWARD(rocblas_set_vector, hipblasSetVector)
FORWARD(rocblas_get_vector, hipblasGetVector)
FORWARD(rocblas_set_matrix, hipblasSetMatrix)
FORWARD(rocblas_get_matrix, hipblasGetMatrix)
FORWARD(rocblas_set_vector_async, hipblasSetVectorAsync)
FORWARD(rocblas_get_vector_async, hipblasGetVectorAsync)
FORWARD(rocblas_set_matrix_async, hipblasSetMatrixAsync)
FORWARD(rocblas_get_matrix_async, hipblasGetMatrixAsync)

ALL(axpy) ALL(copy) ALL(swap) ALL(scal) FACTOR(scal)
RESULT(asum) RESULT(nrm2) INDEX(amax) INDEX(amin)
REAL(dot) COMPLEX(dotu) COMPLEX(dotc)
ALL(rot) FACTOR(rot) ALL(rotg) REAL(rotm) REAL(rotmg)
FORMS(rocblas_haxpy, hipblasHaxpy)
FORMS(rocblas_hdot, hipblasHdot)
FORMS(rocblas_bfdot, hipblasBfdot)

ALL(gemv) ALL(gbmv) ALL(symv) COMPLEX(hemv) REAL(sbmv) COMPLEX(hbmv) REAL(spmv) COMPLEX(hpmv)
ALL(trmv) ALL(tbmv) ALL(tpmv) ALL(trsv) ALL(tbsv) ALL(tpsv)
REAL(ger) COMPLEX(geru) COMPLEX(gerc)
ALL(syr) COMPLEX(her) ALL(spr) COMPLEX(hpr) ALL(syr2) COMPLEX(her2) REAL(spr2) COMPLEX(hpr2)

ALL(gemm) FORMS(rocblas_hgemm, hipblasHgemm)
ALL(symm) COMPLEX(hemm) ALL(syrk) COMPLEX(herk) ALL(syrkx) COMPLEX(herkx) ALL(syr2k) COMPLEX(her2k)
ALL(trmm) ALL(trsm) ALL(trtri) ALL(geam) ALL(dgmm)

EXTENDED(rocblas_axpy, hipblasAxpy)
EXTENDED(rocblas_scal, hipblasScal)
EXTENDED(rocblas_dot, hipblasDot)
EXTENDED(rocblas_dotc, hipblasDotc)
EXTENDED(rocblas_nrm2, hipblasNrm2)
EXTENDED(rocblas_rot, hipblasRot)
EXTENDED(rocblas_trsm, hipblasTrsm)
