// libhiprand: generators, which work in the order of a stream.
#include <hiprand/hiprand.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <new>
#include <set>

#include "../library/in_order.h"
#include "sobol.h"
#include "source.h"

/** A generator as the program holds it. */
struct rocrand_generator_base_type {
  hiprandRngType_t type;
  bool onHost = false;  // works at once, and ignores the stream
  hipStream_t stream = nullptr;
  uint64_t seed = 0;
  uint64_t offset = 0;
  unsigned dimensions = 1;
  std::shared_ptr<rocport::rand::Source> source;  // nullptr: start again
};

namespace rocport::rand {
namespace {

constexpr unsigned LARGEST_DIMENSION = 20000;

std::mutex& lock() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

std::set<hiprandGenerator_t>& generators() {
  static auto* all = new std::set<hiprandGenerator_t>;
  return *all;
}

bool lives(hiprandGenerator_t generator) {
  std::lock_guard held(lock());
  return generators().count(generator) > 0;
}

bool quasiRandom(hiprandRngType_t type) { return type >= HIPRAND_RNG_QUASI_DEFAULT; }

Engine engineOf(hiprandRngType_t type) {
  switch (type) {
    case HIPRAND_RNG_PSEUDO_MRG32K3A:
      return Engine::MRG32K3A;
    case HIPRAND_RNG_PSEUDO_MTGP32:
      return Engine::MTGP32;
    case HIPRAND_RNG_PSEUDO_MT19937:
      return Engine::MT19937;
    case HIPRAND_RNG_PSEUDO_PHILOX4_32_10:
      return Engine::PHILOX;
    default:
      return Engine::XORWOW;
  }
}

uint64_t defaultSeed(hiprandRngType_t type) {
  switch (type) {
    case HIPRAND_RNG_PSEUDO_MRG32K3A:
      return 12345;
    case HIPRAND_RNG_PSEUDO_PHILOX4_32_10:
      return 0xdeadbeefdeadbeef;
    default:
      return 0;
  }
}

/** The program may report nothing but an error number, so the name goes to stderr. */
hiprandStatus_t notImplemented(const char* what) {
  std::fprintf(stderr, "rocport: %s of hipRAND are not implemented\n", what);
  return HIPRAND_STATUS_NOT_IMPLEMENTED;
}

hiprandStatus_t create(hiprandGenerator_t* generator, hiprandRngType_t type, bool onHost) {
  if (generator == nullptr) return HIPRAND_STATUS_OUT_OF_RANGE;
  switch (type) {
    case HIPRAND_RNG_PSEUDO_DEFAULT:
      type = HIPRAND_RNG_PSEUDO_XORWOW;
      break;
    case HIPRAND_RNG_QUASI_DEFAULT:
      type = HIPRAND_RNG_QUASI_SOBOL32;
      break;
    case HIPRAND_RNG_PSEUDO_XORWOW:
    case HIPRAND_RNG_PSEUDO_MRG32K3A:
    case HIPRAND_RNG_PSEUDO_MTGP32:
    case HIPRAND_RNG_PSEUDO_MT19937:
    case HIPRAND_RNG_PSEUDO_PHILOX4_32_10:
    case HIPRAND_RNG_QUASI_SOBOL32:
    case HIPRAND_RNG_QUASI_SOBOL64:
      break;
    case HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      return notImplemented("scrambled Sobol sequences");
    default:
      return HIPRAND_STATUS_TYPE_ERROR;
  }
  auto* made = new rocrand_generator_base_type{};
  made->type = type;
  made->onHost = onHost;
  made->seed = defaultSeed(type);
  std::lock_guard held(lock());
  generators().insert(made);
  *generator = made;
  return HIPRAND_STATUS_SUCCESS;
}

/** Commands in streams hold the source that they draw from. */
Source& sourceOf(hiprandGenerator_st& generator) {
  if (!generator.source) {
    if (generator.type == HIPRAND_RNG_QUASI_SOBOL32) {
      generator.source = quasi(32, generator.dimensions, generator.offset);
    } else if (generator.type == HIPRAND_RNG_QUASI_SOBOL64) {
      generator.source = quasi(64, generator.dimensions, generator.offset);
    } else {
      generator.source = pseudo(engineOf(generator.type), generator.seed, generator.offset);
    }
  }
  return *generator.source;
}

hiprandStatus_t generate(hiprandGenerator_t generator, Request request, size_t n) {
  if (!lives(generator)) return HIPRAND_STATUS_NOT_INITIALIZED;
  if (n % generator->dimensions != 0) return HIPRAND_STATUS_LENGTH_NOT_MULTIPLE;
  sourceOf(*generator);
  if (generator->onHost) {
    generator->source->fill(request, n);
    return HIPRAND_STATUS_SUCCESS;
  }
  hipError_t error = inOrder(generator->stream, [=, source = generator->source] {
    source->fill(request, n);
  }, {std::visit([](const auto& one) -> const void* { return one.out; }, request)});
  return error == hipSuccess ? HIPRAND_STATUS_SUCCESS : HIPRAND_STATUS_LAUNCH_FAILURE;
}

template <class T>
hiprandStatus_t normal(hiprandGenerator_t generator, T* out, size_t n, double mean,
                       double deviation, bool log) {
  if (n % 2 != 0 || reinterpret_cast<uintptr_t>(out) % (2 * sizeof(T)) != 0) {
    return HIPRAND_STATUS_LENGTH_NOT_MULTIPLE;
  }
  return generate(generator, Normal<T>{out, mean, deviation, log}, n);
}

double number(half value) { return static_cast<double>(static_cast<float>(value)); }

template <class T>
T* deviceCopy(const std::vector<T>& values) {
  void* made = nullptr;
  if (hipMalloc(&made, values.size() * sizeof(T)) != hipSuccess) return nullptr;
  std::copy(values.begin(), values.end(), static_cast<T*>(made));
  return static_cast<T*>(made);
}

/** The vectors of all dimensions; those that are not here cannot be read. */
template <class Word>
void* vectors() {
  constexpr size_t ROW = 8 * sizeof(Word) * sizeof(Word);
  static void* all = [] {
    void* made = mmap(nullptr, LARGEST_DIMENSION * ROW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) throw std::bad_alloc();
    mprotect(made, SOBOL_DIMENSIONS * ROW, PROT_READ | PROT_WRITE);
    auto* to = static_cast<Word*>(made);
    for (unsigned d = 0; d < SOBOL_DIMENSIONS; d++) {
      for (Word v : directions<Word>(d)) *to++ = v;
    }
    return made;
  }();
  return all;
}

}  // namespace
}  // namespace rocport::rand

