// The elements of buffers, and operations on them.
#pragma once

#include <rccl/rccl.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace rocport::ccl {

/** The bytes of an element; 0 if there is no such type. */
size_t sizeOf(int type);

/** What programs call the type. */
std::string nameOf(int type);

/** A reduction: one of NCCL's, or a sum of what each rank multiplies by a number of its own. */
struct Reduction {
  static constexpr int SCALED_SUM = 1000;

  int operation = ncclSum;
  uint64_t scalar = 0;  // of a scaled sum: an element, in the lowest bytes

  const char* name() const;
};

/** Whether elements of a type can be reduced: 8-bit floating-point ones only travel. */
bool reducible(int type);

/** An input of a reduction: a rank's elements, and its number where the sum is scaled. */
struct Input {
  const void* elements;
  uint64_t scalar;
};

/**
 * Reduces elements of all ranks, in the order of the ranks; the output may be one of the inputs.
 * Floating-point results are computed in double precision and rounded once, integers wrap.
 */
void reduce(int type, int operation, const Input* inputs, int ranks, void* out, size_t count);

}  // namespace rocport::ccl
