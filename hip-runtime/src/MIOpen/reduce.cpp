// Reductions of tensors along dimensions.
#include <cmath>

#include "tensor.h"

namespace rocport::dnn {
namespace {

struct Reduction {
  miopenReduceTensorOp_t operation = MIOPEN_REDUCE_TENSOR_ADD;
  miopenDataType_t compute = miopenFloat;
  miopenNanPropagation_t nan = MIOPEN_NOT_PROPAGATE_NAN;
  miopenReduceTensorIndices_t indices = MIOPEN_REDUCE_TENSOR_NO_INDICES;
  miopenIndicesType_t indexType = MIOPEN_32BIT_INDICES;

  bool chooses() const {
    return operation == MIOPEN_REDUCE_TENSOR_MIN || operation == MIOPEN_REDUCE_TENSOR_MAX ||
           operation == MIOPEN_REDUCE_TENSOR_AMAX;
  }
  bool givesIndices() const { return chooses() && indices == MIOPEN_REDUCE_TENSOR_FLATTENED_INDICES; }

  double start() const { return operation == MIOPEN_REDUCE_TENSOR_MUL ? 1 : 0; }

  double added(double sum, double x) const {
    switch (operation) {
      case MIOPEN_REDUCE_TENSOR_MUL:
        return sum * x;
      case MIOPEN_REDUCE_TENSOR_NORM1:
        return sum + std::fabs(x);
      case MIOPEN_REDUCE_TENSOR_NORM2:
        return sum + x * x;
      default:
        return sum + x;
    }
  }

  /** Whether x takes the place of what was chosen before. */
  bool better(double x, double best) const {
    if (nan == MIOPEN_PROPAGATE_NAN && (std::isnan(x) || std::isnan(best))) return std::isnan(x) && !std::isnan(best);
    if (std::isnan(best)) return !std::isnan(x);
    return operation == MIOPEN_REDUCE_TENSOR_MIN ? x < best : x > best;
  }

  double ended(double sum, double count) const {
    if (operation == MIOPEN_REDUCE_TENSOR_AVG) return sum / count;
    return operation == MIOPEN_REDUCE_TENSOR_NORM2 ? std::sqrt(sum) : sum;
  }
};

}  // namespace
}  // namespace rocport::dnn

using namespace rocport;
using namespace rocport::dnn;

extern "C" {

miopenStatus_t miopenCreateReduceTensorDescriptor(miopenReduceTensorDescriptor_t* reduction) {
  return create<Reduction>(reduction);
}

miopenStatus_t miopenDestroyReduceTensorDescriptor(miopenReduceTensorDescriptor_t reduction) {
  return destroy<Reduction>(reduction);
}

miopenStatus_t miopenSetReduceTensorDescriptor(miopenReduceTensorDescriptor_t reduction,
                                               miopenReduceTensorOp_t operation, miopenDataType_t compute,
                                               miopenNanPropagation_t nan, miopenReduceTensorIndices_t indices,
                                               miopenIndicesType_t indexType) {
  return guarded([&] {
    require(operation >= MIOPEN_REDUCE_TENSOR_ADD && operation <= MIOPEN_REDUCE_TENSOR_NORM2);
    if (indexType != MIOPEN_32BIT_INDICES) lacking("a reduction with indices of another type than 32 bits");
    of<Reduction>(reduction) = {operation, compute, nan, indices, indexType};
  });
}

miopenStatus_t miopenGetReduceTensorDescriptor(const miopenReduceTensorDescriptor_t reduction,
                                               miopenReduceTensorOp_t* operation, miopenDataType_t* compute,
                                               miopenNanPropagation_t* nan, miopenReduceTensorIndices_t* indices,
                                               miopenIndicesType_t* indexType) {
  return guarded([&] {
    const Reduction& from = of<Reduction>(reduction);
    require(operation && compute && nan && indices && indexType);
    *operation = from.operation;
    *compute = from.compute;
    *nan = from.nan;
    *indices = from.indices;
    *indexType = from.indexType;
  });
}

miopenStatus_t miopenGetReductionIndicesSize(miopenHandle_t handle, const miopenReduceTensorDescriptor_t reduction,
                                             const miopenTensorDescriptor_t a, const miopenTensorDescriptor_t c,
                                             size_t* bytes) {
  return guarded([&] {
    of<Handle>(handle);
    of<Tensor>(a);
    require(bytes != nullptr);
    *bytes = of<Reduction>(reduction).givesIndices() ? of<Tensor>(c).count() * sizeof(uint32_t) : 0;
  });
}

miopenStatus_t miopenGetReductionWorkspaceSize(miopenHandle_t handle, const miopenReduceTensorDescriptor_t reduction,
                                               const miopenTensorDescriptor_t a, const miopenTensorDescriptor_t c,
                                               size_t* bytes) {
  return guarded([&] {
    of<Handle>(handle);
    of<Reduction>(reduction);
    of<Tensor>(a);
    of<Tensor>(c);
    require(bytes != nullptr);
    *bytes = 0;
  });
}

// C = alpha op(A) + beta C over the dimensions in which C has the size 1.
miopenStatus_t miopenReduceTensor(miopenHandle_t handle, const miopenReduceTensorDescriptor_t descriptor,
                                  void* indices, size_t indicesSize, void*, size_t, const void* alpha,
                                  const miopenTensorDescriptor_t aDesc, const void* a, const void* beta,
                                  const miopenTensorDescriptor_t cDesc, void* c) {
  return guarded([&] {
    Reduction reduction = of<Reduction>(descriptor);
    Tensor from = of<Tensor>(aDesc), to = of<Tensor>(cDesc);
    Blend blend = Blend::of(alpha, beta, to);
    require(a && c);
    Broadcast at(to, from);
    bool gives = reduction.givesIndices();
    require(!gives || (indices && indicesSize >= to.count() * sizeof(uint32_t)));
    auto work = [=] {
      Values values = from.read(a), results(to.count(), reduction.start());
      std::vector<uint32_t> seen(to.count()), chosen(to.count());
      for (size_t i = 0; i < values.size(); i++) {
        int64_t r = at(i);
        if (reduction.chooses()) {
          double x = reduction.operation == MIOPEN_REDUCE_TENSOR_AMAX ? std::fabs(values[i]) : values[i];
          if (seen[r] == 0 || reduction.better(x, results[r])) {
            results[r] = x;
            chosen[r] = seen[r];
          }
        } else {
          results[r] = reduction.added(results[r], values[i]);
        }
        seen[r]++;
      }
      for (size_t r = 0; r < results.size(); r++) results[r] = reduction.ended(results[r], seen[r]);
      to.write(c, results, blend.alpha, blend.beta);
      if (gives) memcpy(indices, chosen.data(), chosen.size() * sizeof(uint32_t));
    };
    of<Handle>(handle).run(work, gives ? Written{c, indices} : Written{c});
  });
}

}  // extern "C"
