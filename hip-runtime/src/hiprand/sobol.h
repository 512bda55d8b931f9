// Sobol sequences in Gray code order.
#pragma once

#include <cstdint>
#include <vector>

namespace rocport::rand {

/** Dimensions whose direction numbers are here. */
constexpr unsigned SOBOL_DIMENSIONS = 512;

/** A dimension's direction numbers, 32 or 64 of as many bits. */
template <class Word>
std::vector<Word> directions(unsigned dimension);

/** One dimension. */
template <class Word>
class Sobol {
 public:
  Sobol(unsigned dimension, uint64_t offset) : vectors_(directions<Word>(dimension)) {
    skip(offset);
  }

  Word next() {
    Word value = value_;
    uint64_t changed = ~index_ & (index_ + 1);  // the lowest 0 of the index
    unsigned bit = changed == 0 ? BITS - 1 : static_cast<unsigned>(__builtin_ctzll(changed));
    value_ ^= vectors_[bit < BITS ? bit : BITS - 1];
    index_++;
    return value;
  }

  void skip(uint64_t count) {
    index_ += count;
    value_ = 0;
    uint64_t gray = index_ ^ (index_ >> 1);
    for (unsigned i = 0; i < BITS; i++) {
      if (gray >> i & 1) value_ ^= vectors_[i];
    }
  }

 private:
  static constexpr unsigned BITS = 8 * sizeof(Word);

  std::vector<Word> vectors_;
  uint64_t index_ = 0;
  Word value_ = 0;
};

}  // namespace rocport::rand
