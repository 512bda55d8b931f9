// Convolutions, by their definition: one product for each element of the filter and of the result.
#include <cmath>

#include "tensor.h"

namespace rocport::dnn {
namespace {

/** For each spatial dimension. */
struct Convolution {
  miopenConvolutionMode_t mode = miopenConvolution;
  Sizes pad = {0, 0};
  Sizes stride = {1, 1};
  Sizes dilation = {1, 1};
  Sizes adjustment = {0, 0};
  int64_t groups = 1;
  miopenConvolutionFindMode_t find = miopenConvolutionFindModeDefault;
  int attributes[3] = {-1, 0, 0};

  bool transposed() const { return mode == miopenTranspose; }

  /** The sizes of y. */
  Sizes result(const Tensor& x, const Tensor& w) const {
    require(x.sizes.size() == pad.size() + 2 && w.sizes.size() == x.sizes.size());
    require(x.sizes[1] == (transposed() ? w.sizes[0] : w.sizes[1] * groups));
    Sizes sizes = {x.sizes[0], transposed() ? w.sizes[1] * groups : w.sizes[0]};
    for (size_t i = 0; i < pad.size(); i++) {
      int64_t in = x.sizes[i + 2], width = dilation[i] * (w.sizes[i + 2] - 1) + 1;
      sizes.push_back(transposed() ? stride[i] * (in - 1) + width - 2 * pad[i] + adjustment[i]
                                   : std::max<int64_t>(1, (in + 2 * pad[i] - width) / stride[i] + 1));
    }
    return sizes;
  }
};

enum class Direction { FORWARD, DATA, WEIGHTS };

constexpr const char* FINDERS[] = {"miopenFindConvolutionForwardAlgorithm", "miopenFindConvolutionBackwardDataAlgorithm",
                                   "miopenFindConvolutionBackwardWeightsAlgorithm"};

/** A tensor where it is. */
struct Placed {
  Tensor tensor;
  void* at;
};

constexpr int DIMENSIONS = 3;

/** The products of a convolution that is not transposed, in three spatial dimensions. */
class Products {
 public:
  Products(const Convolution& convolution, const Tensor& x, const Tensor& w, const Tensor& y)
      : batch_(x.sizes[0]), groups_(convolution.groups), outputs_(y.sizes[1] / groups_), inputs_(w.sizes[1]) {
    int first = DIMENSIONS - static_cast<int>(convolution.pad.size());
    for (int d = 0; d < DIMENSIONS; d++) {
      bool there = d >= first;
      auto size = [&](const Tensor& t) { return there ? t.sizes[d - first + 2] : 1; };
      auto setting = [&](const Sizes& s, int64_t otherwise) { return there ? s[d - first] : otherwise; };
      in_[d] = size(x);
      filter_[d] = size(w);
      out_[d] = size(y);
      pad_[d] = setting(convolution.pad, 0);
      stride_[d] = setting(convolution.stride, 1);
      dilation_[d] = setting(convolution.dilation, 1);
    }
  }

  int64_t batch() const { return batch_; }
  int64_t groups() const { return groups_; }
  /** Channels of y in a group. */
  int64_t outputs() const { return outputs_; }

  /** Calls a function with the elements of x, w and y in each product for an image and a channel k of y. */
  template <class Do>
  void each(int64_t image, int64_t k, Do act) const {
    int64_t group = k / outputs_;
    int64_t xPlane = in_[0] * in_[1] * in_[2], wPlane = filter_[0] * filter_[1] * filter_[2];
    int64_t y0 = (image * groups_ * outputs_ + k) * out_[0] * out_[1] * out_[2];
    for (int64_t c = 0; c < inputs_; c++) {
      int64_t x0 = (image * groups_ * inputs_ + group * inputs_ + c) * xPlane;
      int64_t w = (k * inputs_ + c) * wPlane;
      for (int64_t a = 0; a < filter_[0]; a++) {
        for (int64_t b = 0; b < filter_[1]; b++) {
          for (int64_t e = 0; e < filter_[2]; e++, w++) {
            int64_t y = y0;
            for (int64_t i = 0; i < out_[0]; i++) {
              int64_t p = at(0, i, a);
              for (int64_t j = 0; j < out_[1]; j++) {
                int64_t q = at(1, j, b);
                bool inside = p >= 0 && p < in_[0] && q >= 0 && q < in_[1];
                for (int64_t l = 0; l < out_[2]; l++, y++) {
                  int64_t r = at(2, l, e);
                  if (inside && r >= 0 && r < in_[2]) act(x0 + (p * in_[1] + q) * in_[2] + r, w, y);
                }
              }
            }
          }
        }
      }
    }
  }

