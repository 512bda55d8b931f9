// Pooling.
#include <cmath>

#include "tensor.h"

namespace rocport::dnn {
namespace {

struct Pooling {
  miopenPoolingMode_t mode = miopenPoolingMax;
  Sizes window, pad, stride;
  miopenIndexType_t index = miopenIndexUint8;
  miopenPoolingWorkspaceIndexMode_t place = miopenPoolingWorkspaceIndexMask;

  Sizes result(const Tensor& x) const {
    require(!window.empty() && x.sizes.size() == window.size() + 2);
    Sizes sizes = {x.sizes[0], x.sizes[1]};
    for (size_t i = 0; i < window.size(); i++) {
      sizes.push_back(std::max<int64_t>(1, (x.sizes[i + 2] + 2 * pad[i] - window[i]) / stride[i] + 1));
    }
    return sizes;
  }

  int64_t indexSize() const { return int64_t(1) << index; }
};

/** The windows of a tensor, in up to three dimensions. */
class Windows {
 public:
  Windows(const Pooling& pooling, const Tensor& x) : pooling_(pooling), image_(x.sizes.begin() + 2, x.sizes.end()) {
    Sizes y = pooling.result(x);
    result_ = Sizes(y.begin() + 2, y.end());
    for (int64_t size : image_) plane_ *= size;
    for (int64_t size : pooling.window) area_ *= size;
    for (int64_t size : result_) results_ *= size;
  }

  /** Elements of a window, those in the padding included. */
  int64_t area() const { return area_; }

  /** Calls a function with an element of x and its number in the window, for those of the window of y's element. */
  template <class Do>
  void each(int64_t y, Do act) const {
    Sizes first(image_.size());
    int64_t rest = y % results_;
    for (size_t d = image_.size(); d-- > 0;) {
      first[d] = rest % result_[d] * pooling_.stride[d] - pooling_.pad[d];
      rest /= result_[d];
    }
    for (int64_t i = 0; i < area_; i++) {
      int64_t left = i, at = 0, size = 1;
      bool inside = true;
      for (size_t d = image_.size(); d-- > 0;) {
        int64_t p = first[d] + left % pooling_.window[d];
        left /= pooling_.window[d];
        inside = inside && p >= 0 && p < image_[d];
        at += p * size;
        size *= image_[d];
      }
      if (inside) act(y / results_ * plane_ + at, i);
    }
  }

  /** What the workspace holds for an element: its place in the image, or in the window. */
  int64_t kept(int64_t x, int64_t inWindow) const {
    return pooling_.place == miopenPoolingWorkspaceIndexImage ? x % plane_ : inWindow;
  }

 private:
  Pooling pooling_;
  Sizes image_, result_;
  int64_t plane_ = 1, area_ = 1, results_ = 1;
};

void put(const Pooling& pooling, void* workspace, int64_t i, int64_t value) {
  memcpy(static_cast<char*>(workspace) + i * pooling.indexSize(), &value, pooling.indexSize());
}

int64_t kept(const Pooling& pooling, const void* workspace, int64_t i) {
  int64_t value = 0;
  memcpy(&value, static_cast<const char*>(workspace) + i * pooling.indexSize(), pooling.indexSize());
  return value;
}

void set(miopenPoolingDescriptor_t descriptor, miopenPoolingMode_t mode, Sizes window, Sizes pad, Sizes stride) {
  require(mode >= miopenPoolingMax && mode <= miopenPoolingAverageInclusive);
  for (size_t i = 0; i < window.size(); i++) {
    require(window[i] > 0 && stride[i] > 0 && pad[i] >= 0 && pad[i] < window[i]);
  }
  Pooling& pooling = of<Pooling>(descriptor);
  pooling.mode = mode;
  pooling.window = std::move(window);
  pooling.pad = std::move(pad);
  pooling.stride = std::move(stride);
}

}  // namespace
}  // namespace rocport::dnn

using namespace rocport;
using namespace rocport::dnn;

