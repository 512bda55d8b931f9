// Handles, tensors, and operations on all elements of a tensor.
#include "tensor.h"

#include <cmath>

namespace rocport::dnn {
namespace {

void set(miopenTensorDescriptor_t descriptor, miopenDataType_t type, Sizes sizes, Sizes strides) {
  Tensor& tensor = of<Tensor>(descriptor);
  require(!sizes.empty() && sizes.size() == strides.size());
  for (size_t i = 0; i < sizes.size(); i++) require(sizes[i] > 0 && strides[i] > 0);
  typeOf(type);
  tensor = {type, std::move(sizes), std::move(strides)};
}

/** Strides for an order of dimensions, the slowest first. */
Sizes ordered(const Sizes& sizes, const std::vector<int>& order) {
  Sizes strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= sizes[order[i]];
  }
  return strides;
}

double combined(miopenTensorOp_t operation, double a, double b) {
  switch (operation) {
    case miopenTensorOpAdd:
      return a + b;
    case miopenTensorOpMul:
      return a * b;
    case miopenTensorOpMin:
      return std::min(a, b);
    case miopenTensorOpMax:
      return std::max(a, b);
  }
  throw Refusal<miopenStatus_t>{miopenStatusBadParm};
}

}  // namespace
}  // namespace rocport::dnn

using namespace rocport;
using namespace rocport::dnn;

