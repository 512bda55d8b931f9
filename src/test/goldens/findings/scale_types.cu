// The scale type of a descriptor of cuBLASLt is set again, in the function that creates it and in another.
#include <cublasLt.h>

cublasStatus_t create(cublasLtMatmulDesc_t *to, cudaDataType_t type) {
  cublasLtMatmulDesc_t desc;
  cublasStatus_t status = cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, type);
  if (status == CUBLAS_STATUS_SUCCESS) {
    status = cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &type, sizeof(type));  // want: BLASLT-SCALE-TYPE
  }
  *to = desc;
  return status;
}

cublasStatus_t same_block(cublasLtMatmulDesc_t *to, cudaDataType_t type) {
  cublasLtMatmulDesc_t desc;
  cublasStatus_t status = cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, type);
  status = cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &type, sizeof(type));  // want: BLASLT-SCALE-TYPE
  *to = desc;
  return status;
}

cublasStatus_t set(cublasLtMatmulDesc_t desc) {
  cudaDataType_t type = CUDA_R_32F;
  return cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &type, sizeof(type));  // want: API-CUBLASLT
}