 private:
  int64_t batch_, groups_, outputs_, inputs_;
  int64_t in_[DIMENSIONS], filter_[DIMENSIONS], out_[DIMENSIONS];
  int64_t pad_[DIMENSIONS], stride_[DIMENSIONS], dilation_[DIMENSIONS];

  int64_t at(int d, int64_t out, int64_t filter) const {
    return out * stride_[d] - pad_[d] + filter * dilation_[d];
  }
};

/** One convolution in one direction, checked. x, w and y are those of the forward direction. */
class Problem {
 public:
  Problem(Direction direction, const Convolution& convolution, const Tensor& x, const Tensor& w, const Tensor& y)
      : direction_(direction), convolution_(convolution), x_(x), w_(w), y_(y) {
    require(y.sizes == convolution.result(x, w));
    require(convolution.groups > 0 && w.sizes[0] % convolution.groups == 0);
    require(x.type == w.type);
    bool integers = x.type == miopenInt8 && (y.type == miopenInt32 || y.type == miopenFloat);
    require(x.type == y.type || integers);
  }

  /** Equal for convolutions that have the same kernels. */
  std::string key() const {
    std::string key = std::to_string(static_cast<int>(direction_)) + " " + std::to_string(convolution_.mode) + " " +
                      std::to_string(convolution_.groups);
    for (const Tensor* t : {&x_, &w_, &y_}) {
      key += " " + std::to_string(t->type);
      for (const Sizes* s : {&t->sizes, &t->strides}) key += text(*s);
    }
    for (const Sizes* s : {&convolution_.pad, &convolution_.stride, &convolution_.dilation}) key += text(*s);
    return key;
  }

  /** Looks an algorithm up, as MIOpen requires before a convolution other than in immediate mode. */
  void requireFound(const Handle& handle) const {
    if (handle.found.count(key())) return;
    fprintf(stderr, "rocport: libMIOpen: no algorithm was found for this convolution; call %s for these tensors first\n",
            FINDERS[static_cast<int>(direction_)]);
    throw Refusal<miopenStatus_t>{miopenStatusUnknownError};
  }

  void run(Handle& handle, const void* x, const void* w, const void* y, Blend blend) const {
    require(x && w && y);
    handle.run([=, problem = *this] { problem.compute(x, w, y, blend); }, {result(x, w, y)});
  }

  /** The result, of the forward direction only, before it is rounded. */
  Values forward(const void* x, const void* w) const {
    return convolution_.transposed() ? data(Products(convolution_, y_, w_, x_), w_.read(w), x_.read(x), y_.count())
                                     : forward(Products(convolution_, x_, w_, y_), x_.read(x), w_.read(w), y_.count());
  }

 private:
  Direction direction_;
  Convolution convolution_;
  Tensor x_, w_, y_;

  static std::string text(const Sizes& sizes) {
    std::string text;
    for (int64_t size : sizes) text += "," + std::to_string(size);
    return text;
  }

  const void* result(const void* x, const void* w, const void* y) const {
    return direction_ == Direction::FORWARD ? y : direction_ == Direction::DATA ? x : w;
  }