extern "C" {

const char* miopenGetErrorString(miopenStatus_t status) {
  switch (status) {
#define NAMED(name)         \
  case miopenStatus##name: \
    return "miopenStatus" #name
    NAMED(Success);
    NAMED(NotInitialized);
    NAMED(InvalidValue);
    NAMED(BadParm);
    NAMED(AllocFailed);
    NAMED(InternalError);
    NAMED(NotImplemented);
    NAMED(UnknownError);
    NAMED(UnsupportedOp);
    NAMED(GpuOperationsSkipped);
    NAMED(VersionMismatch);
#undef NAMED
  }
  return "Unknown error status";
}

miopenStatus_t miopenGetVersion(size_t* major, size_t* minor, size_t* patch) {
  if (major) *major = MIOPEN_VERSION_MAJOR;
  if (minor) *minor = MIOPEN_VERSION_MINOR;
  if (patch) *patch = MIOPEN_VERSION_PATCH;
  return miopenStatusSuccess;
}

miopenStatus_t miopenCreateWithStream(miopenHandle_t* handle, miopenAcceleratorQueue_t stream) {
  return guarded([&] {
    require(handle != nullptr);
    int device = 0;
    require(hipGetDevice(&device) == hipSuccess, miopenStatusNotInitialized);
    auto* made = new Handle;
    made->stream = stream;
    *handle = reinterpret_cast<miopenHandle_t>(made);
  });
}

miopenStatus_t miopenCreate(miopenHandle_t* handle) { return miopenCreateWithStream(handle, nullptr); }
miopenStatus_t miopenDestroy(miopenHandle_t handle) { return destroy<Handle>(handle); }

miopenStatus_t miopenSetStream(miopenHandle_t handle, miopenAcceleratorQueue_t stream) {
  return guarded([&] { of<Handle>(handle).stream = stream; });
}

miopenStatus_t miopenGetStream(miopenHandle_t handle, miopenAcceleratorQueue_t* stream) {
  return guarded([&] {
    require(stream != nullptr);
    *stream = of<Handle>(handle).stream;
  });
}

// Nothing is allocated, and no time is modeled.
miopenStatus_t miopenSetAllocator(miopenHandle_t handle, miopenAllocatorFunction, miopenDeallocatorFunction, void*) {
  return guarded([&] { of<Handle>(handle); });
}

miopenStatus_t miopenEnableProfiling(miopenHandle_t handle, bool) {
  return guarded([&] { of<Handle>(handle); });
}

miopenStatus_t miopenGetKernelTime(miopenHandle_t handle, float* time) {
  return guarded([&] {
    of<Handle>(handle);
    require(time != nullptr);
    *time = 0;
  });
}

miopenStatus_t miopenCreateTensorDescriptor(miopenTensorDescriptor_t* tensor) { return create<Tensor>(tensor); }
miopenStatus_t miopenDestroyTensorDescriptor(miopenTensorDescriptor_t tensor) { return destroy<Tensor>(tensor); }

miopenStatus_t miopenSet4dTensorDescriptor(miopenTensorDescriptor_t tensor, miopenDataType_t type, int n, int c, int h,
                                           int w) {
  return guarded([&] {
    Sizes sizes = {n, c, h, w};
    set(tensor, type, sizes, Tensor::packed(sizes));
  });
}

miopenStatus_t miopenSet4dTensorDescriptorEx(miopenTensorDescriptor_t tensor, miopenDataType_t type, int n, int c,
                                             int h, int w, int nStride, int cStride, int hStride, int wStride) {
  return guarded([&] { set(tensor, type, {n, c, h, w}, {nStride, cStride, hStride, wStride}); });
}

// The sizes are in the order N, C, spatial dimensions, whatever the layout is.
miopenStatus_t miopenSetNdTensorDescriptorWithLayout(miopenTensorDescriptor_t tensor, miopenDataType_t type,
                                                     miopenTensorLayout_t layout, const int* lengths, int count) {
  return guarded([&] {
    require(lengths != nullptr);
    Sizes sizes(lengths, lengths + count);
    switch (layout) {
      case miopenTensorNCHW:
      case miopenTensorNCDHW:
        require(count == (layout == miopenTensorNCHW ? 4 : 5));
        return set(tensor, type, sizes, Tensor::packed(sizes));
      case miopenTensorNHWC:
        require(count == 4);
        return set(tensor, type, sizes, ordered(sizes, {0, 2, 3, 1}));
      case miopenTensorNDHWC:
        require(count == 5);
        return set(tensor, type, sizes, ordered(sizes, {0, 2, 3, 4, 1}));
      default:
        lacking("this tensor layout");
    }
  });
}

miopenStatus_t miopenSetTensorDescriptor(miopenTensorDescriptor_t tensor, miopenDataType_t type, int count,
                                         const int* sizes, const int* strides) {
  return guarded([&] {
    require(count > 0 && sizes != nullptr);
    Sizes all(sizes, sizes + count);
    set(tensor, type, all, strides ? Sizes(strides, strides + count) : Tensor::packed(all));
  });
}

miopenStatus_t miopenGet4dTensorDescriptor(miopenTensorDescriptor_t descriptor, miopenDataType_t* type, int* n, int* c,
                                           int* h, int* w, int* nStride, int* cStride, int* hStride, int* wStride) {
  return guarded([&] {
    const Tensor& tensor = of<Tensor>(descriptor);
    require(tensor.sizes.size() == 4);
    if (type) *type = tensor.type;
    int* sizes[] = {n, c, h, w};
    int* strides[] = {nStride, cStride, hStride, wStride};
    for (int i = 0; i < 4; i++) {
      if (sizes[i]) *sizes[i] = static_cast<int>(tensor.sizes[i]);
      if (strides[i]) *strides[i] = static_cast<int>(tensor.strides[i]);
    }
  });
}

miopenStatus_t miopenGetTensorDescriptorSize(miopenTensorDescriptor_t tensor, int* size) {
  return guarded([&] {
    require(size != nullptr);
    *size = static_cast<int>(of<Tensor>(tensor).sizes.size());
  });
}

miopenStatus_t miopenGetTensorDescriptor(miopenTensorDescriptor_t descriptor, miopenDataType_t* type, int* sizes,
                                         int* strides) {
  return guarded([&] {
    const Tensor& tensor = of<Tensor>(descriptor);
    if (type) *type = tensor.type;
    if (sizes) std::copy(tensor.sizes.begin(), tensor.sizes.end(), sizes);
    if (strides) std::copy(tensor.strides.begin(), tensor.strides.end(), strides);
  });
}

miopenStatus_t miopenGetTensorNumBytes(miopenTensorDescriptor_t descriptor, size_t* bytes) {
  return guarded([&] {
    const Tensor& tensor = of<Tensor>(descriptor);
    require(bytes != nullptr);
    *bytes = tensor.span() * dnn::typeOf(tensor.type).size();
  });
}

// C = op(alpha1 A, alpha2 B) + beta C, where B has sizes of 1 or those of C.
miopenStatus_t miopenOpTensor(miopenHandle_t handle, miopenTensorOp_t operation, const void* alpha1,
                              const miopenTensorDescriptor_t aDesc, const void* a, const void* alpha2,
                              const miopenTensorDescriptor_t bDesc, const void* b, const void* beta,
                              const miopenTensorDescriptor_t cDesc, void* c) {
  return guarded([&] {
    Tensor from = of<Tensor>(aDesc), with = of<Tensor>(bDesc), to = of<Tensor>(cDesc);
    require(a != nullptr && b != nullptr && c != nullptr && from.sizes == to.sizes);
    Blend one = Blend::of(alpha1, beta, to);
    Blend other = Blend::of(alpha2, beta, to);
    Broadcast at(with, to);
    combined(operation, 0, 0);
    auto work = [=] {
      Values values = from.read(a), others = with.read(b);
      for (size_t i = 0; i < values.size(); i++) {
        values[i] = combined(operation, one.alpha * values[i], other.alpha * others[at(i)]);
      }
      to.write(c, values, 1, one.beta);
    };
    of<Handle>(handle).run(work, {c});
  });
}

miopenStatus_t miopenSetTensor(miopenHandle_t handle, const miopenTensorDescriptor_t yDesc, void* y,
                               const void* alpha) {
  return guarded([&] {
    Tensor to = of<Tensor>(yDesc);
    require(y != nullptr && alpha != nullptr);
    double value = dnn::typeOf(to.type).real(alpha, 0);
    of<Handle>(handle).run([=] { to.write(y, Values(to.count(), value)); }, {y});
  });
}

miopenStatus_t miopenScaleTensor(miopenHandle_t handle, const miopenTensorDescriptor_t yDesc, void* y,
                                 const void* alpha) {
  return guarded([&] {
    Tensor to = of<Tensor>(yDesc);
    require(y != nullptr && alpha != nullptr);
    double factor = dnn::typeOf(to.type).real(alpha, 0);
    of<Handle>(handle).run([=] { to.write(y, to.read(y), factor); }, {y});
  });
}

miopenStatus_t miopenTransformTensor(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t xDesc,
                                     const void* x, const void* beta, const miopenTensorDescriptor_t yDesc, void* y) {
  return guarded([&] {
    Tensor from = of<Tensor>(xDesc), to = of<Tensor>(yDesc);
    Blend blend = Blend::of(alpha, beta, to);
    require(x != nullptr && y != nullptr && from.sizes == to.sizes);
    of<Handle>(handle).run([=] { to.write(y, from.read(x), blend.alpha, blend.beta); }, {y});
  });
}

}  // extern "C"
