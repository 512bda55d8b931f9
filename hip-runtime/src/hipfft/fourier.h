// Discrete Fourier transforms of any length, in double precision.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace rocport::fft {

using Complex = std::complex<double>;

class Convolution;

/**
 * out[k] = sum over j of in[j] exp(-2 pi i jk / n), by Cooley and Tukey's splitting of n into its
 * prime factors; a large prime is a convolution, by Bluestein.
 */
class Fourier {
 public:
  explicit Fourier(size_t n);
  ~Fourier();

  size_t size() const { return n_; }

  /** In place, on elements that lie next to each other; the inverse's sum is not divided by n. */
  void transform(Complex* data, bool inverse) const;

 private:
  void split(const Complex* in, size_t stride, Complex* out, size_t n, size_t level) const;

  size_t n_;
  std::vector<Complex> roots_;  // exp(-2 pi i k / n)
  std::vector<size_t> factors_;
  std::vector<std::unique_ptr<Convolution>> convolutions_;  // of the factors; nullptr: a plain sum
};

}  // namespace rocport::fft
