// Handles and settings.
#include "../dense/eigen.h"
#include "call.h"

using namespace rocport;
using namespace rocport::solver;

namespace {

template <class Object, class Given>
Object& of(Given given) {
  require(given != nullptr, HIPSOLVER_STATUS_NOT_INITIALIZED);
  return *static_cast<Object*>(given);
}

template <class Object, class Given>
hipsolverStatus_t create(Given* to) {
  return guarded([&] {
    require(to != nullptr, HIPSOLVER_STATUS_HANDLE_IS_NULLPTR);
    *to = new Object;
  });
}

template <class Object, class Given>
hipsolverStatus_t destroy(Given given) {
  return guarded([&] { delete &of<Object>(given); });
}

hipsolverStatus_t destroyHandle(hipsolverHandle_t handle) {
  return guarded([&] {
    auto& mine = of<Handle>(handle);
    (void)hipStreamSynchronize(mine.stream);
    delete &mine;
  });
}

hipsolverStatus_t setStream(hipsolverHandle_t handle, hipStream_t stream) {
  return guarded([&] { of<Handle>(handle).stream = stream; });
}

template <class T>
void give(T* to, T value) {
  require(to != nullptr);
  *to = value;
}

hipsolverStatus_t getStream(hipsolverHandle_t handle, hipStream_t* stream) {
  return guarded([&] { give(stream, of<Handle>(handle).stream); });
}

// All results are the same each time.
hipsolverStatus_t setMode(hipsolverHandle_t handle, hipsolverDeterministicMode_t mode) {
  return guarded([&] {
    require(mode == HIPSOLVER_DETERMINISTIC_RESULTS || mode == HIPSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS,
            HIPSOLVER_STATUS_INVALID_ENUM);
    of<Handle>(handle).mode = mode;
  });
}

hipsolverStatus_t getMode(hipsolverHandle_t handle, hipsolverDeterministicMode_t* mode) {
  return guarded([&] { give(mode, of<Handle>(handle).mode); });
}

struct Options {};

}  // namespace

extern "C" {

hipsolverStatus_t hipsolverCreate(hipsolverHandle_t* handle) { return create<Handle>(handle); }
hipsolverStatus_t hipsolverDnCreate(hipsolverHandle_t* handle) { return create<Handle>(handle); }
hipsolverStatus_t hipsolverDestroy(hipsolverHandle_t handle) { return destroyHandle(handle); }
hipsolverStatus_t hipsolverDnDestroy(hipsolverHandle_t handle) { return destroyHandle(handle); }
hipsolverStatus_t hipsolverSetStream(hipsolverHandle_t handle, hipStream_t stream) { return setStream(handle, stream); }
hipsolverStatus_t hipsolverDnSetStream(hipsolverHandle_t handle, hipStream_t stream) { return setStream(handle, stream); }
hipsolverStatus_t hipsolverGetStream(hipsolverHandle_t handle, hipStream_t* stream) { return getStream(handle, stream); }
hipsolverStatus_t hipsolverDnGetStream(hipsolverHandle_t handle, hipStream_t* stream) { return getStream(handle, stream); }

hipsolverStatus_t hipsolverSetDeterministicMode(hipsolverHandle_t handle, hipsolverDeterministicMode_t mode) {
  return setMode(handle, mode);
}
hipsolverStatus_t hipsolverDnSetDeterministicMode(hipsolverHandle_t handle, hipsolverDeterministicMode_t mode) {
  return setMode(handle, mode);
}
hipsolverStatus_t hipsolverGetDeterministicMode(hipsolverHandle_t handle, hipsolverDeterministicMode_t* mode) {
  return getMode(handle, mode);
}
hipsolverStatus_t hipsolverDnGetDeterministicMode(hipsolverHandle_t handle, hipsolverDeterministicMode_t* mode) {
  return getMode(handle, mode);
}

#define JACOBI(face, Name, name)                                                                                    \
  hipsolverStatus_t hipsolver##face##Create##Name##Info(hipsolver##Name##Info_t* info) { return create<Jacobi>(info); } \
  hipsolverStatus_t hipsolver##face##Destroy##Name##Info(hipsolver##Name##Info_t info) { return destroy<Jacobi>(info); } \
  hipsolverStatus_t hipsolver##face##X##name##SetMaxSweeps(hipsolver##Name##Info_t info, int most) {                \
    return guarded([&] {                                                                                            \
      require(most > 0);                                                                                            \
      of<Jacobi>(info).most = most;                                                                                 \
    });                                                                                                             \
  }                                                                                                                 \
  hipsolverStatus_t hipsolver##face##X##name##SetSortEig(hipsolver##Name##Info_t info, int sorted) {                \
    return guarded([&] { of<Jacobi>(info).sorted = sorted != 0; });                                                 \
  }                                                                                                                 \
  hipsolverStatus_t hipsolver##face##X##name##SetTolerance(hipsolver##Name##Info_t info, double tolerance) {        \
    return guarded([&] { of<Jacobi>(info).tolerance = tolerance; });                                                \
  }                                                                                                                 \
  hipsolverStatus_t hipsolver##face##X##name##GetResidual(hipsolverHandle_t handle, hipsolver##Name##Info_t info,   \
                                                          double* residual) {                                       \
    return guarded([&] {                                                                                            \
      (void)hipStreamSynchronize(of<Handle>(handle).stream);                                                        \
      give(residual, of<Jacobi>(info).residual);                                                                    \
    });                                                                                                             \
  }                                                                                                                 \
  hipsolverStatus_t hipsolver##face##X##name##GetSweeps(hipsolverHandle_t handle, hipsolver##Name##Info_t info,     \
                                                        int* sweeps) {                                              \
    return guarded([&] {                                                                                            \
      (void)hipStreamSynchronize(of<Handle>(handle).stream);                                                        \
      give(sweeps, of<Jacobi>(info).sweeps);                                                                        \
    });                                                                                                             \
  }

JACOBI(, Gesvdj, gesvdj)
JACOBI(Dn, Gesvdj, gesvdj)
JACOBI(, Syevj, syevj)
JACOBI(Dn, Syevj, syevj)

hipsolverStatus_t hipsolverDnCreateParams(hipsolverDnParams_t* options) { return create<Options>(options); }
hipsolverStatus_t hipsolverDnDestroyParams(hipsolverDnParams_t options) { return destroy<Options>(options); }

// There is one algorithm for each function.
hipsolverStatus_t hipsolverDnSetAdvOptions(hipsolverDnParams_t options, hipsolverDnFunction_t, hipsolverAlgMode_t) {
  return guarded([&] { of<Options>(options); });
}

}  // extern "C"
