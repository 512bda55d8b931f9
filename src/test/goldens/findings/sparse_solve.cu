// A triangular solve with several right-hand sides: hipSPARSE needs the buffer again.
#include <cusparse.h>

void solve(cusparseHandle_t h, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b, float *one,
           cusparseSpSMDescr_t s, cusparseSpSVDescr_t v, cusparseDnVecDescr_t x, void *buffer) {
  cusparseOperation_t no = CUSPARSE_OPERATION_NON_TRANSPOSE;
  cusparseSpSM_analysis(h, no, no, one, a, b, b, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, s, buffer);
  cusparseSpSM_solve(h, no, no, one, a, b, b, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, s);  // want: ARG-SPARSE-SPSM-SOLVE
  cusparseSpSV_solve(h, no, one, a, x, x, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, v);
}
