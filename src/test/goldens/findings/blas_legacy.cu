// The interface of cuBLAS without handles, which another header may include.
#include "blas.h"

float run(int n, float a, float *x, float *y) {
  cublasInit();                    // want: API-CUBLAS
  cublasSscal(n, a, x, 1);         // want: BLAS-LEGACY
  cublasSetVector(n, 4, x, 1, y, 1);  // ok: BLAS-LEGACY
  int first = cublasIsamax(n, x, 1);  // want: BLAS-LEGACY
  cublasSgemm('n', 't', n, n, n, a, x, n, y, n, a, y, n);  // want: BLAS-LEGACY
  cublasSscal(handle, n, &a, x, 1);  // ok: BLAS-LEGACY
  cublasScopy(handle, n, x, 1, y, 1);  // ok: BLAS-LEGACY
  return first + cublasSdot(n, x, 1, y, 1);  // want: BLAS-LEGACY
}
