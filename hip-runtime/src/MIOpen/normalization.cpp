// Batch normalization.
#include <cmath>

#include "tensor.h"

namespace rocport::dnn {
namespace {

/** The sizes of what belongs to a channel, or to an element of an image. */
Sizes parameters(const Tensor& x, miopenBatchNormMode_t mode) {
  require(x.sizes.size() == 4 || x.sizes.size() == 5);
  require(mode == miopenBNSpatial || mode == miopenBNPerActivation);
  Sizes sizes = x.sizes;
  sizes[0] = 1;
  if (mode == miopenBNSpatial) std::fill(sizes.begin() + 2, sizes.end(), 1);
  return sizes;
}

/** Tensors of the data and of the parameters, and which parameter belongs to an element. */
class Norm {
 public:
  Norm(miopenBatchNormMode_t mode, const Tensor& x, const Tensor& parameter)
      : x(x), parameter(parameter), at_(parameter, x) {
    require(parameter.sizes == parameters(x, mode));
    per_ = x.count() / parameter.count();
  }

  Tensor x;
  Tensor parameter;

  /** Elements for each parameter. */
  double per() const { return static_cast<double>(per_); }
  int64_t operator()(int64_t i) const { return at_(i); }

  /** The sum over the elements of each parameter. */
  template <class At>
  Values sums(At at) const {
    Values sums(parameter.count());
    for (int64_t i = 0, n = x.count(); i < n; i++) sums[at_(i)] += at(i, at_(i));
    return sums;
  }

  /** Mean, and the mean square of the distance from it. */
  std::pair<Values, Values> moments(const Values& values) const {
    Values mean = sums([&](int64_t i, int64_t) { return values[i]; });
    for (double& m : mean) m /= per();
    Values variance = sums([&](int64_t i, int64_t c) { return square(values[i] - mean[c]); });
    for (double& v : variance) v /= per();
    return {mean, variance};
  }

 private:
  Broadcast at_;
  int64_t per_;
};

void training(miopenHandle_t handle, const Norm& norm, const void* x, const Tensor& to, void* y, const void* scale,
              const void* bias, double factor, void* runningMean, void* runningVariance, double epsilon,
              void* savedMean, void* savedInverse) {
  require(x && y && scale && bias && norm.x.sizes == to.sizes);
  auto work = [=] {
    const Tensor& parameter = norm.parameter;
    Values values = norm.x.read(x), scales = parameter.read(scale), biases = parameter.read(bias);
    auto [mean, variance] = norm.moments(values);
    Values inverse = variance;
    for (double& v : inverse) v = 1 / std::sqrt(v + epsilon);
    for (size_t i = 0; i < values.size(); i++) {
      int64_t c = norm(i);
      values[i] = scales[c] * (values[i] - mean[c]) * inverse[c] + biases[c];
    }
    to.write(y, values);
    if (runningMean) parameter.write(runningMean, mean, factor, 1 - factor);
    // The running variance is that of a sample.
    double sample = norm.per() == 1 ? 1 : norm.per() / (norm.per() - 1);
    if (runningVariance) parameter.write(runningVariance, variance, factor * sample, 1 - factor);
    if (savedMean) parameter.write(savedMean, mean);
    if (savedInverse) parameter.write(savedInverse, inverse);
  };
  of<Handle>(handle).run(work, {});
}

void inference(miopenHandle_t handle, const Norm& norm, const void* x, const Tensor& to, void* y, const void* scale,
               const void* bias, const void* mean, const void* variance, double epsilon) {
  require(x && y && scale && bias && mean && variance && norm.x.sizes == to.sizes);
  auto work = [=] {
    const Tensor& parameter = norm.parameter;
    Values values = norm.x.read(x), scales = parameter.read(scale), biases = parameter.read(bias);
    Values means = parameter.read(mean), variances = parameter.read(variance);
    for (size_t i = 0; i < values.size(); i++) {
      int64_t c = norm(i);
      values[i] = scales[c] * (values[i] - means[c]) / std::sqrt(variances[c] + epsilon) + biases[c];
    }
    to.write(y, values);
  };
  of<Handle>(handle).run(work, {y});
}

void backward(miopenHandle_t handle, const Norm& norm, const void* x, const Tensor& gradient, const void* dy,
              const Tensor& to, void* dx, const void* scale, void* scaleGradient, void* biasGradient, double epsilon,
              const void* savedMean, const void* savedInverse) {
  require(x && dy && dx && scale && scaleGradient && biasGradient && !savedMean == !savedInverse);
  require(gradient.sizes == norm.x.sizes && to.sizes == norm.x.sizes);
  auto work = [=] {
    const Tensor& parameter = norm.parameter;
    Values values = norm.x.read(x), gradients = gradient.read(dy), scales = parameter.read(scale);
    auto [mean, inverse] = norm.moments(values);
    for (double& v : inverse) v = 1 / std::sqrt(v + epsilon);
    if (savedMean) {
      mean = parameter.read(savedMean);
      inverse = parameter.read(savedInverse);
    }
    for (size_t i = 0; i < values.size(); i++) values[i] = (values[i] - mean[norm(i)]) * inverse[norm(i)];
    Values byBias = norm.sums([&](int64_t i, int64_t) { return gradients[i]; });
    Values byScale = norm.sums([&](int64_t i, int64_t) { return gradients[i] * values[i]; });
    Values result(values.size());
    for (size_t i = 0; i < values.size(); i++) {
      int64_t c = norm(i);
      result[i] = scales[c] * inverse[c] * (gradients[i] - (byBias[c] + values[i] * byScale[c]) / norm.per());
    }
    to.write(dx, result);
    parameter.write(scaleGradient, byScale);
    parameter.write(biasGradient, byBias);
  };
  of<Handle>(handle).run(work, {});
}

}  // namespace
}  // namespace rocport::dnn

