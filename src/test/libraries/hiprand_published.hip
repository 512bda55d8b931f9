// hipRAND against the published algorithms, bit for bit: Philox4x32-10 (Salmon, Moraes, Dror, Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", 2011) and xorwow (Marsaglia, "Xorshift RNGs", 2003),
// both written down here once more, plainly. What the papers leave open is rocRAND's: how a seed
// becomes a state, where subsequences begin, and how a generator deals out its engines' numbers.
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>

#include <array>
#include <cstdint>

#include "../kernels/check.h"

#define RAND(call)                                                                              \
  do {                                                                                          \
    hiprandStatus_t rand_status = (call);                                                       \
    if (rand_status != HIPRAND_STATUS_SUCCESS) {                                                \
      printf("FAIL %s:%d hipRAND %d\n", __FILE_NAME__, __LINE__, static_cast<int>(rand_status)); \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)

Check check;

using Words = std::array<uint32_t, 4>;

/** Ten rounds of multiplications whose high and low halves change places; the key grows in between. */
Words philox(Words c, uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; round++) {
    uint64_t a = uint64_t(0xD2511F53) * c[0];
    uint64_t b = uint64_t(0xCD9E8D57) * c[2];
    c = {uint32_t(b >> 32) ^ c[1] ^ k0, uint32_t(b), uint32_t(a >> 32) ^ c[3] ^ k1, uint32_t(a)};
    k0 += 0x9E3779B9;  // the golden ratio
    k1 += 0xBB67AE85;  // the root of 3, less 1
  }
  return c;
}

/** The key is the seed; the counter counts fours of numbers below, subsequences above. */
uint32_t philoxNumber(uint64_t seed, uint64_t subsequence, uint64_t number) {
  uint64_t block = number / 4;
  return philox({uint32_t(block), uint32_t(block >> 32), uint32_t(subsequence), uint32_t(subsequence >> 32)},
                uint32_t(seed), uint32_t(seed >> 32))[number % 4];
}

struct Xorwow {
  std::array<uint32_t, 5> x = {123456789, 362436069, 521288629, 88675123, 5783321};
  uint32_t d = 6615241;

  /** Marsaglia's start, changed by rocRAND's mixture of the seed. */
  explicit Xorwow(uint64_t seed) {
    uint32_t t0 = 1228688033u * (uint32_t(seed) ^ 0x2c7f967fu);
    uint32_t t1 = 2073658381u * (uint32_t(seed >> 32) ^ 0xa03697cbu);
    x[0] += t0;
    x[1] ^= t0;
    x[2] += t1;
    x[3] ^= t1;
    x[4] += t0;
    d += t0 + t1;
  }

  static std::array<uint32_t, 5> stepped(const std::array<uint32_t, 5>& x) {
    uint32_t t = x[0] ^ (x[0] >> 2);
    return {x[1], x[2], x[3], x[4], (x[4] ^ (x[4] << 4)) ^ (t ^ (t << 1))};
  }

  uint32_t next() {
    x = stepped(x);
    return x[4] + (d += 362437);
  }
};

/** A linear map of the 160 bits: what each of them becomes. */
using Bits160 = std::array<uint32_t, 5>;
using Map = std::vector<Bits160>;

Bits160 mapped(const Map& map, const Bits160& x) {
  Bits160 out = {};
  for (size_t bit = 0; bit < 160; bit++) {
    if (!(x[bit / 32] >> bit % 32 & 1)) continue;
    for (size_t w = 0; w < 5; w++) out[w] ^= map[bit][w];
  }
  return out;
}

/** 2^67 steps of xorwow: the step as a map, squared 67 times. Its counter comes back to itself. */
const Map& subsequence() {
  static const Map jump = [] {
    Map map(160);
    for (size_t bit = 0; bit < 160; bit++) {
      Bits160 one = {};
      one[bit / 32] = 1u << bit % 32;
      map[bit] = Xorwow::stepped(one);
    }
    for (int i = 0; i < 67; i++) {
      Map twice(160);
      for (size_t bit = 0; bit < 160; bit++) twice[bit] = mapped(map, map[bit]);
      map = twice;
    }
    return map;
  }();
  return jump;
}

Xorwow xorwow(uint64_t seed, uint64_t subsequences, uint64_t offset) {
  Xorwow engine(seed);
  for (uint64_t i = 0; i < subsequences; i++) engine.x = mapped(subsequence(), engine.x);
  for (uint64_t i = 0; i < offset; i++) engine.next();
  return engine;
}