  void compute(const void* x, const void* w, const void* y, Blend blend) const {
    auto write = [&](const Tensor& tensor, const void* to, const Values& values) {
      tensor.write(const_cast<void*>(to), values, blend.alpha, blend.beta);
    };
    bool transposed = convolution_.transposed();
    switch (direction_) {
      case Direction::FORWARD:
        return write(y_, y, forward(x, w));
      case Direction::DATA:
        return write(x_, x,
                     transposed
                         ? forward(Products(convolution_, y_, w_, x_), y_.read(y), w_.read(w), x_.count())
                         : data(Products(convolution_, x_, w_, y_), w_.read(w), y_.read(y), x_.count()));
      case Direction::WEIGHTS:
        return write(w_, w,
                     transposed ? weights(Products(convolution_, y_, w_, x_), y_.read(y), x_.read(x), w_.count())
                                : weights(Products(convolution_, x_, w_, y_), x_.read(x), y_.read(y), w_.count()));
    }
  }

  // Each thread has results of its own: channels of y, channels of x in a group, filters.

  static Values forward(const Products& products, const Values& x, const Values& w, int64_t count) {
    Values y(count);
    int64_t channels = products.groups() * products.outputs();
    parallel(products.batch() * channels, [&](int64_t i) {
      products.each(i / channels, i % channels, [&](int64_t a, int64_t b, int64_t c) { y[c] += x[a] * w[b]; });
    });
    return y;
  }

  static Values data(const Products& products, const Values& w, const Values& y, int64_t count) {
    Values x(count);
    parallel(products.batch() * products.groups(), [&](int64_t i) {
      int64_t first = i % products.groups() * products.outputs();
      for (int64_t k = first; k < first + products.outputs(); k++) {
        products.each(i / products.groups(), k, [&](int64_t a, int64_t b, int64_t c) { x[a] += w[b] * y[c]; });
      }
    });
    return x;
  }

  static Values weights(const Products& products, const Values& x, const Values& y, int64_t count) {
    Values w(count);
    parallel(products.groups() * products.outputs(), [&](int64_t k) {
      for (int64_t image = 0; image < products.batch(); image++) {
        products.each(image, k, [&](int64_t a, int64_t b, int64_t c) { w[b] += x[a] * y[c]; });
      }
    });
    return w;
  }
};

Problem problem(Direction direction, miopenConvolutionDescriptor_t convolution, miopenTensorDescriptor_t x,
                miopenTensorDescriptor_t w, miopenTensorDescriptor_t y) {
  return Problem(direction, of<Convolution>(convolution), of<Tensor>(x), of<Tensor>(w), of<Tensor>(y));
}

/** The direct algorithm, in all three enumerations; it needs no workspace. */
constexpr int DIRECT = miopenConvolutionAlgoDirect;
constexpr uint64_t SOLUTION = 1;

void find(miopenHandle_t handle, const Problem& problem, int wanted, int* count, miopenConvAlgoPerf_t* results) {
  require(wanted > 0 && count != nullptr && results != nullptr);
  of<Handle>(handle).found.insert(problem.key());
  results[0] = {};
  results[0].fwd_algo = static_cast<miopenConvFwdAlgorithm_t>(DIRECT);
  *count = 1;
}

void solutions(size_t most, size_t* count, miopenConvSolution_t* solutions) {
  require(count != nullptr);
  *count = 0;
  if (most == 0) return;
  require(solutions != nullptr);
  solutions[0] = {0, 0, SOLUTION, static_cast<miopenConvAlgorithm_t>(DIRECT)};
  *count = 1;
}

template <class Size>
void one(Size* count) {
  require(count != nullptr);
  *count = 1;
}

void none(size_t* bytes) {
  require(bytes != nullptr);
  *bytes = 0;
}

Sizes list(const int* from, size_t count) {
  require(from != nullptr);
  return Sizes(from, from + count);
}

int& setting(miopenConvolutionDescriptor_t convolution, int attribute) {
  require(attribute >= 0 && attribute < 3);
  return of<Convolution>(convolution).attributes[attribute];
}

void requireDimensions(const Convolution& convolution, size_t count) { require(convolution.pad.size() == count); }

}  // namespace
}  // namespace rocport::dnn

