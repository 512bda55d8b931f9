#include "fourier.h"

#include <algorithm>
#include <cmath>

namespace rocport::fft {
namespace {

constexpr size_t LARGEST_PLAIN_SUM = 50;

/** exp(-2 pi i k / n); k is reduced to an eighth of the circle, where sin and cos lose nothing. */
Complex root(size_t k, size_t n) {
  k %= n;
  size_t eighth = 8 * k / n;
  double turn = 2 * M_PI / static_cast<double>(n);
  double half = static_cast<double>(n);
  auto angle = [&](double from) { return turn * (static_cast<double>(k) - from); };
  switch (eighth) {
    case 0:
      return {std::cos(angle(0)), -std::sin(angle(0))};
    case 1:
    case 2:
      return {-std::sin(angle(half / 4)), -std::cos(angle(half / 4))};
    case 3:
    case 4:
      return {-std::cos(angle(half / 2)), std::sin(angle(half / 2))};
    case 5:
    case 6:
      return {std::sin(angle(3 * half / 4)), std::cos(angle(3 * half / 4))};
    default:
      return {std::cos(angle(half)), -std::sin(angle(half))};
  }
}

// The operator of std::complex checks for infinities and NaNs, which takes most of the time.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

/** Bluestein: jk = (j^2 + k^2 - (k - j)^2) / 2 makes the sum a convolution of a power of two. */
class Convolution {
 public:
  explicit Convolution(size_t n) : n_(n), inner_(padded(n)), chirp_(n), filter_(inner_.size()) {
    for (size_t j = 0; j < n; j++) {
      chirp_[j] = root(j * j % (2 * n), 2 * n);
      filter_[j] = std::conj(chirp_[j]);
      if (j > 0) filter_[filter_.size() - j] = filter_[j];
    }
    inner_.transform(filter_.data(), false);
  }

  void transform(Complex* data) const {
    std::vector<Complex> work(inner_.size());
    for (size_t j = 0; j < n_; j++) work[j] = times(data[j], chirp_[j]);
    inner_.transform(work.data(), false);
    for (size_t j = 0; j < work.size(); j++) work[j] = times(work[j], filter_[j]);
    inner_.transform(work.data(), true);
    double scale = 1.0 / static_cast<double>(work.size());
    for (size_t k = 0; k < n_; k++) data[k] = times(work[k], chirp_[k]) * scale;
  }

 private:
  static size_t padded(size_t n) {
    size_t size = 1;
    while (size < 2 * n - 1) size *= 2;
    return size;
  }

  size_t n_;
  Fourier inner_;
  std::vector<Complex> chirp_;
  std::vector<Complex> filter_;
};

Fourier::Fourier(size_t n) : n_(n), roots_(n) {
  for (size_t k = 0; k < n; k++) roots_[k] = root(k, n);
  size_t rest = n;
  for (size_t p = 2; rest > 1; p++) {
    if (p * p > rest) p = rest;
    for (; rest % p == 0; rest /= p) factors_.push_back(p);
  }
  for (size_t p : factors_) {
    convolutions_.push_back(p > LARGEST_PLAIN_SUM ? std::make_unique<Convolution>(p) : nullptr);
  }
}

Fourier::~Fourier() = default;

void Fourier::transform(Complex* data, bool inverse) const {
  std::vector<Complex> in(data, data + n_);
  if (inverse) {
    for (Complex& c : in) c = std::conj(c);
  }
  split(in.data(), 1, data, n_, 0);
  if (inverse) {
    for (size_t k = 0; k < n_; k++) data[k] = std::conj(data[k]);
  }
}

void Fourier::split(const Complex* in, size_t stride, Complex* out, size_t n, size_t level) const {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  size_t p = factors_[level];
  size_t m = n / p;
  for (size_t q = 0; q < p; q++) split(in + q * stride, stride * p, out + q * m, m, level + 1);
  size_t step = n_ / n;
  if (p == 2) {
    for (size_t k = 0; k < m; k++) {
      Complex a = out[k];
      Complex b = times(out[m + k], roots_[k * step]);
      out[k] = a + b;
      out[m + k] = a - b;
    }
    return;
  }
  std::vector<Complex> part(p);
  for (size_t k = 0; k < m; k++) {
    for (size_t q = 0; q < p; q++) part[q] = times(out[q * m + k], roots_[q * k * step]);
    if (convolutions_[level]) {
      convolutions_[level]->transform(part.data());
      for (size_t r = 0; r < p; r++) out[r * m + k] = part[r];
      continue;
    }
    size_t turn = n_ / p;
    for (size_t r = 0; r < p; r++) {
      Complex sum = part[0];
      for (size_t q = 1; q < p; q++) sum += times(part[q], roots_[q * r % p * turn]);
      out[r * m + k] = sum;
    }
  }
}

}  // namespace rocport::fft
