// hipRAND: published answers, the device functions' numbers, statistics, streams, graphs
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>
#include <hiprand/hiprand_mtgp32_host.h>
#include <rocrand/rocrand_mtgp32_11213.h>

#include <mutex>
#include <random>

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

struct Generator {
  hiprandGenerator_t get = nullptr;
  explicit Generator(hiprandRngType_t type) { RAND(hiprandCreateGenerator(&get, type)); }
  ~Generator() { RAND(hiprandDestroyGenerator(get)); }
};

std::vector<unsigned> numbers(hiprandGenerator_t generator, size_t n) {
  Buffer<unsigned> out(n);
  RAND(hiprandGenerate(generator, out.get(), n));
  return out.host();
}

void publishedAnswers() {
  Generator philox(HIPRAND_RNG_PSEUDO_PHILOX4_32_10);
  RAND(hiprandSetPseudoRandomGeneratorSeed(philox.get, 0));
  // Random123's known answers of philox4x32-10 for a counter and key of zeros
  check.same("philox", numbers(philox.get, 4), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});

  Generator twister(HIPRAND_RNG_PSEUDO_MT19937);
  RAND(hiprandSetPseudoRandomGeneratorSeed(twister.get, 5489));
  // ISO C++, [rand.predef]: the 10000th number
  check.same("mt19937", numbers(twister.get, 10000).back(), 4123659995u);

  // Marsaglia's xorwow, on the state that the seed gives
  Generator xorwow(HIPRAND_RNG_PSEUDO_XORWOW);
  RAND(hiprandSetPseudoRandomGeneratorSeed(xorwow.get, 987654321));
  unsigned s0 = 987654321u ^ 0x2c7f967fu, s1 = 0xa03697cbu;
  unsigned t0 = 1228688033u * s0, t1 = 2073658381u * s1;
  unsigned x[5] = {123456789 + t0, 362436069 ^ t0, 521288629 + t1, 88675123 ^ t1, 5783321 + t0};
  unsigned d = 6615241 + t1 + t0;
  auto next = [&] {
    unsigned t = x[0] ^ (x[0] >> 2);
    for (int i = 0; i < 4; i++) x[i] = x[i + 1];
    x[4] = (x[4] ^ (x[4] << 4)) ^ (t ^ (t << 1));
    d += 362437;
    return d + x[4];
  };
  unsigned first = next(), second = next();
  auto got = numbers(xorwow.get, 131072 + 1);
  check.same("xorwow first", got[0], first);
  check.same("xorwow second round", got[131072], second);

  // The van der Corput sequence in Gray code order, and the first points of Joe and Kuo's
  Generator sobol(HIPRAND_RNG_QUASI_SOBOL32);
  RAND(hiprandSetQuasiRandomGeneratorDimensions(sobol.get, 4));
  constexpr unsigned H = 1u << 31, Q = 1u << 30, E = 1u << 29;
  check.same("sobol", numbers(sobol.get, 32),
             {0, H, H + Q, Q, Q + E, H + Q + E, H + E, E,
              0, H, Q, H + Q, Q + E, H + Q + E, E, H + E,
              0, H, Q, H + Q, H + E, E, H + Q + E, Q + E,
              0, H, Q, H + Q, H + Q + E, Q + E, H + E, E});
  check.that("only whole points", hiprandGenerate(sobol.get, nullptr, 7) == HIPRAND_STATUS_LENGTH_NOT_MULTIPLE);
}

template <class State>
__global__ void draw(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, unsigned* bits,
                     float* uniform, double* uniforms, float2* normal, int n) {
  if (threadIdx.x > 0) return;
  State state;
  hiprand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < n; i++) bits[i] = hiprand(&state);
  hiprand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < n; i++) uniform[i] = hiprand_uniform(&state);
  hiprand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < n; i++) uniforms[i] = hiprand_uniform_double(&state);
  hiprand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < n; i++) normal[i] = hiprand_normal2(&state);
}

