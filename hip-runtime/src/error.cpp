#include "error.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "session.h"
#include "turns.h"

namespace rocport {
namespace {

// Before HIP 7, the last error is the result of the last call. From HIP 7 on, as in CUDA, successful calls keep it.
constexpr bool ERRORS_STAY = HIP_VERSION_MAJOR >= 7;

thread_local hipError_t latest = hipSuccess;  // the result of the last call
thread_local hipError_t last = hipSuccess;

// One write, so that lines of several threads or processes do not mix.
void line(const char* format, va_list arguments) {
  char text[4096];
  int head = std::snprintf(text, sizeof text, "rocport: ");
  int length = std::vsnprintf(text + head, sizeof text - head, format, arguments);
  if (length >= static_cast<int>(sizeof text) - head - 1) {
    text[sizeof text - 2] = '\0';
  }
  std::string whole = text;
  if (whole.back() != '\n') whole += '\n';
  std::fputs(whole.c_str(), stderr);
}

struct Text {
  hipError_t code;
  const char* name;
  const char* text;
};

#define ERROR(code, text) {code, #code, text}
constexpr Text TEXTS[] = {
    ERROR(hipSuccess, "no error"),
    ERROR(hipErrorInvalidValue, "invalid argument"),
    ERROR(hipErrorOutOfMemory, "out of memory"),
    ERROR(hipErrorNotInitialized, "initialization error"),
    ERROR(hipErrorDeinitialized, "driver shutting down"),
    ERROR(hipErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    ERROR(hipErrorProfilerNotInitialized, "profiler is not initialized"),
    ERROR(hipErrorProfilerAlreadyStarted, "profiler already started"),
    ERROR(hipErrorProfilerAlreadyStopped, "profiler already stopped"),
    ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    ERROR(hipErrorMissingConfiguration, "__global__ function call is not configured"),
    ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    ERROR(hipErrorNoDevice, "no ROCm-capable device is detected"),
    ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    ERROR(hipErrorInvalidContext, "invalid device context"),
    ERROR(hipErrorContextAlreadyCurrent, "context is already current context"),
    ERROR(hipErrorMapFailed, "mapping of buffer object failed"),
    ERROR(hipErrorUnmapFailed, "unmapping of buffer object failed"),
    ERROR(hipErrorArrayIsMapped, "array is mapped"),
    ERROR(hipErrorAlreadyMapped, "resource already mapped"),
    ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
    ERROR(hipErrorAlreadyAcquired, "resource already acquired"),
    ERROR(hipErrorNotMapped, "resource not mapped"),
    ERROR(hipErrorNotMappedAsArray, "resource not mapped as array"),
    ERROR(hipErrorNotMappedAsPointer, "resource not mapped as pointer"),
    ERROR(hipErrorECCNotCorrectable, "uncorrectable ECC error encountered"),
    ERROR(hipErrorUnsupportedLimit, "limit is not supported on this architecture"),
    ERROR(hipErrorContextAlreadyInUse, "exclusive-thread device already in use by a different thread"),
    ERROR(hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    ERROR(hipErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    ERROR(hipErrorInvalidSource, "device kernel image is invalid"),
    ERROR(hipErrorFileNotFound, "file not found"),
    ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    ERROR(hipErrorSharedObjectInitFailed, "shared object initialization failed"),
    ERROR(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    ERROR(hipErrorNotFound, "named symbol not found"),
    ERROR(hipErrorNotReady, "device not ready"),
    ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ERROR(hipErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
    ERROR(hipErrorAssert, "device-side assert triggered"),
    ERROR(hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    ERROR(hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    ERROR(hipErrorNotSupported, "operation not supported"),
    ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    ERROR(hipErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    ERROR(hipErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    ERROR(hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    ERROR(hipErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    ERROR(hipErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing blocking stream"),
    ERROR(hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    ERROR(hipErrorStreamCaptureWrongThread, "attempt to terminate a thread-local capture sequence from another thread"),
    ERROR(hipErrorGraphExecUpdateFailure, "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update"),
    ERROR(hipErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    ERROR(hipErrorInvalidTexture, "invalid texture"),
    ERROR(hipErrorUnknown, "unknown error"),
    ERROR(hipErrorRuntimeMemory, "runtime memory call returned error"),
    ERROR(hipErrorRuntimeOther, "runtime call other than memory returned error"),
    ERROR(hipErrorTbd, "an error code that HIP has not yet named"),
};
#undef ERROR

const Text* find(hipError_t code) {
  for (const Text& text : TEXTS) {
    if (text.code == code) return &text;
  }
  return nullptr;
}

}  // namespace

void tell(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  line(format, arguments);
  va_end(arguments);
}

void die(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  line(format, arguments);
  va_end(arguments);
  std::abort();
}

hipError_t remember(hipError_t result) {
  latest = result;
  // "Not ready" is an answer, not an error.
  if (!ERRORS_STAY || (result != hipSuccess && result != hipErrorNotReady)) last = result;
  return result;
}

void enter() {
  called();
  if (Session::inherited()) {
    static bool told = false;
    if (!told) {
      told = true;
      tell("HIP was used before fork(): the child process cannot use it (fork first, or exec)");
    }
    fail(hipErrorNotInitialized);
  }
}

}  // namespace rocport

using rocport::find;

extern "C" {

hipError_t hipGetLastError() { return std::exchange(rocport::last, hipSuccess); }

hipError_t hipExtGetLastError() {
  return std::exchange(rocport::ERRORS_STAY ? rocport::latest : rocport::last, hipSuccess);
}

hipError_t hipPeekAtLastError() { return rocport::last; }

const char* hipGetErrorName(hipError_t code) {
  const auto* text = find(code);
  return text ? text->name : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t code) {
  const auto* text = find(code);
  return text ? text->text : "unrecognized error code";
}

hipError_t hipDrvGetErrorName(hipError_t code, const char** name) {
  if (!name) return hipErrorInvalidValue;
  const auto* text = find(code);
  *name = text ? text->name : nullptr;
  return text ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipDrvGetErrorString(hipError_t code, const char** string) {
  if (!string) return hipErrorInvalidValue;
  const auto* text = find(code);
  *string = text ? text->text : nullptr;
  return text ? hipSuccess : hipErrorInvalidValue;
}

}  // extern "C"
