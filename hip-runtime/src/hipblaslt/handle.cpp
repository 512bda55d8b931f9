// Handles, versions, and the transformation of matrices.
#include <cstdlib>
#include <cstring>

#include "../library/in_order.h"
#include "matrix.h"

namespace rocport::lt {
namespace {

struct Handle {};

constexpr int VERSION = HIPBLASLT_VERSION_MAJOR * 100000 + HIPBLASLT_VERSION_MINOR * 100 + HIPBLASLT_VERSION_PATCH;

}  // namespace
}  // namespace rocport::lt

using namespace rocport;
using namespace rocport::lt;

extern "C" {

hipblasStatus_t hipblasLtCreate(hipblasLtHandle_t* handle) {
  return guarded([&] {
    require(handle != nullptr, HIPBLAS_STATUS_HANDLE_IS_NULLPTR);
    int device = 0;
    require(hipGetDevice(&device) == hipSuccess, HIPBLAS_STATUS_NOT_INITIALIZED);
    *handle = new Handle;
  });
}

hipblasStatus_t hipblasLtDestroy(const hipblasLtHandle_t handle) {
  return guarded([&] {
    require(handle != nullptr, HIPBLAS_STATUS_NOT_INITIALIZED);
    delete static_cast<Handle*>(handle);
  });
}

hipblasStatus_t hipblasLtGetVersion(hipblasLtHandle_t handle, int* version) {
  return guarded([&] {
    require(handle != nullptr, HIPBLAS_STATUS_NOT_INITIALIZED);
    require(version != nullptr);
    *version = VERSION;
  });
}

hipblasStatus_t hipblasLtGetGitRevision(hipblasLtHandle_t handle, char* revision) {
  return guarded([&] {
    require(handle != nullptr, HIPBLAS_STATUS_NOT_INITIALIZED);
    require(revision != nullptr);
    strcpy(revision, "rocport");
  });
}

hipblasStatus_t hipblasLtGetArchName(char** name) {
  return guarded([&] {
    require(name != nullptr);
    int device = 0;
    hipDeviceProp_t properties;
    require(hipGetDevice(&device) == hipSuccess && hipGetDeviceProperties(&properties, device) == hipSuccess,
            HIPBLAS_STATUS_INTERNAL_ERROR);
    std::string gpu = properties.gcnArchName;
    *name = strdup(gpu.substr(0, gpu.find(':')).c_str());
    require(*name != nullptr, HIPBLAS_STATUS_ALLOC_FAILED);
  });
}

// C = alpha op(A) + beta op(B); either matrix may be left out.
hipblasStatus_t hipblasLtMatrixTransform(hipblasLtHandle_t handle, hipblasLtMatrixTransformDesc_t transform,
                                         const void* alpha, const void* a, hipblasLtMatrixLayout_t layoutA,
                                         const void* beta, const void* b, hipblasLtMatrixLayout_t layoutB, void* c,
                                         hipblasLtMatrixLayout_t layoutC, hipStream_t stream) {
  return guarded([&] {
    require(handle != nullptr, HIPBLAS_STATUS_NOT_INITIALIZED);
    const auto& settings = of<Transform>(transform);
    auto scale = typeOf(settings.scaleType);
    require(scale.has_value(), HIPBLAS_STATUS_NOT_SUPPORTED);
    bool onHost = settings.pointers == HIPBLASLT_POINTER_MODE_HOST;
    require(onHost || settings.pointers == HIPBLASLT_POINTER_MODE_DEVICE);
    Matrix result = Matrix::of(c, of<Shape>(layoutC), true);
    auto m = static_cast<int64_t>(result.layout.rows), n = static_cast<int64_t>(result.layout.columns);
    int64_t batches = result.layout.batches;
    /** A matrix with its factor. */
    struct Term {
      Scalar factor;
      Matrix matrix;
      bool transposed;
    };
    std::vector<Term> terms;
    auto add = [&](const void* factor, const void* data, hipblasLtMatrixLayout_t layout, int32_t turn) {
      if (factor == nullptr || data == nullptr || layout == nullptr) return;
      Matrix matrix = Matrix::of(data, of<Shape>(layout), true);
      bool transposed = isTransposed(turn);
      auto rows = static_cast<int64_t>(transposed ? matrix.layout.columns : matrix.layout.rows);
      auto columns = static_cast<int64_t>(transposed ? matrix.layout.rows : matrix.layout.columns);
      require(rows == m && columns == n && matrix.layout.batches == batches);
      terms.push_back({Scalar(factor, *scale, onHost), matrix, transposed});
    };
    add(alpha, a, layoutA, settings.turnA);
    add(beta, b, layoutB, settings.turnB);
    require(c != nullptr && !terms.empty());
    auto work = [=] {
      for (int64_t batch = 0; batch < batches; batch++) {
        for (int64_t j = 0; j < n; j++) {
          for (int64_t i = 0; i < m; i++) {
            double sum = 0;
            for (const Term& term : terms) {
              double factor = term.factor();
              if (factor == 0) continue;
              sum += factor * (term.transposed ? term.matrix.get(batch, j, i) : term.matrix.get(batch, i, j));
            }
            result.set(batch, i, j, sum);
          }
        }
      }
    };
    require(inOrder(stream, work, {c}) == hipSuccess, HIPBLAS_STATUS_INTERNAL_ERROR);
  });
}

}  // extern "C"
