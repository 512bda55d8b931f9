// MIOpen beyond what fixtures/dnn_layers has: immediate mode, transposed and three-dimensional convolutions, integers,
// layouts, further activations, sums of tensors, indices, and calls that MIOpen refuses
#include <miopen/miopen.h>

#include <functional>

#include "../kernels/check.h"

using std::vector;

Check check;
miopenHandle_t dnn;
const float one = 1, zero = 0;

#define DNN(call)                                                               \
  do {                                                                          \
    miopenStatus_t status = (call);                                             \
    if (status != miopenStatusSuccess) {                                        \
      printf("FAIL line %d: %s\n", __LINE__, miopenGetErrorString(status));     \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

int element(int seed, int i) { return static_cast<int>(bits(seed * 1000 + i) % 5) - 2; }

template <class T>
vector<T> numbers(int seed, int count) {
  vector<T> all(count);
  for (int i = 0; i < count; i++) all[i] = static_cast<T>(element(seed, i));
  return all;
}

template <class T>
void expect(const char* what, const vector<T>& got, const std::function<double(int)>& want, double near = 0) {
  for (size_t i = 0; i < got.size(); i++) {
    double value = static_cast<double>(got[i]), wanted = want(static_cast<int>(i));
    if (!(std::fabs(value - wanted) <= near)) {
      printf("%s[%zu]: %g, not %g\n", what, i, value, wanted);
      check.that(what, false);
      return;
    }
  }
}

/** A packed tensor. */
struct Tensor {
  miopenTensorDescriptor_t desc;
  int count = 1;

  explicit Tensor(vector<int> sizes, miopenDataType_t type = miopenFloat) {
    vector<int> strides(sizes.size());
    for (size_t i = sizes.size(); i-- > 0;) {
      strides[i] = count;
      count *= sizes[i];
    }
    DNN(miopenCreateTensorDescriptor(&desc));
    DNN(miopenSetTensorDescriptor(desc, type, static_cast<int>(sizes.size()), sizes.data(), strides.data()));
  }
  ~Tensor() { (void)miopenDestroyTensorDescriptor(desc); }
};

struct Convolution {
  miopenConvolutionDescriptor_t desc;
  Convolution(miopenConvolutionMode_t mode, int pad, int stride) {
    DNN(miopenCreateConvolutionDescriptor(&desc));
    DNN(miopenInitConvolutionDescriptor(desc, mode, pad, pad, stride, stride, 1, 1));
  }
  ~Convolution() { (void)miopenDestroyConvolutionDescriptor(desc); }
};

/** Two channels of 4 by 4, three filters of 2 by 2, results of 3 by 3. */
double convolved(int i) {
  int f = i / 9, row = i / 3 % 3, column = i % 3;
  double sum = 0;
  for (int c = 0; c < 2; c++) {
    for (int u = 0; u < 2; u++) {
      for (int v = 0; v < 2; v++) {
        sum += element(1, (c * 4 + row + u) * 4 + column + v) * element(2, ((f * 2 + c) * 2 + u) * 2 + v);
      }
    }
  }
  return sum;
}

void immediate() {
  Tensor x({1, 2, 4, 4}), w({3, 2, 2, 2}), y({1, 3, 3, 3});
  Convolution plain(miopenConvolution, 0, 1);
  Buffer<float> xs(numbers<float>(1, 32)), ws(numbers<float>(2, 24)), ys(27);
  size_t count = 0, bytes = 1;
  DNN(miopenConvolutionForwardGetSolutionCount(dnn, w.desc, x.desc, plain.desc, y.desc, &count));
  vector<miopenConvSolution_t> solutions(count);
  DNN(miopenConvolutionForwardGetSolution(dnn, w.desc, x.desc, plain.desc, y.desc, count, &count, solutions.data()));
  check.that("solutions", count >= 1);
  uint64_t id = solutions[0].solution_id;
  DNN(miopenConvolutionForwardGetSolutionWorkspaceSize(dnn, w.desc, x.desc, plain.desc, y.desc, id, &bytes));
  Buffer<char> work(bytes + 1);
  DNN(miopenConvolutionForwardCompileSolution(dnn, w.desc, x.desc, plain.desc, y.desc, id));
  DNN(miopenConvolutionForwardImmediate(dnn, w.desc, ws.get(), x.desc, xs.get(), plain.desc, y.desc, ys.get(), work.get(),
                                        bytes, id));
  expect("immediate", ys.host(), convolved);
}

/** MIOpen runs only kernels that were looked for. */
void unsought() {
  Tensor x({1, 2, 4, 4}), w({3, 2, 2, 2}), y({1, 3, 3, 3});
  Convolution plain(miopenConvolution, 0, 1);
  Buffer<float> xs(numbers<float>(1, 32)), ws(numbers<float>(2, 24)), ys(27);
  auto forward = [&] {
    return miopenConvolutionForward(dnn, &one, x.desc, xs.get(), w.desc, ws.get(), plain.desc,
                                    miopenConvolutionFwdAlgoDirect, &zero, y.desc, ys.get(), nullptr, 0);
  };
  check.that("unsought", forward() == miopenStatusUnknownError);
  miopenConvAlgoPerf_t found;
  int count = 0;
  DNN(miopenFindConvolutionForwardAlgorithm(dnn, x.desc, xs.get(), w.desc, ws.get(), plain.desc, y.desc, ys.get(), 1, &count,
                                            &found, nullptr, 0, false));
  DNN(forward());
  expect("found", ys.host(), convolved);
  Tensor wrong({1, 3, 4, 3});
  check.that("sizes", miopenFindConvolutionForwardAlgorithm(dnn, x.desc, xs.get(), w.desc, ws.get(), plain.desc, wrong.desc,
                                                            ys.get(), 1, &count, &found, nullptr, 0,
                                                            false) == miopenStatusBadParm);
}

/** The transposed convolution is the adjoint of the plain one: <conv(x), y> = <x, transposed(y)>. */
void transposed() {
  Tensor x({1, 2, 7, 7}), w({3, 2, 3, 3}), y({1, 3, 3, 3});
  Convolution plain(miopenConvolution, 0, 2), turned(miopenTranspose, 0, 2);
  Buffer<float> xs(numbers<float>(1, 98)), ws(numbers<float>(2, 54)), ys(numbers<float>(3, 27));
  Buffer<float> forward(27), back(98), data(98);
  DNN(miopenConvolutionForwardImmediate(dnn, w.desc, ws.get(), x.desc, xs.get(), plain.desc, y.desc, forward.get(), nullptr,
                                        0, 1));
  int n, c, h, wide;
  DNN(miopenGetConvolutionForwardOutputDim(turned.desc, y.desc, w.desc, &n, &c, &h, &wide));
  check.that("transposed sizes", n == 1 && c == 2 && h == 7 && wide == 7);
  DNN(miopenConvolutionForwardImmediate(dnn, w.desc, ws.get(), y.desc, ys.get(), turned.desc, x.desc, back.get(), nullptr, 0,
                                        1));
  DNN(miopenConvolutionBackwardDataImmediate(dnn, y.desc, ys.get(), w.desc, ws.get(), plain.desc, x.desc, data.get(),
                                             nullptr, 0, 1));
  check.same("transposed", back.host(), data.host());
  double one = 0, other = 0;
  vector<float> f = forward.host(), b = back.host();
  for (int i = 0; i < 27; i++) one += f[i] * element(3, i);
  for (int i = 0; i < 98; i++) other += b[i] * element(1, i);
  check.that("adjoint", one == other && one != 0);
}

void volumes() {
  Tensor x({1, 1, 3, 4, 4}), w({1, 1, 2, 2, 2}), y({1, 1, 2, 3, 3});
  miopenConvolutionDescriptor_t conv;
  const int pad[] = {0, 0, 0}, ones[] = {1, 1, 1};
  DNN(miopenCreateConvolutionDescriptor(&conv));
  DNN(miopenInitConvolutionNdDescriptor(conv, 3, pad, ones, ones, miopenConvolution));
  Buffer<float> xs(numbers<float>(1, 48)), ws(numbers<float>(2, 8)), ys(18), dw(8);
  DNN(miopenConvolutionForwardImmediate(dnn, w.desc, ws.get(), x.desc, xs.get(), conv, y.desc, ys.get(), nullptr, 0, 1));
  auto at = [](int d, int h, int v) { return element(1, (d * 4 + h) * 4 + v); };
  expect("volume", ys.host(), [&](int i) {
    double sum = 0;
    for (int t = 0; t < 8; t++) sum += at(i / 9 + t / 4, i / 3 % 3 + t / 2 % 2, i % 3 + t % 2) * element(2, t);
    return sum;
  });
  Buffer<float> dy(numbers<float>(3, 18));
  DNN(miopenConvolutionBackwardWeightsImmediate(dnn, y.desc, dy.get(), x.desc, xs.get(), conv, w.desc, dw.get(), nullptr, 0,
                                                1));
  expect("weights of a volume", dw.host(), [&](int t) {
    double sum = 0;
    for (int i = 0; i < 18; i++) sum += at(i / 9 + t / 4, i / 3 % 3 + t / 2 % 2, i % 3 + t % 2) * element(3, i);
    return sum;
  });
  DNN(miopenDestroyConvolutionDescriptor(conv));
}

void integers() {
  Tensor x({1, 2, 4, 4}, miopenInt8), w({3, 2, 2, 2}, miopenInt8), y({1, 3, 3, 3}, miopenInt32);
  Convolution plain(miopenConvolution, 0, 1);
  Buffer<int8_t> xs(numbers<int8_t>(1, 32)), ws(numbers<int8_t>(2, 24));
  Buffer<int32_t> ys(27);
  DNN(miopenConvolutionForwardImmediate(dnn, w.desc, ws.get(), x.desc, xs.get(), plain.desc, y.desc, ys.get(), nullptr, 0,
                                        1));
  expect("integers", ys.host(), convolved);
}

void fused() {
  Tensor x({1, 2, 4, 4}), w({3, 2, 2, 2}), y({1, 3, 3, 3}), bias({1, 3, 1, 1});
  Convolution plain(miopenConvolution, 0, 1);
  Buffer<float> xs(numbers<float>(1, 32)), ws(numbers<float>(2, 24)), ys(27), zs(numbers<float>(4, 27));
  Buffer<float> biases(vector<float>{1, -2, 3});
  miopenActivationDescriptor_t relu;
  DNN(miopenCreateActivationDescriptor(&relu));
  DNN(miopenSetActivationDescriptor(relu, miopenActivationRELU, 0, 0, 0));
  DNN(miopenConvolutionBiasActivationForward(dnn, &one, x.desc, xs.get(), w.desc, ws.get(), plain.desc,
                                             miopenConvolutionFwdAlgoDirect, nullptr, 0, &one, y.desc, zs.get(), bias.desc,
                                             biases.get(), relu, y.desc, ys.get()));
  const double b[] = {1, -2, 3};
  expect("fused", ys.host(), [&](int i) { return std::fmax(0, convolved(i) + element(4, i) + b[i / 9]); });
  DNN(miopenDestroyActivationDescriptor(relu));
}

/** The derivatives against differences of the values. */
void activations() {
  struct {
    miopenActivationMode_t mode;
    double alpha, beta, gamma;
  } const all[] = {{miopenActivationPASTHRU, 0, 0, 0},   {miopenActivationLOGISTIC, 0, 0, 0},
                   {miopenActivationTANH, 0.5, 2, 0},    {miopenActivationSOFTRELU, 0, 0, 0},
                   {miopenActivationABS, 0, 0, 0},       {miopenActivationPOWER, 5, 0.5, 2},
                   {miopenActivationCLIPPEDRELU, 1.2, 0, 0}, {miopenActivationLEAKYRELU, 0.1, 0, 0},
                   {miopenActivationELU, 0.7, 0, 0}};
  Tensor t({1, 1, 2, 4});
  const float step = 1e-2f;
  const vector<float> at = {-2.5f, -1.25f, -0.5f, -0.25f, 0.25f, 0.5f, 1.0f, 2.0f};
  for (const auto& a : all) {
    miopenActivationDescriptor_t activation;
    DNN(miopenCreateActivationDescriptor(&activation));
    DNN(miopenSetActivationDescriptor(activation, a.mode, a.alpha, a.beta, a.gamma));
    auto values = [&](float distance) {
      vector<float> moved = at;
      for (float& v : moved) v += distance;
      Buffer<float> x(moved), y(8);
      DNN(miopenActivationForward(dnn, activation, &one, t.desc, x.get(), &zero, t.desc, y.get()));
      return y.host();
    };
    vector<float> up = values(step), down = values(-step);
    Buffer<float> x(at), y(values(0)), dy(vector<float>(8, 1)), dx(8);
    DNN(miopenActivationBackward(dnn, activation, &one, t.desc, y.get(), t.desc, dy.get(), t.desc, x.get(), &zero, t.desc,
                                 dx.get()));
    expect("derivative", dx.host(), [&](int i) { return (up[i] - down[i]) / (2 * step); }, 1e-3);
    DNN(miopenDestroyActivationDescriptor(activation));
  }
}

void tensors() {
  Tensor a({2, 3, 2, 2}), b({1, 3, 1, 1}), c({1, 3, 1, 1});
  Buffer<float> as(numbers<float>(1, 24)), bs(vector<float>{1, 2, 3}), to(24);
  float two = 2, three = 3;
  DNN(miopenSetTensor(dnn, a.desc, to.get(), &one));
  DNN(miopenScaleTensor(dnn, a.desc, to.get(), &three));
  DNN(miopenOpTensor(dnn, miopenTensorOpMul, &two, a.desc, as.get(), &one, b.desc, bs.get(), &one, a.desc, to.get()));
  expect("OpTensor", to.host(), [](int i) { return 3 + 2 * element(1, i) * (i / 4 % 3 + 1); });

  // A layout with the channels last; sizes are in the order N, C, H, W.
  miopenTensorDescriptor_t last;
  const int sizes[] = {2, 3, 2, 2};
  int strides[4];
  DNN(miopenCreateTensorDescriptor(&last));
  DNN(miopenSetNdTensorDescriptorWithLayout(last, miopenFloat, miopenTensorNHWC, sizes, 4));
  DNN(miopenGetTensorDescriptor(last, nullptr, nullptr, strides));
  check.that("strides", strides[0] == 12 && strides[1] == 1 && strides[2] == 6 && strides[3] == 3);
  Buffer<float> turned(24);
  DNN(miopenTransformTensor(dnn, &one, a.desc, as.get(), &zero, last, turned.get()));
  expect("channels last", turned.host(), [](int i) { return element(1, i / 12 * 12 + i % 3 * 4 + i / 3 % 4); });
  DNN(miopenDestroyTensorDescriptor(last));

  miopenReduceTensorDescriptor_t reduction;
  DNN(miopenCreateReduceTensorDescriptor(&reduction));
  DNN(miopenSetReduceTensorDescriptor(reduction, MIOPEN_REDUCE_TENSOR_MAX, miopenFloat, MIOPEN_NOT_PROPAGATE_NAN,
                                      MIOPEN_REDUCE_TENSOR_FLATTENED_INDICES, MIOPEN_32BIT_INDICES));
  size_t bytes = 0;
  DNN(miopenGetReductionIndicesSize(dnn, reduction, a.desc, c.desc, &bytes));
  Buffer<uint32_t> indices(bytes / 4);
  Buffer<float> cs(3);
  DNN(miopenReduceTensor(dnn, reduction, indices.get(), bytes, nullptr, 0, &one, a.desc, as.get(), &zero, c.desc, cs.get()));
  vector<float> most = cs.host();
  vector<uint32_t> where = indices.host();
  for (int k = 0; k < 3; k++) {
    double largest = -9;
    for (int i = 0; i < 24; i++) {
      if (i / 4 % 3 == k) largest = std::fmax(largest, element(1, i));
    }
    int i = static_cast<int>(where[k]);
    check.that("maximum", most[k] == largest && element(1, i / 4 * 12 + k * 4 + i % 4) == largest);
  }
  DNN(miopenDestroyReduceTensorDescriptor(reduction));
}

void refusals() {
  Tensor x({1, 2, 4, 4}), parameter({1, 2, 1, 1}), doubles({1, 1, 2, 4}, miopenDouble);
  Buffer<float> data(64);
  float half = 0.5f, nothing = 0;
  check.that("alpha", miopenBatchNormalizationForwardInference(
                          dnn, miopenBNSpatial, &half, &nothing, x.desc, data.get(), x.desc, data.get(), parameter.desc,
                          data.get(), data.get(), data.get(), data.get(), 1e-5) == miopenStatusBadParm);
  check.that("doubles", miopenTransformTensor(dnn, &one, doubles.desc, data.get(), &zero, doubles.desc,
                                              data.get()) == miopenStatusNotImplemented);
  check.that("no descriptor", miopenDestroyTensorDescriptor(nullptr) == miopenStatusBadParm);
  miopenPoolingDescriptor_t pooling;
  DNN(miopenCreatePoolingDescriptor(&pooling));
  DNN(miopenSet2dPoolingDescriptor(pooling, miopenPoolingMax, 2, 2, 0, 0, 2, 2));
  Tensor y({1, 2, 2, 2});
  size_t bytes = 0;
  DNN(miopenPoolingGetWorkSpaceSizeV2(pooling, y.desc, &bytes));
  check.that("indices of 8 bits", bytes == 8);
  check.that("no workspace", miopenPoolingForward(dnn, pooling, &one, x.desc, data.get(), &zero, y.desc, data.get() + 32,
                                                  true, nullptr, 0) == miopenStatusBadParm);
  DNN(miopenDestroyPoolingDescriptor(pooling));
}

int main() {
  DNN(miopenCreate(&dnn));
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  DNN(miopenSetStream(dnn, stream));
  immediate();
  unsought();
  transposed();
  volumes();
  integers();
  fused();
  activations();
  tensors();
  refusals();
  DNN(miopenDestroy(dnn));
  HIP(hipStreamDestroy(stream));
  return check.end();
}
