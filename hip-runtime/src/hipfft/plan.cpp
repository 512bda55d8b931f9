#include "plan.h"

#include <hip/hip_fp16.h>

#include <functional>
#include <numeric>

namespace rocport::fft {
namespace {

size_t product(const Sizes& shape) {
  return static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), 1LL, std::multiplies<>()));
}

/** The element offsets of a shape's elements, in order. */
template <class Visit>
void each(const Sizes& shape, const Sizes& strides, const Visit& visit) {
  std::vector<long long> at(shape.size());
  size_t count = product(shape);
  for (size_t i = 0; i < count; i++) {
    long long offset = 0;
    for (size_t d = 0; d < shape.size(); d++) offset += at[d] * strides[d];
    visit(i, offset);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
}

template <class T>
double widened(T value) {
  return static_cast<double>(static_cast<float>(value));
}
template <>
double widened(double value) {
  return value;
}
template <class T>
T narrowed(double value) {
  return T(static_cast<float>(value));
}
template <>
double narrowed(double value) {
  return value;
}

template <class T>
void load(const void* from, bool real, const Sizes& shape, const Layout& layout, long long batch,
          Complex* to) {
  auto* data = static_cast<const T*>(from);
  each(shape, layout.strides, [&](size_t i, long long offset) {
    offset += batch * layout.distance;
    to[i] = real ? Complex(widened(data[offset]), 0)
                 : Complex(widened(data[2 * offset]), widened(data[2 * offset + 1]));
  });
}

template <class T>
void store(const Complex* from, bool real, const Sizes& shape, const Layout& layout,
           long long batch, double scale, void* to) {
  auto* data = static_cast<T*>(to);
  each(shape, layout.strides, [&](size_t i, long long offset) {
    offset += batch * layout.distance;
    if (real) {
      data[offset] = narrowed<T>(from[i].real() * scale);
    } else {
      data[2 * offset] = narrowed<T>(from[i].real() * scale);
      data[2 * offset + 1] = narrowed<T>(from[i].imag() * scale);
    }
  });
}

/** Calls with a value of the type of which the numbers are. */
template <class Call>
void ofType(hipDataType type, const Call& call) {
  switch (type) {
    case HIP_R_64F:
    case HIP_C_64F:
      return call(double());
    case HIP_R_16F:
    case HIP_C_16F:
      return call(__half());
    default:
      return call(float());
  }
}

}  // namespace

Transform::Transform(Sizes n, Side in, Side out, long long batch, double scale)
    : n_(std::move(n)), in_(std::move(in)), out_(std::move(out)), batch_(batch), scale_(scale) {
  for (size_t d = 0; d < n_.size(); d++) {
    auto size = static_cast<size_t>(n_[d]);
    std::shared_ptr<const Fourier> same;
    for (const auto& other : fourier_) {
      if (other->size() == size) same = other;
    }
    fourier_.push_back(same ? same : std::make_shared<const Fourier>(size));
  }
}

size_t Transform::workSize() const {
  bool wide = in_.type == HIP_C_64F || out_.type == HIP_C_64F;
  return product(n_) * static_cast<size_t>(batch_) * (wide ? 16 : 8);
}

Sizes Transform::halved() const {
  Sizes shape = n_;
  shape.back() = shape.back() / 2 + 1;
  return shape;
}

Layout Transform::layout(const Side& side, bool inPlace) const {
  if (side.given) return side.layout;
  Sizes rows = n_;
  bool half = in_.real() || out_.real();
  if (half && !side.real()) rows = halved();
  if (half && side.real() && inPlace) rows.back() = 2 * (rows.back() / 2 + 1);
  Layout made;
  made.strides.resize(rows.size());
  made.distance = 1;
  for (size_t d = rows.size(); d-- > 0;) {
    made.strides[d] = made.distance;
    made.distance *= rows[d];
  }
  return made;
}

void Transform::run(const void* in, void* out, bool inverse) const {
  bool inPlace = in == out;
  Layout from = layout(in_, inPlace);
  Layout to = layout(out_, inPlace);
  bool toReal = out_.real();
  bool fromReal = in_.real();
  Sizes inShape = toReal ? halved() : n_;
  Sizes outShape = fromReal ? halved() : n_;
  size_t elements = product(n_);
  // An in-place result may overlap the input of the next batch, so all inputs are read first.
  auto count = static_cast<size_t>(batch_);
  size_t held = inPlace ? count : 1;
  std::vector<Complex> data(elements * held);
  auto read = [&](size_t b) {
    ofType(in_.type, [&](auto type) {
      load<decltype(type)>(in, fromReal, inShape, from, static_cast<long long>(b),
                           &data[b % held * elements]);
    });
  };
  if (inPlace) {
    for (size_t b = 0; b < count; b++) read(b);
  }
  for (size_t b = 0; b < count; b++) {
    if (!inPlace) read(b);
    Complex* one = &data[b % held * elements];
    if (fromReal) {
      realToComplex(one);
    } else if (toReal) {
      complexToReal(one);
    } else {
      complexToComplex(one, inverse);
    }
    ofType(out_.type, [&](auto type) {
      store<decltype(type)>(one, toReal, outShape, to, static_cast<long long>(b), scale_, out);
    });
  }
}

void Transform::along(size_t dimension, Complex* data, const Sizes& shape, bool inverse) const {
  const Fourier& fourier = *fourier_[dimension];
  size_t n = fourier.size();
  if (n == 1) return;
  size_t inner = 1;
  for (size_t d = dimension + 1; d < shape.size(); d++) inner *= static_cast<size_t>(shape[d]);
  size_t outer = product(shape) / (n * inner);
  std::vector<Complex> line(n);
  for (size_t o = 0; o < outer; o++) {
    for (size_t i = 0; i < inner; i++) {
      Complex* first = data + o * n * inner + i;
      for (size_t k = 0; k < n; k++) line[k] = first[k * inner];
      fourier.transform(line.data(), inverse);
      for (size_t k = 0; k < n; k++) first[k * inner] = line[k];
    }
  }
}

void Transform::complexToComplex(Complex* data, bool inverse) const {
  for (size_t d = n_.size(); d-- > 0;) along(d, data, n_, inverse);
}

void Transform::realToComplex(Complex* data) const {
  complexToComplex(data, false);
  auto row = static_cast<size_t>(n_.back());
  size_t half = row / 2 + 1;
  size_t rows = product(n_) / row;
  for (size_t r = 1; r < rows; r++) {
    for (size_t k = 0; k < half; k++) data[r * half + k] = data[r * row + k];
  }
}

// The rows are completed after the other dimensions. So data that are not the transform of real data give the same
// result as in libraries for such halves, which ignore the missing half and the imaginary parts of its axis.
void Transform::complexToReal(Complex* data) const {
  Sizes shape = halved();
  for (size_t d = 0; d + 1 < n_.size(); d++) along(d, data, shape, true);
  auto row = static_cast<size_t>(n_.back());
  size_t half = row / 2 + 1;
  size_t rows = product(n_) / row;
  for (size_t r = rows; r-- > 0;) {
    Complex* to = data + r * row;
    for (size_t k = half; k-- > 0;) to[k] = data[r * half + k];
    to[0] = to[0].real();
    if (row % 2 == 0) to[row / 2] = to[row / 2].real();
    for (size_t k = half; k < row; k++) to[k] = std::conj(to[row - k]);
  }
  along(n_.size() - 1, data, n_, true);
}

}  // namespace rocport::fft