/** Engines take turns: number k is the (k / engines)th of subsequence k mod engines. */
template <class State>
void likeTheDevice(const char* name, hiprandRngType_t type, size_t engines) {
  constexpr unsigned long long seed = 0x123456789abcdef;
  constexpr int n = 3;
  Generator g(type);
  for (unsigned long long offset : {0ull, 70000ull}) {
    size_t total = n * engines;
    Buffer<unsigned> manyBits(total);
    Buffer<float> many(total), manyNormal(2 * total);
    Buffer<double> manyDouble(total);
    auto begin = [&] {
      RAND(hiprandSetPseudoRandomGeneratorSeed(g.get, seed));
      RAND(hiprandSetGeneratorOffset(g.get, offset * engines));
    };
    begin();
    RAND(hiprandGenerate(g.get, manyBits.get(), total));
    begin();
    RAND(hiprandGenerateUniform(g.get, many.get(), total));
    begin();
    RAND(hiprandGenerateUniformDouble(g.get, manyDouble.get(), total));
    begin();
    RAND(hiprandGenerateNormal(g.get, manyNormal.get(), 2 * total, 0, 1));
    auto gotBits = manyBits.host();
    auto gotUniform = many.host(), gotNormal = manyNormal.host();
    auto gotDouble = manyDouble.host();
    for (unsigned long long subsequence : {0ull, 5ull, 131071ull}) {
      if (subsequence >= engines) continue;
      Buffer<unsigned> bits(n);
      Buffer<float> uniform(n);
      Buffer<double> uniforms(n);
      Buffer<float2> normal(n);
      draw<State><<<1, 64>>>(seed, subsequence, offset, bits.get(), uniform.get(), uniforms.get(), normal.get(), n);
      auto wantBits = bits.host();
      auto wantUniform = uniform.host();
      auto wantDouble = uniforms.host();
      auto wantNormal = normal.host();
      for (int i = 0; i < n; i++) {
        size_t k = i * engines + subsequence;
        check.same(name, gotBits[k], wantBits[i]);
        check.same(name, gotUniform[k], wantUniform[i]);
        check.same(name, gotDouble[k], wantDouble[i]);
        check.that(name, fabs(gotNormal[2 * k] - wantNormal[i].x) < 1e-4f);
        check.that(name, fabs(gotNormal[2 * k + 1] - wantNormal[i].y) < 1e-4f);
      }
    }
  }
  // an offset is the same as numbers not looked at, in pieces of any size
  RAND(hiprandSetPseudoRandomGeneratorSeed(g.get, seed));
  RAND(hiprandSetGeneratorOffset(g.get, 0));
  auto all = numbers(g.get, 300);
  RAND(hiprandSetGeneratorOffset(g.get, 37));
  auto a = numbers(g.get, 100), b = numbers(g.get, 163);
  a.insert(a.end(), b.begin(), b.end());
  check.same(name, a, std::vector<unsigned>(all.begin() + 37, all.end()));
}

__global__ void twist(hiprandStateMtgp32_t* states, unsigned* out, int rounds) {
  for (int r = 0; r < rounds; r++)
    out[(r * gridDim.x + blockIdx.x) * 256 + threadIdx.x] = hiprand(&states[blockIdx.x]);
}

/** Runs of 256 numbers, of 512 engines. */
void mtgpLikeTheDevice() {
  constexpr int rounds = 3, blocks = 2;
  Buffer<hiprandStateMtgp32_t> states(blocks);
  auto made = rocrand_make_state_mtgp32(reinterpret_cast<rocrand_state_mtgp32*>(states.get()), mtgp32dc_params_fast_11213, blocks, 77);
  check.that("mtgp states", made == ROCRAND_STATUS_SUCCESS);
  Buffer<unsigned> out(rounds * blocks * 256);
  twist<<<blocks, 256>>>(states.get(), out.get(), rounds);
  Generator g(HIPRAND_RNG_PSEUDO_MTGP32);
  RAND(hiprandSetPseudoRandomGeneratorSeed(g.get, 77));
  auto got = numbers(g.get, rounds * 512 * 256), want = out.host();
  for (int r = 0; r < rounds; r++)
    for (int b = 0; b < blocks; b++)
      for (int i = 0; i < 256; i++)
        check.same("mtgp32", got[(r * 512 + b) * 256 + i], want[(r * blocks + b) * 256 + i]);
}

double mean(const std::vector<double>& v, int power) {
  double sum = 0;
  for (double x : v) sum += pow(x, power);
  return sum / v.size();
}

void close(const char* what, double got, double want, double slack) {
  if (!(fabs(got - want) <= slack)) printf("%s: %g, not %g\n", what, got, want);
  check.that(what, fabs(got - want) <= slack);
}