extern "C" {

miopenStatus_t miopenCreatePoolingDescriptor(miopenPoolingDescriptor_t* pooling) { return create<Pooling>(pooling); }
miopenStatus_t miopenDestroyPoolingDescriptor(miopenPoolingDescriptor_t pooling) { return destroy<Pooling>(pooling); }

miopenStatus_t miopenSetPoolingIndexType(miopenPoolingDescriptor_t pooling, miopenIndexType_t type) {
  return guarded([&] {
    require(type >= miopenIndexUint8 && type <= miopenIndexUint64);
    of<Pooling>(pooling).index = type;
  });
}

miopenStatus_t miopenGetPoolingIndexType(miopenPoolingDescriptor_t pooling, miopenIndexType_t* type) {
  return guarded([&] {
    require(type != nullptr);
    *type = of<Pooling>(pooling).index;
  });
}

miopenStatus_t miopenSetPoolingWorkSpaceIndexMode(miopenPoolingDescriptor_t pooling,
                                                  miopenPoolingWorkspaceIndexMode_t mode) {
  return guarded([&] { of<Pooling>(pooling).place = mode; });
}

miopenStatus_t miopenGetPoolingWorkSpaceIndexMode(miopenPoolingDescriptor_t pooling,
                                                  miopenPoolingWorkspaceIndexMode_t* mode) {
  return guarded([&] {
    require(mode != nullptr);
    *mode = of<Pooling>(pooling).place;
  });
}

miopenStatus_t miopenSet2dPoolingDescriptor(miopenPoolingDescriptor_t pooling, miopenPoolingMode_t mode, int windowH,
                                            int windowW, int padH, int padW, int strideH, int strideW) {
  return guarded([&] { set(pooling, mode, {windowH, windowW}, {padH, padW}, {strideH, strideW}); });
}

miopenStatus_t miopenGet2dPoolingDescriptor(const miopenPoolingDescriptor_t descriptor, miopenPoolingMode_t* mode,
                                            int* windowH, int* windowW, int* padH, int* padW, int* strideH,
                                            int* strideW) {
  return guarded([&] {
    const Pooling& pooling = of<Pooling>(descriptor);
    require(pooling.window.size() == 2);
    if (mode) *mode = pooling.mode;
    int* to[] = {windowH, windowW, padH, padW, strideH, strideW};
    for (int i = 0; i < 6; i++) {
      const Sizes& from = i < 2 ? pooling.window : i < 4 ? pooling.pad : pooling.stride;
      if (to[i]) *to[i] = static_cast<int>(from[i % 2]);
    }
  });
}

miopenStatus_t miopenSetNdPoolingDescriptor(miopenPoolingDescriptor_t pooling, const miopenPoolingMode_t mode,
                                            int count, const int* window, const int* pad, const int* stride) {
  return guarded([&] {
    require(count >= 1 && count <= 3 && window && pad && stride);
    set(pooling, mode, Sizes(window, window + count), Sizes(pad, pad + count), Sizes(stride, stride + count));
  });
}

miopenStatus_t miopenGetNdPoolingDescriptor(const miopenPoolingDescriptor_t descriptor, int wanted,
                                            miopenPoolingMode_t* mode, int* count, int* window, int* pad,
                                            int* stride) {
  return guarded([&] {
    const Pooling& pooling = of<Pooling>(descriptor);
    require(wanted >= 0);
    if (mode) *mode = pooling.mode;
    if (count) *count = static_cast<int>(pooling.window.size());
    size_t most = std::min(pooling.window.size(), static_cast<size_t>(wanted));
    if (window) std::copy_n(pooling.window.begin(), most, window);
    if (pad) std::copy_n(pooling.pad.begin(), most, pad);
    if (stride) std::copy_n(pooling.stride.begin(), most, stride);
  });
}

miopenStatus_t miopenGetPoolingNdForwardOutputDim(const miopenPoolingDescriptor_t pooling,
                                                  const miopenTensorDescriptor_t x, int count, int* sizes) {
  return guarded([&] {
    Sizes result = of<Pooling>(pooling).result(of<Tensor>(x));
    require(sizes != nullptr && static_cast<size_t>(count) == result.size());
    std::copy(result.begin(), result.end(), sizes);
  });
}

miopenStatus_t miopenGetPoolingForwardOutputDim(const miopenPoolingDescriptor_t pooling,
                                                const miopenTensorDescriptor_t x, int* n, int* c, int* h, int* w) {
  int sizes[4];
  auto status = miopenGetPoolingNdForwardOutputDim(pooling, x, 4, sizes);
  if (status != miopenStatusSuccess) return status;
  return guarded([&] {
    int* to[] = {n, c, h, w};
    for (int i = 0; i < 4; i++) {
      require(to[i] != nullptr);
      *to[i] = sizes[i];
    }
  });
}

miopenStatus_t miopenPoolingGetWorkSpaceSizeV2(const miopenPoolingDescriptor_t pooling,
                                               const miopenTensorDescriptor_t y, size_t* bytes) {
  return guarded([&] {
    require(bytes != nullptr);
    const Pooling& settings = of<Pooling>(pooling);
    *bytes = settings.mode == miopenPoolingMax ? of<Tensor>(y).count() * settings.indexSize() : 0;
  });
}

// Of the default type of index.
miopenStatus_t miopenPoolingGetWorkSpaceSize(const miopenTensorDescriptor_t y, size_t* bytes) {
  return guarded([&] {
    require(bytes != nullptr);
    *bytes = of<Tensor>(y).count() * Pooling().indexSize();
  });
}

miopenStatus_t miopenPoolingForward(miopenHandle_t handle, const miopenPoolingDescriptor_t descriptor,
                                    const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x,
                                    const void* beta, const miopenTensorDescriptor_t yDesc, void* y, bool backward,
                                    void* workspace, size_t size) {
  return guarded([&] {
    Pooling pooling = of<Pooling>(descriptor);
    Tensor from = of<Tensor>(xDesc), to = of<Tensor>(yDesc);
    Blend blend = Blend::of(alpha, beta, to);
    require(x && y && to.sizes == pooling.result(from));
    Windows windows(pooling, from);
    bool most = pooling.mode == miopenPoolingMax;
    bool keeps = most && backward;
    if (keeps) {
      require(workspace && size >= static_cast<size_t>(to.count() * pooling.indexSize()));
      int64_t largest = windows.kept(from.count() / from.sizes[0] / from.sizes[1] - 1, windows.area() - 1);
      require(pooling.index == miopenIndexUint64 || largest < int64_t(1) << (8 * pooling.indexSize()));
    }
    auto work = [=] {
      Values values = from.read(x), results(to.count());
      for (size_t i = 0; i < results.size(); i++) {
        double best = -INFINITY, sum = 0;
        int64_t count = 0, chosen = 0;
        windows.each(i, [&](int64_t at, int64_t inWindow) {
          if (count == 0 || values[at] > best) {
            best = values[at];
            chosen = windows.kept(at, inWindow);
          }
          sum += values[at];
          count++;
        });
        int64_t over = pooling.mode == miopenPoolingAverageInclusive ? windows.area() : std::max<int64_t>(1, count);
        results[i] = most ? best : sum / static_cast<double>(over);
        if (keeps) put(pooling, workspace, i, chosen);
      }
      to.write(y, results, blend.alpha, blend.beta);
    };
    of<Handle>(handle).run(work, keeps ? Written{y, workspace} : Written{y});
  });
}

miopenStatus_t miopenPoolingBackward(miopenHandle_t handle, const miopenPoolingDescriptor_t descriptor,
                                     const void* alpha, const miopenTensorDescriptor_t yDesc, const void*,
                                     const miopenTensorDescriptor_t dyDesc, const void* dy,
                                     const miopenTensorDescriptor_t xDesc, const void*, const void* beta,
                                     const miopenTensorDescriptor_t dxDesc, void* dx, void* workspace) {
  return guarded([&] {
    Pooling pooling = of<Pooling>(descriptor);
    Tensor from = of<Tensor>(dyDesc), to = of<Tensor>(dxDesc);
    Blend blend = Blend::of(alpha, beta, to);
    bool most = pooling.mode == miopenPoolingMax;
    require(dy && dx && from.sizes == pooling.result(to) && (!most || workspace));
    require(of<Tensor>(yDesc).sizes == from.sizes && of<Tensor>(xDesc).sizes == to.sizes);
    Windows windows(pooling, to);
    auto work = [=] {
      Values values = from.read(dy), results(to.count());
      for (size_t i = 0; i < values.size(); i++) {
        int64_t count = 0;
        windows.each(i, [&](int64_t, int64_t) { count++; });
        int64_t over = pooling.mode == miopenPoolingAverageInclusive ? windows.area() : count;
        int64_t chosen = most ? kept(pooling, workspace, i) : 0;
        windows.each(i, [&](int64_t at, int64_t inWindow) {
          if (!most) results[at] += values[i] / static_cast<double>(over);
          if (most && windows.kept(at, inWindow) == chosen) results[at] += values[i];
        });
      }
      to.write(dx, results, blend.alpha, blend.beta);
    };
    of<Handle>(handle).run(work, {dx});
  });
}

}  // extern "C"