using namespace rocport::rand;

extern "C" {

hiprandStatus_t hiprandCreateGenerator(hiprandGenerator_t* generator, hiprandRngType_t type) {
  return create(generator, type, false);
}

hiprandStatus_t hiprandCreateGeneratorHost(hiprandGenerator_t* generator, hiprandRngType_t type) {
  return create(generator, type, true);
}

hiprandStatus_t hiprandDestroyGenerator(hiprandGenerator_t generator) {
  std::lock_guard held(lock());
  if (generators().erase(generator) == 0) return HIPRAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return HIPRAND_STATUS_SUCCESS;
}

hiprandStatus_t hiprandSetStream(hiprandGenerator_t generator, hipStream_t stream) {
  if (!lives(generator)) return HIPRAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return HIPRAND_STATUS_SUCCESS;
}

hiprandStatus_t hiprandSetPseudoRandomGeneratorSeed(hiprandGenerator_t generator,
                                                    unsigned long long seed) {
  if (!lives(generator)) return HIPRAND_STATUS_NOT_INITIALIZED;
  if (quasiRandom(generator->type)) return HIPRAND_STATUS_TYPE_ERROR;
  generator->seed = seed;
  generator->source = nullptr;
  return HIPRAND_STATUS_SUCCESS;
}

hiprandStatus_t hiprandSetGeneratorOffset(hiprandGenerator_t generator, unsigned long long offset) {
  if (!lives(generator)) return HIPRAND_STATUS_NOT_INITIALIZED;
  if (generator->type == HIPRAND_RNG_PSEUDO_MTGP32 || generator->type == HIPRAND_RNG_PSEUDO_MT19937) {
    return HIPRAND_STATUS_TYPE_ERROR;
  }
  generator->offset = offset;
  generator->source = nullptr;
  return HIPRAND_STATUS_SUCCESS;
}

// All orders of pseudorandom numbers but the seeded one are the same here.
hiprandStatus_t hiprandSetGeneratorOrdering(hiprandGenerator_t generator, hiprandOrdering_t order) {
  if (!lives(generator)) return HIPRAND_STATUS_NOT_INITIALIZED;
  switch (order) {
    case HIPRAND_ORDERING_QUASI_DEFAULT:
      return quasiRandom(generator->type) ? HIPRAND_STATUS_SUCCESS : HIPRAND_STATUS_OUT_OF_RANGE;
    case HIPRAND_ORDERING_PSEUDO_BEST:
    case HIPRAND_ORDERING_PSEUDO_DEFAULT:
    case HIPRAND_ORDERING_PSEUDO_LEGACY:
    case HIPRAND_ORDERING_PSEUDO_DYNAMIC:
      return quasiRandom(generator->type) ? HIPRAND_STATUS_OUT_OF_RANGE : HIPRAND_STATUS_SUCCESS;
    case HIPRAND_ORDERING_PSEUDO_SEEDED:
      return notImplemented("seeded orders");
  }
  return HIPRAND_STATUS_OUT_OF_RANGE;
}

hiprandStatus_t hiprandSetQuasiRandomGeneratorDimensions(hiprandGenerator_t generator,
                                                         unsigned dimensions) {
  if (!lives(generator)) return HIPRAND_STATUS_NOT_INITIALIZED;
  if (!quasiRandom(generator->type)) return HIPRAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > LARGEST_DIMENSION) return HIPRAND_STATUS_OUT_OF_RANGE;
  if (dimensions > SOBOL_DIMENSIONS) return notImplemented("Sobol sequences of so many dimensions");
  generator->dimensions = dimensions;
  generator->source = nullptr;
  return HIPRAND_STATUS_SUCCESS;
}