__global__ void widen(const __half* from, double* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = __half2float(from[i]);
}

/** Moments of every distribution. */
void statistics(hiprandRngType_t type) {
  constexpr int n = 20000;
  Generator g(type);
  bool quasi = type >= HIPRAND_RNG_QUASI_DEFAULT;
  if (!quasi) RAND(hiprandSetPseudoRandomGeneratorSeed(g.get, 20240131));
  Buffer<float> f(n);
  Buffer<double> d(n);
  Buffer<unsigned> u(n);
  Buffer<unsigned char> c(n);
  Buffer<unsigned short> s(n);
  Buffer<__half> h(n);
  auto wide = [](const auto& v) { return std::vector<double>(v.begin(), v.end()); };
  auto halves = [&] {
    widen<<<(n + 255) / 256, 256>>>(h.get(), d.get(), n);
    return d.host();
  };

  RAND(hiprandGenerateUniform(g.get, f.get(), n));
  auto v = wide(f.host());
  for (double x : v) check.that("in (0, 1]", x > 0 && x <= 1);
  close("uniform mean", mean(v, 1), 0.5, 0.01);
  close("uniform square", mean(v, 2), 1 / 3.0, 0.01);
  RAND(hiprandGenerateUniformDouble(g.get, d.get(), n));
  v = d.host();
  for (double x : v) check.that("in (0, 1]", x > 0 && x <= 1);
  close("double mean", mean(v, 1), 0.5, 0.01);
  close("double cube", mean(v, 3), 0.25, 0.01);
  RAND(hiprandGenerateUniformHalf(g.get, h.get(), n));
  v = halves();
  close("half mean", mean(v, 1), 0.5, 0.01);
  close("half square", mean(v, 2), 1 / 3.0, 0.01);
  RAND(hiprandGenerateChar(g.get, c.get(), n));
  close("chars", mean(wide(c.host()), 1), 127.5, 2.5);
  RAND(hiprandGenerateShort(g.get, s.get(), n));
  close("shorts", mean(wide(s.host()), 1), 32767.5, 600);

  RAND(hiprandGenerateNormal(g.get, f.get(), n, 3, 2));
  v = wide(f.host());
  close("normal mean", mean(v, 1), 3, 0.06);
  close("normal square", mean(v, 2), 13, 0.4);
  RAND(hiprandGenerateNormalDouble(g.get, d.get(), n, -1, 0.5));
  v = d.host();
  close("double normal mean", mean(v, 1), -1, 0.02);
  close("double normal square", mean(v, 2), 1.25, 0.03);
  RAND(hiprandGenerateNormalHalf(g.get, h.get(), n, __half(1.0f), __half(0.25f)));
  v = halves();
  close("half normal mean", mean(v, 1), 1, 0.01);
  close("half normal square", mean(v, 2), 1.0625, 0.02);
  RAND(hiprandGenerateLogNormal(g.get, f.get(), n, 0.5f, 0.25f));
  close("log normal", mean(wide(f.host()), 1), exp(0.5 + 0.03125), 0.02);
  RAND(hiprandGenerateLogNormalDouble(g.get, d.get(), n, 0, 0.5));
  close("double log normal", mean(d.host(), 1), exp(0.125), 0.02);

  for (double lambda : {0.7, 12.0, 300.0, 50000.0}) {
    RAND(hiprandGeneratePoisson(g.get, u.get(), n, lambda));
    auto counts = wide(u.host());
    double m = mean(counts, 1), variance = mean(counts, 2) - m * m;
    close("poisson mean", m, lambda, 5 * sqrt(lambda / n) + 0.002 * sqrt(lambda));
    close("poisson variance", variance / lambda, 1, 0.05);
    if (lambda == 0.7) {
      double zeros = 0;
      for (double k : counts) zeros += k == 0;
      close("poisson zeros", zeros / n, exp(-0.7), 0.01);
    }
  }
}

__global__ void pick(hiprandDiscreteDistribution_t distribution, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  hiprandStateXORWOW_t state;
  hiprand_init(3, i, 0, &state);
  if (i < n) out[i] = hiprand_discrete(&state, distribution);
}

__global__ void sobolDraw(hiprandDirectionVectors32_t* vectors, unsigned* out, int n) {
  int d = threadIdx.x;
  hiprandStateSobol32_t state;
  hiprand_init(vectors[d], 0, &state);
  for (int i = 0; i < n; i++) out[d * n + i] = hiprand(&state);
}

