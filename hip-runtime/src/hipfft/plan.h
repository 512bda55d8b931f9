// The transform of a hipFFT plan and its data layout.
#pragma once

#include <hip/library_types.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "fourier.h"

namespace rocport::fft {

using Sizes = std::vector<long long>;

/** The layout of the elements of one side, in elements. */
struct Layout {
  Sizes strides;  // a dimension, the slowest first
  long long distance = 0;  // from one transform of a batch to the next
};

/** One side of a transform. */
struct Side {
  hipDataType type = HIP_C_32F;
  bool given = false;  // an advanced layout; otherwise elements are contiguous
  Layout layout;       // where given

  bool real() const { return type == HIP_R_16F || type == HIP_R_32F || type == HIP_R_64F; }
};

/** Batches of one to three dimensions. Immutable: commands in streams hold it. */
class Transform {
 public:
  Transform(Sizes n, Side in, Side out, long long batch, double scale);

  const Side& input() const { return in_; }
  const Side& output() const { return out_; }
  size_t workSize() const;

  /** Real data in place have room for the complex ones: rows of 2 (n / 2 + 1). */
  void run(const void* in, void* out, bool inverse) const;

 private:
  void complexToComplex(Complex* data, bool inverse) const;
  void realToComplex(Complex* data) const;
  void complexToReal(Complex* data) const;
  void along(size_t dimension, Complex* data, const Sizes& shape, bool inverse) const;
  Sizes halved() const;
  Layout layout(const Side& side, bool inPlace) const;

  Sizes n_;
  Side in_;
  Side out_;
  long long batch_;
  double scale_;
  std::vector<std::shared_ptr<const Fourier>> fourier_;  // a dimension
};

}  // namespace rocport::fft
