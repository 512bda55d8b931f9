// Linking bitcode at run time.
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <map>
#include <memory>
#include <mutex>
#include <new>

#include "../linker.h"
#include "target.h"

namespace {

using rocport::Linker;

struct Table {
  std::mutex mutex;
  std::map<Linker*, std::unique_ptr<Linker>> living;
};

Table& table() {
  static auto* all = new Table;
  return *all;
}

Linker* linkerOf(hiprtcLinkState handle) {
  auto* linker = reinterpret_cast<Linker*>(handle);
  std::lock_guard lock(table().mutex);
  return table().living.count(linker) ? linker : nullptr;
}

hiprtcResult answer(Linker::Result result) {
  switch (result) {
    case Linker::Result::GOOD: return HIPRTC_SUCCESS;
    case Linker::Result::FAILED: return HIPRTC_ERROR_LINKING;
    case Linker::Result::NO_FILE: return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
    case Linker::Result::BAD_INPUT:
    case Linker::Result::NOT_SUPPORTED: return HIPRTC_ERROR_INVALID_INPUT;
  }
  return HIPRTC_ERROR_INTERNAL_ERROR;
}

template <class Body>
hiprtcResult call(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

}  // namespace

extern "C" {

hiprtcResult hiprtcLinkCreate(unsigned count, hiprtcJIT_option* options, void** values,
                              hiprtcLinkState* state) {
  return call([&] {
    if (!state) return HIPRTC_ERROR_INVALID_INPUT;
    auto linker = std::make_unique<Linker>();
    hiprtcResult result = answer(linker->configure(count, options, values));
    if (result != HIPRTC_SUCCESS) return result;
    std::lock_guard lock(table().mutex);
    *state = reinterpret_cast<hiprtcLinkState>(linker.get());
    table().living[linker.get()] = std::move(linker);
    return HIPRTC_SUCCESS;
  });
}

// Options for a single input exist in CUDA only.
hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type, void* image, size_t size,
                               const char*, unsigned, hiprtcJIT_option*, void**) {
  return call([&] {
    Linker* linker = linkerOf(state);
    if (!linker || !image || size == 0) return HIPRTC_ERROR_INVALID_INPUT;
    return answer(linker->add(type, {static_cast<const char*>(image), size}, currentTarget()));
  });
}

hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type, const char* path,
                               unsigned, hiprtcJIT_option*, void**) {
  return call([&] {
    Linker* linker = linkerOf(state);
    if (!linker || !path) return HIPRTC_ERROR_INVALID_INPUT;
    return answer(linker->addFile(type, path, currentTarget()));
  });
}

hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void** image, size_t* size) {
  return call([&] {
    Linker* linker = linkerOf(state);
    if (!linker || !image || !size) return HIPRTC_ERROR_INVALID_INPUT;
    hiprtcResult result = answer(linker->complete(reinterpret_cast<void*>(&hiprtcLinkComplete), currentTarget()));
    if (result != HIPRTC_SUCCESS) return result;
    *image = linker->image().data();
    *size = linker->image().size();
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state) {
  return call([&] {
    Linker* linker = linkerOf(state);
    if (!linker) return HIPRTC_ERROR_INVALID_INPUT;
    std::lock_guard lock(table().mutex);
    table().living.erase(linker);
    return HIPRTC_SUCCESS;
  });
}

}  // extern "C"