template <class State>
__global__ void draw(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, unsigned* out,
                     int n) {
  if (threadIdx.x > 0) return;
  State state;
  hiprand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < n; i++) out[i] = hiprand(&state);
}

__global__ void fours(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, uint4* out,
                      int n) {
  if (threadIdx.x > 0) return;
  hiprandStatePhilox4_32_10_t state;
  hiprand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < n; i++) out[i] = hiprand4(&state);
}

template <class State>
std::vector<unsigned> drawn(uint64_t seed, uint64_t subsequence, uint64_t offset, int n) {
  Buffer<unsigned> out(n);
  draw<State><<<1, 64>>>(seed, subsequence, offset, out.get(), n);
  return out.host();
}

std::vector<unsigned> generated(hiprandRngType_t type, uint64_t seed, uint64_t offset, size_t n) {
  hiprandGenerator_t generator;
  RAND(hiprandCreateGenerator(&generator, type));
  RAND(hiprandSetPseudoRandomGeneratorSeed(generator, seed));
  RAND(hiprandSetGeneratorOffset(generator, offset));
  Buffer<unsigned> out(n);
  // In two pieces, of which the first is odd.
  RAND(hiprandGenerate(generator, out.get(), 5));
  RAND(hiprandGenerate(generator, out.get() + 5, n - 5));
  RAND(hiprandDestroyGenerator(generator));
  return out.host();
}

int main() {
  constexpr uint32_t ONES = 0xffffffff;
  // Random123's known answers, for what is written here.
  check.that("zeros", philox({0, 0, 0, 0}, 0, 0) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  check.that("ones", philox({ONES, ONES, ONES, ONES}, ONES, ONES) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  check.that("digits of pi", philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0) ==
                                 Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

  constexpr uint64_t SEEDS[] = {0, 1, 42, 0x299f31d0a4093822, ~0ull};
  constexpr int N = 23;
  for (uint64_t seed : SEEDS) {
    for (uint64_t subsequence : {uint64_t(0), uint64_t(1), uint64_t(131071), uint64_t(0x0370734413198a2e), ~uint64_t(0)}) {
      for (uint64_t offset : {uint64_t(0), uint64_t(3), uint64_t(4), uint64_t(1) << 34, (uint64_t(1) << 34) - 2, uint64_t(0x3fffffffffffff01)}) {
        std::vector<unsigned> want(N);
        for (int i = 0; i < N; i++) want[i] = philoxNumber(seed, subsequence, offset + i);
        check.same("philox", drawn<hiprandStatePhilox4_32_10_t>(seed, subsequence, offset, N), want);
      }
    }
    Buffer<uint4> out(5);
    fours<<<1, 64>>>(seed, 7, 6, out.get(), 5);
    std::vector<uint4> got = out.host();
    for (unsigned i = 0; i < 5; i++) {
      const unsigned four[] = {got[i].x, got[i].y, got[i].z, got[i].w};
      for (unsigned j = 0; j < 4; j++) check.same("philox by fours", four[j], philoxNumber(seed, 7, 6 + 4 * i + j));
    }
    for (uint64_t offset : {uint64_t(0), uint64_t(6), uint64_t(1) << 34}) {
      std::vector<unsigned> want(1000);
      for (size_t i = 0; i < want.size(); i++) want[i] = philoxNumber(seed, 0, offset + i);
      check.same("philox generator", generated(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, seed, offset, want.size()), want);
    }
    for (uint64_t subsequence : {0, 1, 2, 9}) {
      for (uint64_t offset : {0, 1, 17, 70001}) {
        Xorwow engine = xorwow(seed, subsequence, offset);
        std::vector<unsigned> want(N);
        for (unsigned& one : want) one = engine.next();
        check.same("xorwow", drawn<hiprandStateXORWOW_t>(seed, subsequence, offset, N), want);
      }
    }
  }

  // Engine after engine gives one number each, and then the first one its second.
  constexpr size_t ENGINES = 131072;
  constexpr uint64_t SEED = 20260101;
  std::vector<unsigned> got = generated(HIPRAND_RNG_PSEUDO_XORWOW, SEED, 0, 2 * ENGINES + 3);
  Xorwow engine(SEED);
  for (size_t k = 0; k < ENGINES; k++) {
    Xorwow one = engine;
    check.that("xorwow generator", got[k] == one.next());
    check.that("xorwow generator, second round", got[ENGINES + k] == one.next());
    if (k < 3) check.that("xorwow generator, third round", got[2 * ENGINES + k] == one.next());
    engine.x = mapped(subsequence(), engine.x);
  }
  return check.end();
}
