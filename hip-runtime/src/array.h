// hipArray: linear memory of the device with a shape: rows without gaps, planes one after another. Kernels of GPUs with
// image instructions read it through descriptors (image.h).
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

/** The format of a driver API's description, and back; hipErrorInvalidValue if there is none. */
hipArray_Format formatOf(const hipChannelFormatDesc& desc);
hipChannelFormatDesc channelsOf(hipArray_Format format, unsigned count);

/** Whether it is an array, or a mipmapped one, that the program has. */
bool isArray(const void* array);

/** The levels of a mipmapped array. They follow each other in memory, each at a multiple of 256 bytes. */
hipArray* levelsOf(hipMipmappedArray_const_t array);

}  // namespace rocport