hiprandStatus_t hiprandGetVersion(int* version) {
  if (version == nullptr) return HIPRAND_STATUS_OUT_OF_RANGE;
  *version = HIPRAND_VERSION;
  return HIPRAND_STATUS_SUCCESS;
}

hiprandStatus_t hiprandGenerateSeeds(hiprandGenerator_t generator) {
  if (!lives(generator)) return HIPRAND_STATUS_NOT_INITIALIZED;
  sourceOf(*generator);
  return HIPRAND_STATUS_SUCCESS;
}

hiprandStatus_t hiprandGenerate(hiprandGenerator_t generator, unsigned* out, size_t n) {
  if (lives(generator) && generator->type == HIPRAND_RNG_QUASI_SOBOL64) {
    return HIPRAND_STATUS_TYPE_ERROR;
  }
  return generate(generator, Bits<uint32_t>{out}, n);
}

hiprandStatus_t hiprandGenerateChar(hiprandGenerator_t generator, unsigned char* out, size_t n) {
  return generate(generator, Bits<uint8_t>{out}, n);
}

hiprandStatus_t hiprandGenerateShort(hiprandGenerator_t generator, unsigned short* out, size_t n) {
  return generate(generator, Bits<uint16_t>{out}, n);
}

hiprandStatus_t hiprandGenerateLongLong(hiprandGenerator_t generator, unsigned long long* out,
                                        size_t n) {
  if (lives(generator) && generator->type != HIPRAND_RNG_QUASI_SOBOL64) {
    return HIPRAND_STATUS_TYPE_ERROR;
  }
  return generate(generator, Bits<uint64_t>{reinterpret_cast<uint64_t*>(out)}, n);
}

hiprandStatus_t hiprandGenerateUniform(hiprandGenerator_t generator, float* out, size_t n) {
  return generate(generator, Uniform<float>{out}, n);
}

hiprandStatus_t hiprandGenerateUniformDouble(hiprandGenerator_t generator, double* out, size_t n) {
  return generate(generator, Uniform<double>{out}, n);
}

hiprandStatus_t hiprandGenerateUniformHalf(hiprandGenerator_t generator, half* out, size_t n) {
  return generate(generator, Uniform<half>{out}, n);
}

hiprandStatus_t hiprandGenerateNormal(hiprandGenerator_t generator, float* out, size_t n,
                                      float mean, float deviation) {
  return normal(generator, out, n, mean, deviation, false);
}

hiprandStatus_t hiprandGenerateNormalDouble(hiprandGenerator_t generator, double* out, size_t n,
                                            double mean, double deviation) {
  return normal(generator, out, n, mean, deviation, false);
}

