// libhipfft: plans, and their execution in the order of a stream.
#include <hipfft/hipfft.h>
#include <hipfft/hipfftXt.h>

#include <limits>
#include <mutex>
#include <new>
#include <set>

#include "../library/in_order.h"
#include "plan.h"

/** A plan as the program holds it. */
struct hipfftHandle_t {
  hipStream_t stream = nullptr;
  double scale = 1;
  int device = 0;
  std::shared_ptr<const rocport::fft::Transform> transform;
};

namespace rocport::fft {
namespace {

std::mutex& lock() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

std::set<hipfftHandle>& plans() {
  static auto* all = new std::set<hipfftHandle>;
  return *all;
}

bool lives(hipfftHandle plan) {
  std::lock_guard held(lock());
  return plans().count(plan) > 0;
}

struct Types {
  hipDataType in;
  hipDataType out;
};

bool typesOf(hipfftType type, Types& types) {
  switch (type) {
    case HIPFFT_R2C:
      types = {HIP_R_32F, HIP_C_32F};
      return true;
    case HIPFFT_C2R:
      types = {HIP_C_32F, HIP_R_32F};
      return true;
    case HIPFFT_C2C:
      types = {HIP_C_32F, HIP_C_32F};
      return true;
    case HIPFFT_D2Z:
      types = {HIP_R_64F, HIP_C_64F};
      return true;
    case HIPFFT_Z2D:
      types = {HIP_C_64F, HIP_R_64F};
      return true;
    case HIPFFT_Z2Z:
      types = {HIP_C_64F, HIP_C_64F};
      return true;
  }
  return false;
}

bool transformable(Types types) {
  constexpr Types KNOWN[] = {
      {HIP_R_16F, HIP_C_16F}, {HIP_C_16F, HIP_R_16F}, {HIP_C_16F, HIP_C_16F},
      {HIP_R_32F, HIP_C_32F}, {HIP_C_32F, HIP_R_32F}, {HIP_C_32F, HIP_C_32F},
      {HIP_R_64F, HIP_C_64F}, {HIP_C_64F, HIP_R_64F}, {HIP_C_64F, HIP_C_64F},
  };
  for (Types known : KNOWN) {
    if (known.in == types.in && known.out == types.out) return true;
  }
  return false;
}

/** What a plan is asked for; embed: the storage's extents, nullptr for the plain layout. */
template <class Int>
struct Request {
  int rank;
  const Int* n;
  const Int* inembed;
  Int istride;
  Int idist;
  const Int* onembed;
  Int ostride;
  Int odist;
  Types types;
  Int batch;
};

template <class Int>
Side side(hipDataType type, bool given, int rank, const Int* embed, Int stride, Int distance) {
  Side made;
  made.type = type;
  made.given = given;
  if (!given) return made;
  made.layout.strides.resize(static_cast<size_t>(rank));
  long long step = stride;
  for (int d = rank; d-- > 0;) {
    made.layout.strides[static_cast<size_t>(d)] = step;
    step *= embed[d];
  }
  made.layout.distance = distance;
  return made;
}

template <class Int>
hipfftResult transform(const Request<Int>& asked, double scale,
                       std::shared_ptr<const Transform>& made) {
  if (asked.rank < 1 || asked.rank > 3 || asked.n == nullptr) return HIPFFT_INVALID_VALUE;
  if (!transformable(asked.types)) return HIPFFT_INVALID_TYPE;
  if (asked.batch < 1) return HIPFFT_INVALID_SIZE;
  Sizes n(asked.n, asked.n + asked.rank);
  double elements = 1;
  for (long long size : n) {
    if (size < 1) return HIPFFT_INVALID_SIZE;
    elements *= static_cast<double>(size);
  }
  if (elements > 0x1p40) return HIPFFT_INVALID_SIZE;
  bool given = asked.inembed != nullptr && asked.onembed != nullptr;
  if (given) {
    if (asked.istride < 1 || asked.ostride < 1) return HIPFFT_INVALID_VALUE;
    if (asked.idist < 0 || asked.odist < 0) return HIPFFT_INVALID_VALUE;
    for (int d = 1; d < asked.rank; d++) {
      if (asked.inembed[d] < 1 || asked.onembed[d] < 1) return HIPFFT_INVALID_VALUE;
    }
  }
  Side in = side(asked.types.in, given, asked.rank, asked.inembed, asked.istride, asked.idist);
  Side out = side(asked.types.out, given, asked.rank, asked.onembed, asked.ostride, asked.odist);
  try {
    made = std::make_shared<Transform>(n, in, out, asked.batch, scale);
  } catch (const std::bad_alloc&) {
    return HIPFFT_ALLOC_FAILED;
  }
  return HIPFFT_SUCCESS;
}

template <class Int>
hipfftResult make(hipfftHandle plan, const Request<Int>& asked, size_t* workSize) {
  if (!lives(plan)) return HIPFFT_INVALID_PLAN;
  if (plan->transform) return HIPFFT_INVALID_PLAN;
  hipfftResult result = transform(asked, plan->scale, plan->transform);
  if (result == HIPFFT_SUCCESS && workSize) *workSize = plan->transform->workSize();
  return result;
}

template <class Int>
hipfftResult estimate(const Request<Int>& asked, size_t* workSize) {
  if (workSize == nullptr) return HIPFFT_INVALID_VALUE;
  std::shared_ptr<const Transform> made;
  hipfftResult result = transform(asked, 1, made);
  if (result == HIPFFT_SUCCESS) *workSize = made->workSize();
  return result;
}

/** The plain layout. */
template <class... N>
hipfftResult plain(hipfftType type, int batch, Request<int>& asked, int* sizes, N... n) {
  int rank = 0;
  ((sizes[rank++] = n), ...);
  Types types;
  if (!typesOf(type, types)) return HIPFFT_INVALID_TYPE;
  asked = {rank, sizes, nullptr, 1, 0, nullptr, 1, 0, types, batch};
  return HIPFFT_SUCCESS;
}

template <class... N>
hipfftResult makePlain(hipfftHandle plan, hipfftType type, int batch, size_t* workSize, N... n) {
  int sizes[3];
  Request<int> asked;
  if (!lives(plan)) return HIPFFT_INVALID_PLAN;
  hipfftResult result = plain(type, batch, asked, sizes, n...);
  return result == HIPFFT_SUCCESS ? make(plan, asked, workSize) : result;
}

template <class... N>
hipfftResult estimatePlain(hipfftType type, int batch, size_t* workSize, N... n) {
  int sizes[3];
  Request<int> asked;
  hipfftResult result = plain(type, batch, asked, sizes, n...);
  return result == HIPFFT_SUCCESS ? estimate(asked, workSize) : result;
}

/** A new plan that is made at once, or none. */
template <class Make>
hipfftResult created(hipfftHandle* plan, const Make& makes) {
  hipfftResult result = hipfftCreate(plan);
  if (result != HIPFFT_SUCCESS) return result;
  result = makes(*plan);
  if (result != HIPFFT_SUCCESS) {
    hipfftDestroy(*plan);
    *plan = nullptr;
  }
  return result;
}

hipfftResult execute(hipfftHandle plan, const void* in, void* out, bool inverse) {
  if (in == nullptr || out == nullptr) return HIPFFT_INVALID_VALUE;
  auto transform = plan->transform;
  hipError_t error =
      inOrder(plan->stream, [=] { transform->run(in, out, inverse); }, {out});
  return error == hipSuccess ? HIPFFT_SUCCESS : HIPFFT_EXEC_FAILED;
}

hipfftResult execute(hipfftHandle plan, hipfftType type, const void* in, void* out, int direction) {
  if (!lives(plan) || !plan->transform) return HIPFFT_INVALID_PLAN;
  Types types;
  typesOf(type, types);
  const Transform& made = *plan->transform;
  if (made.input().type != types.in || made.output().type != types.out) return HIPFFT_INVALID_TYPE;
  if (direction != HIPFFT_FORWARD && direction != HIPFFT_BACKWARD) return HIPFFT_INVALID_VALUE;
  return execute(plan, in, out, direction == HIPFFT_BACKWARD);
}

}  // namespace
}  // namespace rocport::fft

