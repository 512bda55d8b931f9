// Calls that set the scale type that a descriptor has, and calls that set another or may do so.
#include <cublasLt.h>
#include <cstdlib>

#define cublasCheck(status) { check((status), __FILE__, __LINE__); }
#define SCALE CUDA_R_32F
#define setScale(d, v) cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &v, sizeof(v))  // want: API-CUBLASLT

void check(cublasStatus_t status, const char *file, int line);
void change(cudaDataType_t &type);
void use(cublasLtMatmulDesc_t description);
cudaDataType_t shared = CUDA_R_32F;

void wrapped(cublasComputeType_t compute, const float *bias, bool transpose) {
  cublasLtMatmulDesc_t desc;
  cublasCheck(cublasLtMatmulDescCreate(&desc, compute, CUDA_R_32F));
  cublasOperation_t op = transpose ? CUBLAS_OP_T : CUBLAS_OP_N;
  cublasCheck(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &op, sizeof(op)));
  if (bias) {
    cudaDataType_t bias_type = CUDA_R_16F;
    cublasCheck(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &bias_type, sizeof(bias_type)));
  }
  cudaDataType_t scale_type = CUDA_R_32F;
  cublasCheck(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale_type, sizeof(scale_type)));
  use(desc);
}

void statement(cublasLtHandle_t lt, cudaDataType_t type, int n) {
  for (int i = 0; i < n; i++) {
    const cudaDataType_t scale{CUDA_R_16F};
    cublasLtMatmulDesc_t desc = nullptr, other;
    if (cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_16F, CUDA_R_16F) != CUBLAS_STATUS_SUCCESS) {
      return;
    }
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale /* half */, sizeof(cudaDataType_t));
    cublasLtMatmulDescCreate(&other, CUBLAS_COMPUTE_32F, type);
    if (cublasLtMatmulDescSetAttribute(other, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &type, sizeof(type))
        != CUBLAS_STATUS_SUCCESS) {
      exit(1);
    }
    type = CUDA_R_64F;
  }
}

cublasLtMatmulDesc_t nested(cudaDataType_t type, bool again) {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, type);
  if (again && type == CUDA_R_32F) {
    cublasCheck(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &type, sizeof(type)));
  }
  return desc;
}

void changed(cublasComputeType_t compute) {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, compute, CUDA_R_32F);
  cudaDataType_t scale = CUDA_R_32F;
  if (compute == CUBLAS_COMPUTE_16F) scale = CUDA_R_16F;
  cublasCheck(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void by_reference(cublasComputeType_t compute) {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, compute, CUDA_R_32F);
  cudaDataType_t scale = CUDA_R_32F;
  change(scale);
  cublasCheck(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void another(cublasComputeType_t compute) {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, compute, CUDA_R_32F);
  cudaDataType_t scale = CUDA_R_16F;
  cublasCheck(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void others(cublasLtMatmulDesc_t given) {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cudaDataType_t scale = CUDA_R_32F;
  cublasCheck(cublasLtMatmulDescSetAttribute(given, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void two(bool half) {
  cublasLtMatmulDesc_t desc;
  if (half) {
    cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_16F, CUDA_R_16F);
  } else {
    cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  }
  cudaDataType_t scale = CUDA_R_32F;
  cublasCheck(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void again() {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatmulDescInit(desc, CUBLAS_COMPUTE_16F, CUDA_R_16F);  // want: API-CUBLASLT
  cudaDataType_t scale = CUDA_R_32F;
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));  // want: API-CUBLASLT
}

void looped(int n) {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  for (int i = 0; i < n; i++) {
    cudaDataType_t scale = CUDA_R_32F;
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));  // want: API-CUBLASLT
    use(desc);
  }
}

void conditional(bool have, cudaDataType_t scale) {
  cublasLtMatmulDesc_t desc = nullptr;
  if (!have) cublasCheck(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, scale));
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));  // want: API-CUBLASLT
}

void global_type() {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, shared);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &shared, sizeof(shared));  // want: API-CUBLASLT
}

void macros() {
  cublasLtMatmulDesc_t desc;
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, SCALE);
  cudaDataType_t scale = SCALE;
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));  // want: API-CUBLASLT
}