using namespace rocport;
using namespace rocport::dnn;

extern "C" {

miopenStatus_t miopenCreateConvolutionDescriptor(miopenConvolutionDescriptor_t* convolution) {
  return create<Convolution>(convolution);
}

miopenStatus_t miopenDestroyConvolutionDescriptor(miopenConvolutionDescriptor_t convolution) {
  return destroy<Convolution>(convolution);
}

miopenStatus_t miopenInitConvolutionNdDescriptor(miopenConvolutionDescriptor_t convolution, int count, const int* pad,
                                                 const int* stride, const int* dilation,
                                                 miopenConvolutionMode_t mode) {
  return guarded([&] {
    require(count >= 1 && count <= DIMENSIONS && (mode == miopenConvolution || mode == miopenTranspose));
    Convolution made;
    made.mode = mode;
    made.pad = list(pad, count);
    made.stride = list(stride, count);
    made.dilation = list(dilation, count);
    made.adjustment = Sizes(count, 0);
    for (int i = 0; i < count; i++) require(made.pad[i] >= 0 && made.stride[i] >= 1 && made.dilation[i] >= 1);
    of<Convolution>(convolution) = made;
  });
}

miopenStatus_t miopenInitConvolutionDescriptor(miopenConvolutionDescriptor_t convolution, miopenConvolutionMode_t mode,
                                               int padH, int padW, int strideH, int strideW, int dilationH,
                                               int dilationW) {
  const int pad[] = {padH, padW}, stride[] = {strideH, strideW}, dilation[] = {dilationH, dilationW};
  return miopenInitConvolutionNdDescriptor(convolution, 2, pad, stride, dilation, mode);
}

miopenStatus_t miopenGetConvolutionSpatialDim(miopenConvolutionDescriptor_t convolution, int* count) {
  return guarded([&] {
    require(count != nullptr);
    *count = static_cast<int>(of<Convolution>(convolution).pad.size());
  });
}

miopenStatus_t miopenGetConvolutionNdDescriptor(miopenConvolutionDescriptor_t descriptor, int wanted, int* count,
                                                int* pad, int* stride, int* dilation, miopenConvolutionMode_t* mode) {
  return guarded([&] {
    const Convolution& convolution = of<Convolution>(descriptor);
    require(wanted >= static_cast<int>(convolution.pad.size()));
    if (count) *count = static_cast<int>(convolution.pad.size());
    if (pad) std::copy(convolution.pad.begin(), convolution.pad.end(), pad);
    if (stride) std::copy(convolution.stride.begin(), convolution.stride.end(), stride);
    if (dilation) std::copy(convolution.dilation.begin(), convolution.dilation.end(), dilation);
    if (mode) *mode = convolution.mode;
  });
}

miopenStatus_t miopenGetConvolutionDescriptor(miopenConvolutionDescriptor_t convolution, miopenConvolutionMode_t* mode,
                                              int* padH, int* padW, int* strideH, int* strideW, int* dilationH,
                                              int* dilationW) {
  int count = 0, pad[2], stride[2], dilation[2];
  auto status = miopenGetConvolutionNdDescriptor(convolution, 2, &count, pad, stride, dilation, mode);
  if (status != miopenStatusSuccess) return status;
  return guarded([&] {
    require(count == 2);
    int* to[] = {padH, padW, strideH, strideW, dilationH, dilationW};
    const int from[] = {pad[0], pad[1], stride[0], stride[1], dilation[0], dilation[1]};
    for (int i = 0; i < 6; i++) {
      if (to[i]) *to[i] = from[i];
    }
  });
}

miopenStatus_t miopenSetConvolutionGroupCount(miopenConvolutionDescriptor_t convolution, int groups) {
  return guarded([&] {
    require(groups > 0);
    of<Convolution>(convolution).groups = groups;
  });
}

miopenStatus_t miopenGetConvolutionGroupCount(miopenConvolutionDescriptor_t convolution, int* groups) {
  return guarded([&] {
    require(groups != nullptr);
    *groups = static_cast<int>(of<Convolution>(convolution).groups);
  });
}

miopenStatus_t miopenSetTransposeConvNdOutputPadding(miopenConvolutionDescriptor_t convolution, int count,
                                                     const int* adjustment) {
  return guarded([&] {
    requireDimensions(of<Convolution>(convolution), count);
    of<Convolution>(convolution).adjustment = list(adjustment, count);
  });
}

miopenStatus_t miopenSetTransposeConvOutputPadding(miopenConvolutionDescriptor_t convolution, int h, int w) {
  const int adjustment[] = {h, w};
  return miopenSetTransposeConvNdOutputPadding(convolution, 2, adjustment);
}

// Attributes and modes change how kernels are chosen, and there is one.
miopenStatus_t miopenSetConvolutionAttribute(miopenConvolutionDescriptor_t convolution,
                                             const miopenConvolutionAttrib_t attribute, int value) {
  return guarded([&] {
    setting(convolution, attribute) = value;
  });
}

miopenStatus_t miopenGetConvolutionAttribute(miopenConvolutionDescriptor_t convolution,
                                             const miopenConvolutionAttrib_t attribute, int* value) {
  return guarded([&] {
    require(value != nullptr);
    *value = setting(convolution, attribute);
  });
}

miopenStatus_t miopenSetConvolutionFindMode(miopenConvolutionDescriptor_t convolution,
                                            miopenConvolutionFindMode_t mode) {
  return guarded([&] { of<Convolution>(convolution).find = mode; });
}

miopenStatus_t miopenGetConvolutionFindMode(const miopenConvolutionDescriptor_t convolution,
                                            miopenConvolutionFindMode_t* mode) {
  return guarded([&] {
    require(mode != nullptr);
    *mode = of<Convolution>(convolution).find;
  });
}

miopenStatus_t miopenGetConvolutionNdForwardOutputDim(miopenConvolutionDescriptor_t convolution,
                                                      const miopenTensorDescriptor_t x,
                                                      const miopenTensorDescriptor_t w, int* count, int* sizes) {
  return guarded([&] {
    require(count != nullptr && sizes != nullptr);
    Sizes result = of<Convolution>(convolution).result(of<Tensor>(x), of<Tensor>(w));
    *count = static_cast<int>(result.size());
    std::copy(result.begin(), result.end(), sizes);
  });
}

miopenStatus_t miopenGetConvolutionForwardOutputDim(miopenConvolutionDescriptor_t convolution,
                                                    const miopenTensorDescriptor_t x, const miopenTensorDescriptor_t w,
                                                    int* n, int* c, int* h, int* wide) {
  return guarded([&] {
    Sizes result = of<Convolution>(convolution).result(of<Tensor>(x), of<Tensor>(w));
    int* to[] = {n, c, h, wide};
    require(result.size() == 4);
    for (int i = 0; i < 4; i++) {
      require(to[i] != nullptr);
      *to[i] = static_cast<int>(result[i]);
    }
  });
}

// The functions of a direction: first and second are the descriptors as its queries take them, in and other those of
// its operands, and out that of its result; x, w and y are the same in the forward direction.
#define DIRECTION(Name, direction, first, second, in, other, out, Algo)                                                \
  miopenStatus_t miopenConvolution##Name##GetWorkSpaceSize(                                                            \
      miopenHandle_t handle, const miopenTensorDescriptor_t first, const miopenTensorDescriptor_t second,              \
      const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t out, size_t* bytes) {            \
    return guarded([&] {                                                                                               \
      of<Handle>(handle);                                                                                              \
      problem(direction, convolution, x, w, y);                                                                        \
      none(bytes);                                                                                                     \
    });                                                                                                                \
  }                                                                                                                    \
  miopenStatus_t miopenFindConvolution##Name##Algorithm(                                                               \
      miopenHandle_t handle, const miopenTensorDescriptor_t in, const void*, const miopenTensorDescriptor_t other,     \
      const void*, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t out, void*,         \
      const int wanted, int* count, miopenConvAlgoPerf_t* results, void*, size_t, bool) {                              \
    return guarded([&] { find(handle, problem(direction, convolution, x, w, y), wanted, count, results); });           \
  }                                                                                                                    \
  miopenStatus_t miopenConvolution##Name(                                                                              \
      miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t in, const void* in##At,                 \
      const miopenTensorDescriptor_t other, const void* other##At, const miopenConvolutionDescriptor_t convolution,    \
      Algo, const void* beta, const miopenTensorDescriptor_t out, void* out##At, void*, size_t) {                 \
    return guarded([&] {                                                                                               \
      Problem checked = problem(direction, convolution, x, w, y);                                                      \
      checked.requireFound(of<Handle>(handle));                                                                        \
      checked.run(of<Handle>(handle), xAt, wAt, yAt, Blend::of(alpha, beta, of<Tensor>(out)));                         \
    });                                                                                                                \
  }                                                                                                                    \
  miopenStatus_t miopenConvolution##Name##GetSolutionCount(                                                            \
      miopenHandle_t handle, const miopenTensorDescriptor_t first, const miopenTensorDescriptor_t second,              \
      const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t out, size_t* count) {            \
    return guarded([&] {                                                                                               \
      of<Handle>(handle);                                                                                              \
      problem(direction, convolution, x, w, y);                                                                        \
      one(count);                                                                                                      \
    });                                                                                                                \
  }                                                                                                                    \
  miopenStatus_t miopenConvolution##Name##GetSolution(                                                                 \
      miopenHandle_t handle, const miopenTensorDescriptor_t first, const miopenTensorDescriptor_t second,              \
      const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t out, const size_t most,          \
      size_t* count, miopenConvSolution_t* results) {                                                                  \
    return guarded([&] {                                                                                               \
      of<Handle>(handle);                                                                                              \
      problem(direction, convolution, x, w, y);                                                                        \
      solutions(most, count, results);                                                                                 \
    });                                                                                                                \
  }                                                                                                                    \
  miopenStatus_t miopenConvolution##Name##GetSolutionWorkspaceSize(                                                    \
      miopenHandle_t handle, const miopenTensorDescriptor_t first, const miopenTensorDescriptor_t second,              \
      const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t out, const uint64_t id,          \
      size_t* bytes) {                                                                                                 \
    return guarded([&] {                                                                                               \
      of<Handle>(handle);                                                                                              \
      problem(direction, convolution, x, w, y);                                                                        \
      require(id == SOLUTION);                                                                                         \
      none(bytes);                                                                                                     \
    });                                                                                                                \
  }                                                                                                                    \
  miopenStatus_t miopenConvolution##Name##CompileSolution(                                                             \
      miopenHandle_t handle, const miopenTensorDescriptor_t first, const miopenTensorDescriptor_t second,              \
      const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t out, const uint64_t id) {        \
    return guarded([&] {                                                                                               \
      of<Handle>(handle);                                                                                              \
      problem(direction, convolution, x, w, y);                                                                        \
      require(id == SOLUTION);                                                                                         \
    });                                                                                                                \
  }                                                                                                                    \
  miopenStatus_t miopenConvolution##Name##Immediate(                                                                   \
      miopenHandle_t handle, const miopenTensorDescriptor_t first, const void* first##At,                              \
      const miopenTensorDescriptor_t second, const void* second##At, const miopenConvolutionDescriptor_t convolution,  \
      const miopenTensorDescriptor_t out, void* out##At, void*, size_t, const uint64_t id) {                           \
    return guarded([&] {                                                                                               \
      require(id == SOLUTION);                                                                                         \
      problem(direction, convolution, x, w, y).run(of<Handle>(handle), xAt, wAt, yAt, {1, 0});                         \
    });                                                                                                                \
  }

