// Where a generator's numbers come from.
#pragma once

#include <hip/hip_fp16.h>

#include <cstdint>
#include <memory>
#include <variant>

#include "poisson.h"

namespace rocport::rand {

template <class T>
struct Bits {
  T* out;
};

template <class T>
struct Uniform {
  T* out;
};

/** exp of it where log is set. */
template <class T>
struct Normal {
  T* out;
  double mean;
  double deviation;
  bool log;
};

struct Counts {
  uint32_t* out;
  std::shared_ptr<const Poisson> distribution;
};

using Request =
    std::variant<Bits<uint8_t>, Bits<uint16_t>, Bits<uint32_t>, Bits<uint64_t>, Uniform<float>,
                 Uniform<double>, Uniform<__half>, Normal<float>, Normal<double>, Normal<__half>,
                 Counts>;

/** Numbers of a sequence that continues from request to request. */
class Source {
 public:
  virtual ~Source() = default;
  virtual void fill(const Request& request, size_t n) = 0;
};

enum class Engine { XORWOW, MRG32K3A, MTGP32, MT19937, PHILOX };

std::shared_ptr<Source> pseudo(Engine engine, uint64_t seed, uint64_t offset);

/** bits: 32 or 64. A request's first n / dimensions numbers are of the first dimension. */
std::shared_ptr<Source> quasi(unsigned bits, unsigned dimensions, uint64_t offset);

}  // namespace rocport::rand
