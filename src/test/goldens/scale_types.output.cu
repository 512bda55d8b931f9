// Calls that set the scale type that a descriptor has, and calls that set another or may do so.
#include <hip/hip_runtime.h>
#include <hipblaslt/hipblaslt.h>
#include <hip/hip_fp16.h>
#include <cstdlib>

#define cublasCheck(status) { check((status), __FILE__, __LINE__); }
#define SCALE HIP_R_32F
#define setScale(d, v) hipblasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &v, sizeof(v))  // want: API-CUBLASLT

void check(hipblasStatus_t status, const char *file, int line);
void change(hipDataType &type);
void use(hipblasLtMatmulDesc_t description);
hipDataType shared = HIP_R_32F;

void wrapped(hipblasComputeType_t compute, const float *bias, bool transpose) {
  hipblasLtMatmulDesc_t desc;
  cublasCheck(hipblasLtMatmulDescCreate(&desc, compute, HIP_R_32F));
  hipblasOperation_t op = transpose ? HIPBLAS_OP_T : HIPBLAS_OP_N;
  cublasCheck(hipblasLtMatmulDescSetAttribute(desc, HIPBLASLT_MATMUL_DESC_TRANSA, &op, sizeof(op)));
  if (bias) {
    hipDataType bias_type = HIP_R_16F;
    cublasCheck(hipblasLtMatmulDescSetAttribute(desc, HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &bias_type, sizeof(bias_type)));
  }
  hipDataType scale_type = HIP_R_32F;
  cublasCheck(HIPBLAS_STATUS_SUCCESS);
  use(desc);
}

void statement(hipblasLtHandle_t lt, hipDataType type, int n) {
  for (int i = 0; i < n; i++) {
    const hipDataType scale{HIP_R_16F};
    hipblasLtMatmulDesc_t desc = nullptr, other;
    if (hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_16F, HIP_R_16F) != HIPBLAS_STATUS_SUCCESS) {
      return;
    }
    /* half */ (void)HIPBLAS_STATUS_SUCCESS;
    hipblasLtMatmulDescCreate(&other, HIPBLAS_COMPUTE_32F, type);
    if (HIPBLAS_STATUS_SUCCESS
        != HIPBLAS_STATUS_SUCCESS) {
      exit(1);
    }
    type = HIP_R_64F;
  }
}

hipblasLtMatmulDesc_t nested(hipDataType type, bool again) {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, type);
  if (again && type == HIP_R_32F) {
    cublasCheck(HIPBLAS_STATUS_SUCCESS);
  }
  return desc;
}

void changed(hipblasComputeType_t compute) {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatmulDescCreate(&desc, compute, HIP_R_32F);
  hipDataType scale = HIP_R_32F;
  if (compute == HIPBLAS_COMPUTE_16F) scale = HIP_R_16F;
  cublasCheck(hipblasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void by_reference(hipblasComputeType_t compute) {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatmulDescCreate(&desc, compute, HIP_R_32F);
  hipDataType scale = HIP_R_32F;
  change(scale);
  cublasCheck(hipblasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void another(hipblasComputeType_t compute) {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatmulDescCreate(&desc, compute, HIP_R_32F);
  hipDataType scale = HIP_R_16F;
  cublasCheck(hipblasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void others(hipblasLtMatmulDesc_t given) {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, HIP_R_32F);
  hipDataType scale = HIP_R_32F;
  cublasCheck(hipblasLtMatmulDescSetAttribute(given, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void two(bool half) {
  hipblasLtMatmulDesc_t desc;
  if (half) {
    hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_16F, HIP_R_16F);
  } else {
    hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, HIP_R_32F);
  }
  hipDataType scale = HIP_R_32F;
  cublasCheck(hipblasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale)));  // want: API-CUBLASLT
}

void again() {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, HIP_R_32F);
  cublasLtMatmulDescInit(desc, HIPBLAS_COMPUTE_16F, HIP_R_16F);  // want: API-CUBLASLT
  hipDataType scale = HIP_R_32F;
  hipblasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));  // want: API-CUBLASLT
}

void looped(int n) {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, HIP_R_32F);
  for (int i = 0; i < n; i++) {
    hipDataType scale = HIP_R_32F;
    hipblasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));  // want: API-CUBLASLT
    use(desc);
  }
}

void conditional(bool have, hipDataType scale) {
  hipblasLtMatmulDesc_t desc = nullptr;
  if (!have) cublasCheck(hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, scale));
  hipblasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));  // want: API-CUBLASLT
}

void global_type() {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, shared);
  hipblasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &shared, sizeof(shared));  // want: API-CUBLASLT
}

void macros() {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, SCALE);
  hipDataType scale = SCALE;
  hipblasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));  // want: API-CUBLASLT
}
