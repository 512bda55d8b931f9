// Activations and softmax.
#include <cmath>

#include "tensor.h"

namespace rocport::dnn {

double Activation::operator()(double x) const {
  switch (mode) {
    case miopenActivationPASTHRU:
      return x;
    case miopenActivationLOGISTIC:
      return 1 / (1 + std::exp(-x));
    case miopenActivationTANH:
      return beta * std::tanh(alpha * x);
    case miopenActivationRELU:
      return x > 0 ? x : 0;
    case miopenActivationSOFTRELU:
      return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    case miopenActivationABS:
      return std::fabs(x);
    case miopenActivationPOWER:
      return std::pow(alpha + beta * x, gamma);
    case miopenActivationCLIPPEDRELU:
      return std::min(alpha, std::max(0.0, x));
    case miopenActivationLEAKYRELU:
      return x > 0 ? x : alpha * x;
    case miopenActivationELU:
      return x > 0 ? x : alpha * std::expm1(x);
  }
  return NAN;
}

double Activation::derivative(double x, double y) const {
  switch (mode) {
    case miopenActivationPASTHRU:
      return 1;
    case miopenActivationLOGISTIC:
      return y * (1 - y);
    case miopenActivationTANH:
      return alpha * (beta - y * y / beta);
    case miopenActivationRELU:
      return x > 0 ? 1 : 0;
    case miopenActivationSOFTRELU:
      return 1 / (1 + std::exp(-x));
    case miopenActivationABS:
      return x > 0 ? 1 : x < 0 ? -1 : 0;
    case miopenActivationPOWER:
      return gamma * beta * std::pow(alpha + beta * x, gamma - 1);
    case miopenActivationCLIPPEDRELU:
      return x > 0 && x <= alpha ? 1 : 0;
    case miopenActivationLEAKYRELU:
      return x > 0 ? 1 : alpha;
    case miopenActivationELU:
      return x > 0 ? 1 : y + alpha;
  }
  return NAN;
}

namespace {

/** The elements that softmax makes a distribution of: each group has so many, a distance apart. */
struct Groups {
  int64_t count;
  int64_t size;
  int64_t step;

  static Groups of(const Tensor& tensor, miopenSoftmaxMode_t mode) {
    require(tensor.sizes.size() >= 2);
    int64_t image = tensor.count() / tensor.sizes[0];
    if (mode == MIOPEN_SOFTMAX_MODE_INSTANCE) return {tensor.sizes[0], image, 1};
    require(mode == MIOPEN_SOFTMAX_MODE_CHANNEL);
    return {tensor.count() / tensor.sizes[1], tensor.sizes[1], image / tensor.sizes[1]};
  }

  int64_t first(int64_t group) const { return group / step * step * size + group % step; }

  template <class Do>
  void each(int64_t group, Do act) const {
    for (int64_t i = 0; i < size; i++) act(first(group) + i * step);
  }
};

void softmax(const Groups& groups, Values& values, bool logarithm) {
  for (int64_t g = 0; g < groups.count; g++) {
    double largest = -INFINITY, sum = 0;
    groups.each(g, [&](int64_t i) { largest = std::max(largest, values[i]); });
    groups.each(g, [&](int64_t i) { sum += std::exp(values[i] - largest); });
    groups.each(g, [&](int64_t i) {
      values[i] = logarithm ? values[i] - largest - std::log(sum) : std::exp(values[i] - largest) / sum;
    });
  }
}

void softmaxGradient(const Groups& groups, const Values& y, Values& dy, bool logarithm) {
  for (int64_t g = 0; g < groups.count; g++) {
    double sum = 0;
    groups.each(g, [&](int64_t i) { sum += logarithm ? dy[i] : y[i] * dy[i]; });
    groups.each(g, [&](int64_t i) { dy[i] = logarithm ? dy[i] - std::exp(y[i]) * sum : y[i] * (dy[i] - sum); });
  }
}

}  // namespace
}  // namespace rocport::dnn

using namespace rocport;
using namespace rocport::dnn;