DIRECTION(Forward, Direction::FORWARD, w, x, x, w, y, miopenConvFwdAlgorithm_t)
DIRECTION(BackwardData, Direction::DATA, y, w, y, w, x, miopenConvBwdDataAlgorithm_t)
DIRECTION(BackwardWeights, Direction::WEIGHTS, y, x, y, x, w, miopenConvBwdWeightsAlgorithm_t)

// y = y + b
miopenStatus_t miopenConvolutionForwardBias(miopenHandle_t handle, const void* alpha,
                                            const miopenTensorDescriptor_t bDesc, const void* b, const void* beta,
                                            const miopenTensorDescriptor_t yDesc, void* y) {
  return guarded([&] {
    Blend::requireNone(alpha, beta);
    Tensor bias = of<Tensor>(bDesc), to = of<Tensor>(yDesc);
    require(b != nullptr && y != nullptr);
    Broadcast at(bias, to);
    auto work = [=] {
      Values values = to.read(y), others = bias.read(b);
      for (size_t i = 0; i < values.size(); i++) values[i] += others[at(i)];
      to.write(y, values);
    };
    of<Handle>(handle).run(work, {y});
  });
}

miopenStatus_t miopenConvolutionBackwardBias(miopenHandle_t handle, const void* alpha,
                                             const miopenTensorDescriptor_t dyDesc, const void* dy, const void* beta,
                                             const miopenTensorDescriptor_t dbDesc, void* db) {
  return guarded([&] {
    Blend::requireNone(alpha, beta);
    Tensor from = of<Tensor>(dyDesc), to = of<Tensor>(dbDesc);
    require(dy != nullptr && db != nullptr);
    Broadcast at(to, from);
    auto work = [=] {
      Values values = from.read(dy), sums(to.count());
      for (size_t i = 0; i < values.size(); i++) sums[at(i)] += values[i];
      to.write(db, sums);
    };
    of<Handle>(handle).run(work, {db});
  });
}