using namespace rocport;
using namespace rocport::dnn;

extern "C" {

miopenStatus_t miopenDeriveBNTensorDescriptor(miopenTensorDescriptor_t derived, const miopenTensorDescriptor_t xDesc,
                                              miopenBatchNormMode_t mode) {
  return guarded([&] {
    const Tensor& x = of<Tensor>(xDesc);
    Sizes sizes = parameters(x, mode);
    // Parameters of 16-bit data are floats.
    auto type = x.type == miopenDouble ? miopenDouble : miopenFloat;
    of<Tensor>(derived) = {type, sizes, Tensor::packed(sizes)};
  });
}

miopenStatus_t miopenBatchNormalizationForwardTraining(
    miopenHandle_t handle, miopenBatchNormMode_t mode, void* alpha, void* beta, const miopenTensorDescriptor_t xDesc,
    const void* x, const miopenTensorDescriptor_t yDesc, void* y, const miopenTensorDescriptor_t parameter, void* scale,
    void* bias, double factor, void* runningMean, void* runningVariance, double epsilon, void* savedMean,
    void* savedInverse) {
  return guarded([&] {
    Blend::requireNone(alpha, beta);
    training(handle, Norm(mode, of<Tensor>(xDesc), of<Tensor>(parameter)), x, of<Tensor>(yDesc), y, scale, bias,
             factor, runningMean, runningVariance, epsilon, savedMean, savedInverse);
  });
}

miopenStatus_t miopenBatchNormalizationForwardInference(
    miopenHandle_t handle, miopenBatchNormMode_t mode, void* alpha, void* beta, const miopenTensorDescriptor_t xDesc,
    const void* x, const miopenTensorDescriptor_t yDesc, void* y, const miopenTensorDescriptor_t parameter, void* scale,
    void* bias, void* mean, void* variance, double epsilon) {
  return guarded([&] {
    Blend::requireNone(alpha, beta);
    inference(handle, Norm(mode, of<Tensor>(xDesc), of<Tensor>(parameter)), x, of<Tensor>(yDesc), y, scale, bias, mean,
              variance, epsilon);
  });
}

miopenStatus_t miopenBatchNormalizationBackward(
    miopenHandle_t handle, miopenBatchNormMode_t mode, const void* alphaData, const void* betaData,
    const void* alphaParameter, const void* betaParameter, const miopenTensorDescriptor_t xDesc, const void* x,
    const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenTensorDescriptor_t dxDesc, void* dx,
    const miopenTensorDescriptor_t parameter, const void* scale, void* scaleGradient, void* biasGradient,
    double epsilon, const void* savedMean, const void* savedInverse) {
  return guarded([&] {
    Blend::requireNone(alphaData, betaData);
    Blend::requireNone(alphaParameter, betaParameter);
    backward(handle, Norm(mode, of<Tensor>(xDesc), of<Tensor>(parameter)), x, of<Tensor>(dyDesc), dy,
             of<Tensor>(dxDesc), dx, scale, scaleGradient, biasGradient, epsilon, savedMean, savedInverse);
  });
}

}  // extern "C"