extern "C" {

miopenStatus_t miopenCreateActivationDescriptor(miopenActivationDescriptor_t* activation) {
  return create<Activation>(activation);
}

miopenStatus_t miopenDestroyActivationDescriptor(miopenActivationDescriptor_t activation) {
  return destroy<Activation>(activation);
}

miopenStatus_t miopenSetActivationDescriptor(const miopenActivationDescriptor_t activation,
                                             miopenActivationMode_t mode, double alpha, double beta, double gamma) {
  return guarded([&] {
    require(mode >= miopenActivationPASTHRU && mode <= miopenActivationELU);
    of<Activation>(activation) = {mode, alpha, beta, gamma};
  });
}

miopenStatus_t miopenGetActivationDescriptor(const miopenActivationDescriptor_t activation,
                                             miopenActivationMode_t* mode, double* alpha, double* beta, double* gamma) {
  return guarded([&] {
    const Activation& from = of<Activation>(activation);
    require(mode && alpha && beta && gamma);
    *mode = from.mode;
    *alpha = from.alpha;
    *beta = from.beta;
    *gamma = from.gamma;
  });
}

miopenStatus_t miopenActivationForward(miopenHandle_t handle, const miopenActivationDescriptor_t descriptor,
                                       const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x,
                                       const void* beta, const miopenTensorDescriptor_t yDesc, void* y) {
  return guarded([&] {
    Activation activation = of<Activation>(descriptor);
    Tensor from = of<Tensor>(xDesc), to = of<Tensor>(yDesc);
    Blend blend = Blend::of(alpha, beta, to);
    require(x && y && from.sizes == to.sizes);
    auto work = [=] {
      Values values = from.read(x);
      for (double& value : values) value = activation(value);
      to.write(y, values, blend.alpha, blend.beta);
    };
    of<Handle>(handle).run(work, {y});
  });
}

miopenStatus_t miopenActivationBackward(miopenHandle_t handle, const miopenActivationDescriptor_t descriptor,
                                        const void* alpha, const miopenTensorDescriptor_t yDesc, const void* y,
                                        const miopenTensorDescriptor_t dyDesc, const void* dy,
                                        const miopenTensorDescriptor_t xDesc, const void* x, const void* beta,
                                        const miopenTensorDescriptor_t dxDesc, void* dx) {
  return guarded([&] {
    Activation activation = of<Activation>(descriptor);
    Tensor output = of<Tensor>(yDesc), gradient = of<Tensor>(dyDesc), input = of<Tensor>(xDesc);
    Tensor to = of<Tensor>(dxDesc);
    Blend blend = Blend::of(alpha, beta, to);
    require(y && dy && x && dx && output.sizes == to.sizes && gradient.sizes == to.sizes && input.sizes == to.sizes);
    auto work = [=] {
      Values ys = output.read(y), values = gradient.read(dy), xs = input.read(x);
      for (size_t i = 0; i < values.size(); i++) values[i] *= activation.derivative(xs[i], ys[i]);
      to.write(dx, values, blend.alpha, blend.beta);
    };
    of<Handle>(handle).run(work, {dx});
  });
}

miopenStatus_t miopenSoftmaxForward_V2(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t xDesc,
                                       const void* x, const void* beta, const miopenTensorDescriptor_t yDesc, void* y,
                                       miopenSoftmaxAlgorithm_t algorithm, miopenSoftmaxMode_t mode) {
  return guarded([&] {
    Tensor from = of<Tensor>(xDesc), to = of<Tensor>(yDesc);
    Blend blend = Blend::of(alpha, beta, to);
    Groups groups = Groups::of(to, mode);
    require(x && y && from.sizes == to.sizes && algorithm >= MIOPEN_SOFTMAX_FAST && algorithm <= MIOPEN_SOFTMAX_LOG);
    auto work = [=] {
      Values values = from.read(x);
      softmax(groups, values, algorithm == MIOPEN_SOFTMAX_LOG);
      to.write(y, values, blend.alpha, blend.beta);
    };
    of<Handle>(handle).run(work, {y});
  });
}

miopenStatus_t miopenSoftmaxForward(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t xDesc,
                                    const void* x, const void* beta, const miopenTensorDescriptor_t yDesc, void* y) {
  return miopenSoftmaxForward_V2(handle, alpha, xDesc, x, beta, yDesc, y, MIOPEN_SOFTMAX_ACCURATE,
                                 MIOPEN_SOFTMAX_MODE_CHANNEL);
}

miopenStatus_t miopenSoftmaxBackward_V2(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t yDesc,
                                        const void* y, const miopenTensorDescriptor_t dyDesc, const void* dy,
                                        const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx,
                                        miopenSoftmaxAlgorithm_t algorithm, miopenSoftmaxMode_t mode) {
  return guarded([&] {
    Tensor output = of<Tensor>(yDesc), gradient = of<Tensor>(dyDesc), to = of<Tensor>(dxDesc);
    Blend blend = Blend::of(alpha, beta, to);
    Groups groups = Groups::of(to, mode);
    require(y && dy && dx && output.sizes == to.sizes && gradient.sizes == to.sizes);
    require(algorithm >= MIOPEN_SOFTMAX_FAST && algorithm <= MIOPEN_SOFTMAX_LOG);
    auto work = [=] {
      Values values = gradient.read(dy);
      softmaxGradient(groups, output.read(y), values, algorithm == MIOPEN_SOFTMAX_LOG);
      to.write(dx, values, blend.alpha, blend.beta);
    };
    of<Handle>(handle).run(work, {dx});
  });
}

miopenStatus_t miopenSoftmaxBackward(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t yDesc,
                                     const void* y, const miopenTensorDescriptor_t dyDesc, const void* dy,
                                     const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx) {
  return miopenSoftmaxBackward_V2(handle, alpha, yDesc, y, dyDesc, dy, beta, dxDesc, dx, MIOPEN_SOFTMAX_ACCURATE,
                                  MIOPEN_SOFTMAX_MODE_CHANNEL);
}

}  // extern "C"