using namespace rocport::fft;

extern "C" {

hipfftResult hipfftCreate(hipfftHandle* plan) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  auto* made = new hipfftHandle_t;
  std::lock_guard held(lock());
  plans().insert(made);
  *plan = made;
  return HIPFFT_SUCCESS;
}

// Commands in streams own the data that they need.
hipfftResult hipfftDestroy(hipfftHandle plan) {
  std::lock_guard held(lock());
  if (plans().erase(plan) == 0) return HIPFFT_INVALID_PLAN;
  delete plan;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftSetStream(hipfftHandle plan, hipStream_t stream) {
  if (!lives(plan)) return HIPFFT_INVALID_PLAN;
  plan->stream = stream;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftExtPlanScaleFactor(hipfftHandle plan, double factor) {
  if (!lives(plan) || plan->transform) return HIPFFT_INVALID_PLAN;
  if (!(factor - factor == 0)) return HIPFFT_INVALID_VALUE;
  plan->scale = factor;
  return HIPFFT_SUCCESS;
}

// The transforms here need no memory of the device.
hipfftResult hipfftSetAutoAllocation(hipfftHandle plan, int) {
  return lives(plan) ? HIPFFT_SUCCESS : HIPFFT_INVALID_PLAN;
}

hipfftResult hipfftSetWorkArea(hipfftHandle plan, void*) {
  return lives(plan) ? HIPFFT_SUCCESS : HIPFFT_INVALID_PLAN;
}

hipfftResult hipfftGetSize(hipfftHandle plan, size_t* workSize) {
  if (!lives(plan) || !plan->transform) return HIPFFT_INVALID_PLAN;
  if (workSize == nullptr) return HIPFFT_INVALID_VALUE;
  *workSize = plan->transform->workSize();
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftGetVersion(int* version) {
  if (version == nullptr) return HIPFFT_INVALID_VALUE;
  *version = hipfftVersionMajor * 10000 + hipfftVersionMinor * 100 + hipfftVersionPatch;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftGetProperty(hipfftLibraryPropertyType type, int* value) {
  if (value == nullptr) return HIPFFT_INVALID_VALUE;
  switch (type) {
    case HIPFFT_MAJOR_VERSION:
      *value = hipfftVersionMajor;
      return HIPFFT_SUCCESS;
    case HIPFFT_MINOR_VERSION:
      *value = hipfftVersionMinor;
      return HIPFFT_SUCCESS;
    case HIPFFT_PATCH_LEVEL:
      *value = hipfftVersionPatch;
      return HIPFFT_SUCCESS;
  }
  return HIPFFT_INVALID_TYPE;
}

hipfftResult hipfftMakePlan1d(hipfftHandle plan, int nx, hipfftType type, int batch,
                              size_t* workSize) {
  return makePlain(plan, type, batch, workSize, nx);
}

hipfftResult hipfftMakePlan2d(hipfftHandle plan, int nx, int ny, hipfftType type,
                              size_t* workSize) {
  return makePlain(plan, type, 1, workSize, nx, ny);
}

hipfftResult hipfftMakePlan3d(hipfftHandle plan, int nx, int ny, int nz, hipfftType type,
                              size_t* workSize) {
  return makePlain(plan, type, 1, workSize, nx, ny, nz);
}

hipfftResult hipfftMakePlanMany(hipfftHandle plan, int rank, int* n, int* inembed, int istride,
                                int idist, int* onembed, int ostride, int odist, hipfftType type,
                                int batch, size_t* workSize) {
  Types types;
  if (!lives(plan)) return HIPFFT_INVALID_PLAN;
  if (!typesOf(type, types)) return HIPFFT_INVALID_TYPE;
  Request<int> asked = {rank,    n,     inembed, istride, idist,
                        onembed, ostride, odist, types,   batch};
  return make(plan, asked, workSize);
}

hipfftResult hipfftMakePlanMany64(hipfftHandle plan, int rank, long long* n, long long* inembed,
                                  long long istride, long long idist, long long* onembed,
                                  long long ostride, long long odist, hipfftType type,
                                  long long batch, size_t* workSize) {
  Types types;
  if (!lives(plan)) return HIPFFT_INVALID_PLAN;
  if (!typesOf(type, types)) return HIPFFT_INVALID_TYPE;
  Request<long long> asked = {rank,    n,       inembed, istride, idist,
                              onembed, ostride, odist,   types,   batch};
  return make(plan, asked, workSize);
}

// Halves are computed in double precision like all other types, so the execution type has no effect.
hipfftResult hipfftXtMakePlanMany(hipfftHandle plan, int rank, long long* n, long long* inembed,
                                  long long istride, long long idist, hipDataType in,
                                  long long* onembed, long long ostride, long long odist,
                                  hipDataType out, long long batch, size_t* workSize, hipDataType) {
  Request<long long> asked = {rank,    n,       inembed, istride,   idist,
                              onembed, ostride, odist,   {in, out}, batch};
  return make(plan, asked, workSize);
}

hipfftResult hipfftPlan1d(hipfftHandle* plan, int nx, hipfftType type, int batch) {
  return created(plan,
                 [&](hipfftHandle made) { return makePlain(made, type, batch, nullptr, nx); });
}

hipfftResult hipfftPlan2d(hipfftHandle* plan, int nx, int ny, hipfftType type) {
  return created(plan,
                 [&](hipfftHandle made) { return makePlain(made, type, 1, nullptr, nx, ny); });
}

hipfftResult hipfftPlan3d(hipfftHandle* plan, int nx, int ny, int nz, hipfftType type) {
  return created(plan,
                 [&](hipfftHandle made) { return makePlain(made, type, 1, nullptr, nx, ny, nz); });
}

hipfftResult hipfftPlanMany(hipfftHandle* plan, int rank, int* n, int* inembed, int istride,
                            int idist, int* onembed, int ostride, int odist, hipfftType type,
                            int batch) {
  return created(plan, [&](hipfftHandle made) {
    return hipfftMakePlanMany(made, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                              batch, nullptr);
  });
}

hipfftResult hipfftEstimate1d(int nx, hipfftType type, int batch, size_t* workSize) {
  return estimatePlain(type, batch, workSize, nx);
}

hipfftResult hipfftEstimate2d(int nx, int ny, hipfftType type, size_t* workSize) {
  return estimatePlain(type, 1, workSize, nx, ny);
}

hipfftResult hipfftEstimate3d(int nx, int ny, int nz, hipfftType type, size_t* workSize) {
  return estimatePlain(type, 1, workSize, nx, ny, nz);
}

hipfftResult hipfftEstimateMany(int rank, int* n, int* inembed, int istride, int idist,
                                int* onembed, int ostride, int odist, hipfftType type, int batch,
                                size_t* workSize) {
  Types types;
  if (!typesOf(type, types)) return HIPFFT_INVALID_TYPE;
  Request<int> asked = {rank,    n,       inembed, istride, idist,
                        onembed, ostride, odist,   types,   batch};
  return estimate(asked, workSize);
}

hipfftResult hipfftGetSize1d(hipfftHandle plan, int nx, hipfftType type, int batch,
                             size_t* workSize) {
  return lives(plan) ? hipfftEstimate1d(nx, type, batch, workSize) : HIPFFT_INVALID_PLAN;
}

hipfftResult hipfftGetSize2d(hipfftHandle plan, int nx, int ny, hipfftType type, size_t* workSize) {
  return lives(plan) ? hipfftEstimate2d(nx, ny, type, workSize) : HIPFFT_INVALID_PLAN;
}

hipfftResult hipfftGetSize3d(hipfftHandle plan, int nx, int ny, int nz, hipfftType type,
                             size_t* workSize) {
  return lives(plan) ? hipfftEstimate3d(nx, ny, nz, type, workSize) : HIPFFT_INVALID_PLAN;
}

hipfftResult hipfftGetSizeMany(hipfftHandle plan, int rank, int* n, int* inembed, int istride,
                               int idist, int* onembed, int ostride, int odist, hipfftType type,
                               int batch, size_t* workSize) {
  if (!lives(plan)) return HIPFFT_INVALID_PLAN;
  return hipfftEstimateMany(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                            workSize);
}

hipfftResult hipfftGetSizeMany64(hipfftHandle plan, int rank, long long* n, long long* inembed,
                                 long long istride, long long idist, long long* onembed,
                                 long long ostride, long long odist, hipfftType type,
                                 long long batch, size_t* workSize) {
  Types types;
  if (!lives(plan)) return HIPFFT_INVALID_PLAN;
  if (!typesOf(type, types)) return HIPFFT_INVALID_TYPE;
  Request<long long> asked = {rank,    n,       inembed, istride, idist,
                              onembed, ostride, odist,   types,   batch};
  return estimate(asked, workSize);
}

hipfftResult hipfftXtGetSizeMany(hipfftHandle plan, int rank, long long* n, long long* inembed,
                                 long long istride, long long idist, hipDataType in,
                                 long long* onembed, long long ostride, long long odist,
                                 hipDataType out, long long batch, size_t* workSize, hipDataType) {
  if (!lives(plan)) return HIPFFT_INVALID_PLAN;
  Request<long long> asked = {rank,    n,       inembed, istride,   idist,
                              onembed, ostride, odist,   {in, out}, batch};
  return estimate(asked, workSize);
}

hipfftResult hipfftExecC2C(hipfftHandle plan, hipfftComplex* in, hipfftComplex* out,
                           int direction) {
  return execute(plan, HIPFFT_C2C, in, out, direction);
}

hipfftResult hipfftExecR2C(hipfftHandle plan, hipfftReal* in, hipfftComplex* out) {
  return execute(plan, HIPFFT_R2C, in, out, HIPFFT_FORWARD);
}

hipfftResult hipfftExecC2R(hipfftHandle plan, hipfftComplex* in, hipfftReal* out) {
  return execute(plan, HIPFFT_C2R, in, out, HIPFFT_BACKWARD);
}

hipfftResult hipfftExecZ2Z(hipfftHandle plan, hipfftDoubleComplex* in, hipfftDoubleComplex* out,
                           int direction) {
  return execute(plan, HIPFFT_Z2Z, in, out, direction);
}

hipfftResult hipfftExecD2Z(hipfftHandle plan, hipfftDoubleReal* in, hipfftDoubleComplex* out) {
  return execute(plan, HIPFFT_D2Z, in, out, HIPFFT_FORWARD);
}

hipfftResult hipfftExecZ2D(hipfftHandle plan, hipfftDoubleComplex* in, hipfftDoubleReal* out) {
  return execute(plan, HIPFFT_Z2D, in, out, HIPFFT_BACKWARD);
}

hipfftResult hipfftXtExec(hipfftHandle plan, void* in, void* out, int direction) {
  if (!lives(plan) || !plan->transform) return HIPFFT_INVALID_PLAN;
  const Transform& made = *plan->transform;
  bool mixed = made.input().real() || made.output().real();
  if (!mixed && direction != HIPFFT_FORWARD && direction != HIPFFT_BACKWARD) {
    return HIPFFT_INVALID_VALUE;
  }
  return execute(plan, in, out, direction == HIPFFT_BACKWARD);
}

}  // extern "C"