void tables() {
  constexpr int n = 4096;
  hiprandDiscreteDistribution_t distribution = nullptr;
  RAND(hiprandCreatePoissonDistribution(6.5, &distribution));
  Buffer<unsigned> out(n);
  pick<<<n / 256, 256>>>(distribution, out.get(), n);
  auto counts = out.host();
  std::vector<double> v(counts.begin(), counts.end());
  close("discrete mean", mean(v, 1), 6.5, 0.2);
  close("discrete square", mean(v, 2), 6.5 * 7.5, 3);
  RAND(hiprandDestroyDistribution(distribution));

  constexpr int dimensions = 64, points = 16;
  hiprandDirectionVectors32_t* vectors = nullptr;
  RAND(hiprandGetDirectionVectors32(&vectors, HIPRAND_DIRECTION_VECTORS_32_JOEKUO6));
  std::vector<unsigned> flat(vectors[0], vectors[0] + 32 * dimensions);
  Buffer<unsigned> shared(flat);
  Buffer<unsigned> drawn(dimensions * points);
  sobolDraw<<<1, dimensions>>>(reinterpret_cast<hiprandDirectionVectors32_t*>(shared.get()), drawn.get(), points);
  Generator sobol(HIPRAND_RNG_QUASI_SOBOL32);
  RAND(hiprandSetQuasiRandomGeneratorDimensions(sobol.get, dimensions));
  check.same("sobol on the device", drawn.host(), numbers(sobol.get, dimensions * points));
  // each of the first 16 points of a dimension lies in a sixteenth of its own
  auto got = drawn.host();
  for (int d = 0; d < dimensions; d++) {
    unsigned seen = 0;
    for (int i = 0; i < points; i++) seen |= 1u << (got[d * points + i] >> 28);
    check.same("stratified", seen, 0xffffu);
  }
  Generator wide(HIPRAND_RNG_QUASI_SOBOL64);
  RAND(hiprandSetQuasiRandomGeneratorDimensions(wide.get, dimensions));
  Buffer<unsigned long long> longs(dimensions * points);
  RAND(hiprandGenerateLongLong(wide.get, longs.get(), dimensions * points));
  auto sixty = longs.host();
  for (size_t i = 0; i < sixty.size(); i++) check.same("sobol64", unsigned(sixty[i] >> 32), got[i]);
}

__global__ void slowly(float* out, int n, int rounds) {
  float sum = 0;
  for (int r = 0; r < rounds; r++) sum += __sinf(float(r)) * 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = -1.0f + sum;
}

__global__ void plusOne(float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] += 1;
}

void streams() {
  constexpr int n = 200;
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  Generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10);
  RAND(hiprandSetPseudoRandomGeneratorSeed(g.get, 9));
  Buffer<float> plain(3 * n), out(n);
  RAND(hiprandGenerateUniform(g.get, plain.get(), 3 * n));
  auto want = plain.host();
  RAND(hiprandSetPseudoRandomGeneratorSeed(g.get, 9));
  RAND(hiprandSetStream(g.get, stream));
  slowly<<<1, 64, 0, stream>>>(out.get(), n, 20000);
  RAND(hiprandGenerateUniform(g.get, out.get(), n));
  plusOne<<<1, 64, 0, stream>>>(out.get(), n);
  HIP(hipStreamSynchronize(stream));
  auto compare = [&](int part) {
    std::vector<float> expected(want.begin() + part * n, want.begin() + (part + 1) * n);
    for (float& x : expected) x += 1;
    check.same("in order", out.host(), expected);
  };
  compare(0);
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  RAND(hiprandGenerateUniform(g.get, out.get(), n));
  plusOne<<<1, 64, 0, stream>>>(out.get(), n);
  HIP(hipStreamEndCapture(stream, &graph));
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int part : {1, 2}) {
    HIP(hipGraphLaunch(exec, stream));
    HIP(hipStreamSynchronize(stream));
    compare(part);
  }
  HIP(hipGraphExecDestroy(exec));
  HIP(hipGraphDestroy(graph));
  HIP(hipStreamDestroy(stream));
}