hiprandStatus_t hiprandGenerateNormalHalf(hiprandGenerator_t generator, half* out, size_t n,
                                          half mean, half deviation) {
  return normal(generator, out, n, number(mean), number(deviation), false);
}

hiprandStatus_t hiprandGenerateLogNormal(hiprandGenerator_t generator, float* out, size_t n,
                                         float mean, float deviation) {
  return normal(generator, out, n, mean, deviation, true);
}

hiprandStatus_t hiprandGenerateLogNormalDouble(hiprandGenerator_t generator, double* out, size_t n,
                                               double mean, double deviation) {
  return normal(generator, out, n, mean, deviation, true);
}

hiprandStatus_t hiprandGenerateLogNormalHalf(hiprandGenerator_t generator, half* out, size_t n,
                                             half mean, half deviation) {
  return normal(generator, out, n, number(mean), number(deviation), true);
}

hiprandStatus_t hiprandGeneratePoisson(hiprandGenerator_t generator, unsigned* out, size_t n,
                                       double lambda) {
  if (!(lambda > 0)) return HIPRAND_STATUS_OUT_OF_RANGE;
  return generate(generator, Counts{out, std::make_shared<Poisson>(lambda)}, n);
}

// The tables are those that rocRAND's device functions read.
hiprandStatus_t hiprandCreatePoissonDistribution(double lambda,
                                                 hiprandDiscreteDistribution_t* distribution) {
  if (distribution == nullptr || !(lambda > 0)) return HIPRAND_STATUS_OUT_OF_RANGE;
  Poisson poisson(lambda);
  Alias alias(poisson.probabilities());
  rocrand_discrete_distribution_st made;
  made.size = static_cast<unsigned>(alias.own.size());
  made.offset = poisson.first();
  made.alias = deviceCopy(alias.other);
  made.probability = deviceCopy(alias.own);
  made.cdf = deviceCopy(poisson.cumulated());
  auto* shared = deviceCopy(std::vector<rocrand_discrete_distribution_st>{made});
  if (!made.alias || !made.probability || !made.cdf || !shared) {
    for (void* part : {static_cast<void*>(made.alias), static_cast<void*>(made.probability),
                       static_cast<void*>(made.cdf), static_cast<void*>(shared)}) {
      if (part) (void)hipFree(part);
    }
    return HIPRAND_STATUS_ALLOCATION_FAILED;
  }
  *distribution = shared;
  return HIPRAND_STATUS_SUCCESS;
}

hiprandStatus_t hiprandDestroyDistribution(hiprandDiscreteDistribution_t distribution) {
  if (distribution == nullptr) return HIPRAND_STATUS_OUT_OF_RANGE;
  rocrand_discrete_distribution_st parts = *distribution;
  bool freed = true;
  for (void* part : {static_cast<void*>(parts.alias), static_cast<void*>(parts.probability),
                     static_cast<void*>(parts.cdf), static_cast<void*>(distribution)}) {
    freed = hipFree(part) == hipSuccess && freed;
  }
  return freed ? HIPRAND_STATUS_SUCCESS : HIPRAND_STATUS_INTERNAL_ERROR;
}

hiprandStatus_t hiprandGetDirectionVectors32(hiprandDirectionVectors32_t** all,
                                             hiprandDirectionVectorSet_t set) {
  if (all == nullptr) return HIPRAND_STATUS_OUT_OF_RANGE;
  if (set == HIPRAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6) {
    return notImplemented("scrambled direction vectors");
  }
  if (set != HIPRAND_DIRECTION_VECTORS_32_JOEKUO6) return HIPRAND_STATUS_OUT_OF_RANGE;
  *all = static_cast<hiprandDirectionVectors32_t*>(vectors<uint32_t>());
  return HIPRAND_STATUS_SUCCESS;
}

hiprandStatus_t hiprandGetDirectionVectors64(hiprandDirectionVectors64_t** all,
                                             hiprandDirectionVectorSet_t set) {
  if (all == nullptr) return HIPRAND_STATUS_OUT_OF_RANGE;
  if (set == HIPRAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6) {
    return notImplemented("scrambled direction vectors");
  }
  if (set != HIPRAND_DIRECTION_VECTORS_64_JOEKUO6) return HIPRAND_STATUS_OUT_OF_RANGE;
  *all = static_cast<hiprandDirectionVectors64_t*>(vectors<uint64_t>());
  return HIPRAND_STATUS_SUCCESS;
}

}  // extern "C"
