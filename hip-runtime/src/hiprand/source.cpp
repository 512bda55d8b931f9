#include "source.h"

#include <cstdio>  // rocRAND 4 prints without including it

#include <rocrand/rocrand.h>
#include <rocrand/rocrand_kernel.h>
#include <rocrand/rocrand_mtgp32_11213.h>

#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

#include "sobol.h"

namespace rocport::rand {
namespace {

namespace device = rocrand_device::detail;

// The engines and distributions are those of rocRAND's device functions, so that the host's
// generators give what kernels compute.
struct Xorwow : rocrand_state_xorwow {
  using rocrand_state_xorwow::rocrand_state_xorwow;
  static constexpr size_t ENGINES = 131072;
  static constexpr size_t RUN = 1;
  uint32_t bits() { return next(); }
};

struct Philox : rocrand_state_philox4x32_10 {
  using rocrand_state_philox4x32_10::rocrand_state_philox4x32_10;
  static constexpr size_t ENGINES = 1;
  static constexpr size_t RUN = 1;
  uint32_t bits() { return next(); }
};

struct Mrg : rocrand_state_mrg32k3a {
  using rocrand_state_mrg32k3a::rocrand_state_mrg32k3a;
  static constexpr size_t ENGINES = 131072;
  static constexpr size_t RUN = 1;
  uint32_t bits() { return rocrand(this); }
};

/** Matsumoto and Nishimura's, as init_genrand seeds it. */
struct Twister : std::mt19937 {
  Twister(uint64_t seed, uint64_t, uint64_t)
      : std::mt19937(static_cast<uint32_t>(seed ^ (seed >> 32))) {}
  static constexpr size_t ENGINES = 1;
  static constexpr size_t RUN = 1;
  uint32_t bits() { return static_cast<uint32_t>((*this)()); }
};

/** Saito's Mersenne twister of 11213 bits: each engine has parameters of its own. */
class Mtgp {
 public:
  static constexpr size_t ENGINES = 512;
  static constexpr size_t RUN = 256;

  Mtgp(uint64_t seed, uint64_t engine, uint64_t) : parameters_(&mtgp32dc_params_fast_11213[engine]) {
    auto low = static_cast<uint32_t>(seed ^ (seed >> 32));
    rocrand_device::rocrand_mtgp32_init_state(state_, parameters_,
                                              low + static_cast<uint32_t>(engine) + 1);
  }

  uint32_t bits() {
    auto at = [this](size_t i) -> uint32_t& { return state_[(first_ + i) % MTGP_N]; };
    auto pos = static_cast<size_t>(parameters_->pos);
    uint32_t x = (at(0) & mtgp32dc_params_fast_11213[0].mask) ^ at(1);
    x ^= x << parameters_->sh1;
    uint32_t y = x ^ (at(pos) >> parameters_->sh2);
    uint32_t made = y ^ parameters_->tbl[y & 15];
    uint32_t t = at(pos - 1);
    t ^= t >> 16;
    t ^= t >> 8;
    at(0) = made;
    first_ = (first_ + 1) % MTGP_N;
    return made ^ parameters_->tmp_tbl[t & 15];
  }