void errors() {
  hiprandGenerator_t g = nullptr;
  check.that("type", hiprandCreateGenerator(&g, HIPRAND_RNG_TEST) == HIPRAND_STATUS_TYPE_ERROR);
  check.that("no generator", hiprandGenerate(nullptr, nullptr, 4) == HIPRAND_STATUS_NOT_INITIALIZED);
  Generator x(HIPRAND_RNG_PSEUDO_DEFAULT), q(HIPRAND_RNG_QUASI_DEFAULT), m(HIPRAND_RNG_PSEUDO_MTGP32);
  Buffer<float> out(8);
  check.that("odd", hiprandGenerateNormal(x.get, out.get(), 3, 0, 1) == HIPRAND_STATUS_LENGTH_NOT_MULTIPLE);
  check.that("lambda", hiprandGeneratePoisson(x.get, (unsigned*)out.get(), 3, 0) == HIPRAND_STATUS_OUT_OF_RANGE);
  check.that("seed", hiprandSetPseudoRandomGeneratorSeed(q.get, 3) == HIPRAND_STATUS_TYPE_ERROR);
  check.that("offset", hiprandSetGeneratorOffset(m.get, 3) == HIPRAND_STATUS_TYPE_ERROR);
  check.that("dimensions", hiprandSetQuasiRandomGeneratorDimensions(x.get, 3) == HIPRAND_STATUS_TYPE_ERROR);
  check.that("range", hiprandSetQuasiRandomGeneratorDimensions(q.get, 20001) == HIPRAND_STATUS_OUT_OF_RANGE);
  check.that("not all dimensions", hiprandSetQuasiRandomGeneratorDimensions(q.get, 20000) == HIPRAND_STATUS_NOT_IMPLEMENTED);
  check.that("order", hiprandSetGeneratorOrdering(x.get, HIPRAND_ORDERING_QUASI_DEFAULT) == HIPRAND_STATUS_OUT_OF_RANGE);
  RAND(hiprandSetGeneratorOrdering(x.get, HIPRAND_ORDERING_PSEUDO_LEGACY));
  int version = 0;
  RAND(hiprandGetVersion(&version));
  check.that("version", version == HIPRAND_VERSION);
  check.that("scrambled", hiprandCreateGeneratorHost(&g, HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32) == HIPRAND_STATUS_NOT_IMPLEMENTED);
}

/** A host generator has its numbers ready when the call returns, and does not wait for its stream. */
void onTheHost() {
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  hiprandGenerator_t host = nullptr;
  RAND(hiprandCreateGeneratorHost(&host, HIPRAND_RNG_PSEUDO_PHILOX4_32_10));
  RAND(hiprandSetPseudoRandomGeneratorSeed(host, 0));
  RAND(hiprandSetStream(host, stream));
  std::mutex closed;
  closed.lock();
  HIP(hipLaunchHostFunc(stream, [](void* lock) { std::lock_guard held(*static_cast<std::mutex*>(lock)); }, &closed));
  unsigned first[4] = {};
  RAND(hiprandGenerate(host, first, 4));
  check.same("on the host", first[3], 0x9b00dbd8u);
  closed.unlock();
  RAND(hiprandDestroyGenerator(host));
  check.that("destroyed", hiprandDestroyGenerator(host) == HIPRAND_STATUS_NOT_INITIALIZED);
  HIP(hipStreamSynchronize(stream));
  HIP(hipStreamDestroy(stream));
}

int main() {
  publishedAnswers();
  likeTheDevice<hiprandStatePhilox4_32_10_t>("philox", HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 1);
  likeTheDevice<hiprandStateXORWOW_t>("xorwow", HIPRAND_RNG_PSEUDO_XORWOW, 131072);
  likeTheDevice<hiprandStateMRG32k3a_t>("mrg32k3a", HIPRAND_RNG_PSEUDO_MRG32K3A, 131072);
  mtgpLikeTheDevice();
  for (auto type : {HIPRAND_RNG_PSEUDO_XORWOW, HIPRAND_RNG_PSEUDO_MRG32K3A, HIPRAND_RNG_PSEUDO_MTGP32,
                    HIPRAND_RNG_PSEUDO_MT19937, HIPRAND_RNG_PSEUDO_PHILOX4_32_10, HIPRAND_RNG_QUASI_SOBOL32})
    statistics(type);
  tables();
  streams();
  errors();
  onTheHost();
  return check.end();
}
