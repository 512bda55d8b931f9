// hipArray: linear memory of the device with a shape. Images are not read through it by kernels
// (these GPUs have no usable image instructions), only copied.
#pragma once

#include "operation.h"

/** Opaque in HIP's headers. */
struct hipArray {
  char* data;
  size_t elementSize;
  size_t width;  // elements
  size_t height;
  size_t depth;
  bool owned;  // false for a level of a mipmapped array
  hipChannelFormatDesc channels;
  hipArray_Format format;
  unsigned channelCount;
  unsigned flags;

  size_t rows() const { return height ? height : 1; }
  size_t planes() const { return depth ? depth : 1; }
  size_t rowBytes() const { return width * elementSize; }
  size_t bytes() const { return rowBytes() * rows() * planes(); }
};

namespace rocport {

/** The position of the element (x bytes, y, z) of an array, with its pitches. */
Plane planeOf(hipArray_const_t array, size_t xBytes, size_t y, size_t z);

}  // namespace rocport
