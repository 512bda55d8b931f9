// cuSPARSE and rocSPARSE: stages, directions and sizes.
// options: --libs roc
#include <cusparse.h>

void multiply(cusparseHandle_t h, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, float *one, void *b) {
  cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, one, a, x, one, x, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, b);  // want: ARG-SPARSE-SPMV
}

void solve(cusparseHandle_t h, cusparseMatDescr_t d, float *v, int *r, int *c, csrsv2Info_t s, int n) {
  int bytes, at;
  cusparseScsrsv2_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, n, n, d, v, r, c, s, &bytes);  // want: ARG-SPARSE-SIZE-INT-SOLVE
  cusparseXcsrsv2_zeroPivot(h, s, &at);  // want: ARG-SPARSE-ZERO-PIVOT
}

void factor(cusparseHandle_t h, cusparseMatDescr_t d, float *v, int *r, int *c, int n, csric02Info_t i) {
  int bytes;
  size_t size;
  cusparseScsric02_bufferSize(h, n, n, d, v, r, c, i, &bytes);  // want: ARG-SPARSE-SIZE-INT-CSR
}

void blocks(cusparseHandle_t h, cusparseMatDescr_t d, float *v, int *r, int *c, int n, bsrsv2Info_t s,
            bsric02Info_t i, bsrsm2Info_t m) {
  cusparseDirection_t by = CUSPARSE_DIRECTION_ROW;
  cusparseOperation_t no = CUSPARSE_OPERATION_NON_TRANSPOSE;
  int bytes;
  cusparseSbsric02_bufferSize(h, by, n, n, d, v, r, c, 2, i, &bytes);  // want: ARG-SPARSE-SIZE-INT
  cusparseSbsrsv2_bufferSize(h, by, no, n, n, d, v, r, c, 2, s, &bytes);  // want: ARG-SPARSE-SIZE-INT-BLOCK-SOLVE
  cusparseSbsrsm2_bufferSize(h, by, no, no, n, 4, n, d, v, r, c, 2, m, &bytes);  // want: ARG-SPARSE-SIZE-INT-BLOCK-MATRIX
  cusparseSgemvi_bufferSize(h, no, n, n, 4, &bytes);  // want: ARG-SPARSE-SIZE-INT-GEMVI
}

void ell(cusparseSpMatDescr_t *a, int64_t n, int *c, float *v, int64_t *rows) {
  cusparseIndexType_t type = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cudaDataType value = CUDA_R_32F;
  void *p;
  cusparseCreateBlockedEll(a, n, n, 16, 64, c, v, type, base, value);  // want: ARG-SPARSE-BELL
  cusparseBlockedEllGet(*a, rows, rows, rows, rows, &p, &p, &type, &base, &value);  // want: ARG-SPARSE-BELL-GET
}