// y = activation(alpha1 conv(x, w) + alpha2 z + bias)
miopenStatus_t miopenConvolutionBiasActivationForward(
    miopenHandle_t handle, const void* alpha1, const miopenTensorDescriptor_t xDesc, const void* x,
    const miopenTensorDescriptor_t wDesc, const void* w, const miopenConvolutionDescriptor_t convolution,
    miopenConvFwdAlgorithm_t, void*, size_t, const void* alpha2, const miopenTensorDescriptor_t zDesc, const void* z,
    const miopenTensorDescriptor_t biasDesc, const void* bias, const miopenActivationDescriptor_t activationDesc,
    const miopenTensorDescriptor_t yDesc, void* y) {
  return guarded([&] {
    Problem checked = problem(Direction::FORWARD, convolution, xDesc, wDesc, yDesc);
    Tensor to = of<Tensor>(yDesc), biases = of<Tensor>(biasDesc);
    Activation activation = of<Activation>(activationDesc);
    require(x && w && bias && y && alpha1 && alpha2);
    Blend blend = Blend::of(alpha1, alpha2, to);
    Tensor added = blend.beta == 0 ? to : of<Tensor>(zDesc);
    require(blend.beta == 0 || (z != nullptr && added.sizes == to.sizes));
    Broadcast at(biases, to);
    auto work = [=] {
      Values values = checked.forward(x, w), b = biases.read(bias);
      Values more = blend.beta == 0 ? Values(values.size()) : added.read(z);
      for (size_t i = 0; i < values.size(); i++) {
        values[i] = activation(blend.alpha * values[i] + blend.beta * more[i] + b[at(i)]);
      }
      to.write(y, values);
    };
    of<Handle>(handle).run(work, {y});
  });
}

}  // extern "C"