 private:
  const mtgp32_params_fast_t* parameters_;
  uint32_t state_[MTGP_N] = {};
  size_t first_ = 0;
};

template <class E>
float uniform(E& e) {
  return device::uniform_distribution(e.bits());
}
float uniform(Mrg& e) { return rocrand_uniform(&e); }

template <class E>
double uniformDouble(E& e) {
  uint32_t low = e.bits();
  return device::uniform_distribution_double(low, e.bits());
}
double uniformDouble(Mrg& e) { return rocrand_uniform_double(&e); }

template <class E>
float2 normals(E& e) {
  uint32_t x = e.bits();
  return device::box_muller(x, e.bits());
}
float2 normals(Mrg& e) { return rocrand_normal2(&e); }

template <class E>
double2 normalsDouble(E& e) {
  uint4 v;
  v.x = e.bits();
  v.y = e.bits();
  v.z = e.bits();
  v.w = e.bits();
  return device::box_muller_double(v);
}
double2 normalsDouble(Mrg& e) { return rocrand_normal_double2(&e); }

template <class T>
T scaled(const Normal<T>& request, double normal) {
  double value = request.mean + normal * request.deviation;
  if (request.log) value = std::exp(value);
  if constexpr (std::is_same_v<T, __half>) {
    return __half(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

/**
 * Many engines of one kind, subsequences of one sequence, that take turns: engine i makes draws i,
 * i + ENGINES, ... Each engine is created at its first turn.
 */
template <class E>
class Bank : public Source {
 public:
  Bank(uint64_t seed, uint64_t offset) : seed_(seed), rounds_(offset / E::ENGINES) {
    late_ = static_cast<size_t>(offset % E::ENGINES);
    turn_ = late_ * E::RUN;
  }

  void fill(const Request& request, size_t n) override {
    std::visit([&](const auto& asked) { draw(asked, n); }, request);
  }

 private:
  E& next() {
    size_t wanted = turn_ / E::RUN;
    while (engines_.size() <= wanted) add();
    turn_ = (turn_ + 1) % (E::ENGINES * E::RUN);
    return engines_[wanted];
  }

  // Engines before the current one have drawn once more. Advancing by one subsequence is faster than a jump to each.
  void add() {
    size_t i = engines_.size();
    if constexpr (std::is_base_of_v<rocrand_state_xorwow, E> ||
                  std::is_base_of_v<rocrand_state_mrg32k3a, E>) {
      if (i == 0) newest_ = std::make_unique<E>(seed_, 0, rounds_);
      engines_.push_back(*newest_);
      newest_->discard_subsequence(1);
      if (i < late_) engines_.back().bits();
    } else {
      engines_.emplace_back(seed_, i, rounds_);
    }
  }

  /** W numbers a draw. */
  template <int W, class T, class Draw>
  void each(T* out, size_t n, Draw draw) {
    for (size_t i = 0; i < n; i += W) {
      T drawn[W];
      draw(next(), drawn);
      for (size_t k = 0; k < W && i + k < n; k++) out[i + k] = drawn[k];
    }
  }

  template <class T>
  void draw(const Bits<T>& asked, size_t n) {
    if constexpr (sizeof(T) == 8) {
      each<1>(asked.out, n, [](E& e, T* to) {
        uint64_t low = e.bits();
        *to = low | static_cast<uint64_t>(e.bits()) << 32;
      });
    } else {
      constexpr int W = 4 / sizeof(T);
      each<W>(asked.out, n, [](E& e, T* to) {
        uint32_t bits = e.bits();
        for (int k = 0; k < W; k++) to[k] = static_cast<T>(bits >> (k * 8 * sizeof(T)));
      });
    }
  }

  void draw(const Uniform<float>& asked, size_t n) {
    each<1>(asked.out, n, [](E& e, float* to) { *to = uniform(e); });
  }

  void draw(const Uniform<double>& asked, size_t n) {
    each<1>(asked.out, n, [](E& e, double* to) { *to = uniformDouble(e); });
  }

  void draw(const Uniform<__half>& asked, size_t n) {
    each<2>(asked.out, n, [](E& e, __half* to) {
      uint32_t bits = e.bits();
      to[0] = device::uniform_distribution_half(static_cast<unsigned short>(bits));
      to[1] = device::uniform_distribution_half(static_cast<unsigned short>(bits >> 16));
    });
  }

  void draw(const Normal<float>& asked, size_t n) {
    each<2>(asked.out, n, [&](E& e, float* to) {
      float2 pair = normals(e);
      to[0] = scaled(asked, pair.x);
      to[1] = scaled(asked, pair.y);
    });
  }

  void draw(const Normal<double>& asked, size_t n) {
    each<2>(asked.out, n, [&](E& e, double* to) {
      double2 pair = normalsDouble(e);
      to[0] = scaled(asked, pair.x);
      to[1] = scaled(asked, pair.y);
    });
  }

  void draw(const Normal<__half>& asked, size_t n) {
    each<2>(asked.out, n, [&](E& e, __half* to) {
      float2 pair = normals(e);
      to[0] = scaled(asked, pair.x);
      to[1] = scaled(asked, pair.y);
    });
  }

  void draw(const Counts& asked, size_t n) {
    each<1>(asked.out, n, [&](E& e, uint32_t* to) {
      *to = asked.distribution->quantile(uniformDouble(e));
    });
  }

  uint64_t seed_;
  uint64_t rounds_;
  size_t late_;
  size_t turn_;
  std::vector<E> engines_;
  std::unique_ptr<E> newest_;  // of the next engine
};

template <class Word>
class Quasi : public Source {
 public:
  Quasi(unsigned dimensions, uint64_t offset) {
    for (unsigned d = 0; d < dimensions; d++) sequences_.emplace_back(d, offset);
  }

  void fill(const Request& request, size_t n) override {
    std::visit([&](const auto& asked) { draw(asked, n); }, request);
  }

 private:
  template <class T, class Draw>
  void each(T* out, size_t n, Draw draw) {
    size_t points = n / sequences_.size();
    for (auto& sequence : sequences_) {
      for (size_t i = 0; i < points; i++) *out++ = draw(sequence.next());
    }
  }

  template <class T>
  void draw(const Bits<T>& asked, size_t n) {
    each(asked.out, n, [](Word w) {
      constexpr unsigned DROPPED = sizeof(Word) > sizeof(T) ? 8 * (sizeof(Word) - sizeof(T)) : 0;
      return static_cast<T>(w >> DROPPED);
    });
  }

  template <class T>
  void draw(const Uniform<T>& asked, size_t n) {
    each(asked.out, n, [](Word w) { return T(of<T>(w)); });
  }

  template <class T>
  void draw(const Normal<T>& asked, size_t n) {
    each(asked.out, n, [&](Word w) {
      if constexpr (std::is_same_v<T, double>) {
        return scaled(asked, device::normal_distribution_double(native(w)));
      } else {
        return scaled(asked, device::normal_distribution(native(w)));
      }
    });
  }

  void draw(const Counts& asked, size_t n) {
    each(asked.out, n, [&](Word w) { return asked.distribution->quantile(of<double>(w)); });
  }

  static auto native(Word w) {
    if constexpr (sizeof(Word) == 4) {
      return static_cast<unsigned>(w);
    } else {
      return static_cast<unsigned long long>(w);
    }
  }

  template <class T>
  static T of(Word w) {
    if constexpr (std::is_same_v<T, double>) {
      return device::uniform_distribution_double(native(w));
    } else if constexpr (std::is_same_v<T, float>) {
      return device::uniform_distribution(native(w));
    } else {
      constexpr unsigned SHORT = 8 * sizeof(Word) - 16;
      return device::uniform_distribution_half(static_cast<unsigned short>(w >> SHORT));
    }
  }

  std::vector<Sobol<Word>> sequences_;
};

}  // namespace

std::shared_ptr<Source> pseudo(Engine engine, uint64_t seed, uint64_t offset) {
  switch (engine) {
    case Engine::XORWOW:
      return std::make_shared<Bank<Xorwow>>(seed, offset);
    case Engine::MRG32K3A:
      return std::make_shared<Bank<Mrg>>(seed, offset);
    case Engine::MTGP32:
      return std::make_shared<Bank<Mtgp>>(seed, offset);
    case Engine::MT19937:
      return std::make_shared<Bank<Twister>>(seed, offset);
    case Engine::PHILOX:
      return std::make_shared<Bank<Philox>>(seed, offset);
  }
  return nullptr;
}

std::shared_ptr<Source> quasi(unsigned bits, unsigned dimensions, uint64_t offset) {
  if (bits == 64) return std::make_shared<Quasi<uint64_t>>(dimensions, offset);
  return std::make_shared<Quasi<uint32_t>>(dimensions, offset);
}

}  // namespace rocport::rand
