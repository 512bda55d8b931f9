// Error handling: inside the library a Failure, outside a hipError_t that the calling thread stores, or a message and
// abort() where ROCm aborts, too.
#pragma once

#include <hip/hip_runtime_api.h>

#include <new>
#include <system_error>
#include <type_traits>
#include <utility>

namespace rocport {

/** Ends a call of the API with this result. */
struct Failure {
  hipError_t code;
};

[[noreturn]] inline void fail(hipError_t code) { throw Failure{code}; }

inline void require(bool holds, hipError_t otherwise = hipErrorInvalidValue) {
  if (!holds) fail(otherwise);
}

/** A line on stderr that begins with "rocport: ". */
void tell(const char* format, ...) __attribute__((format(printf, 1, 2)));

/** The same, then abort(). */
[[noreturn]] void die(const char* format, ...) __attribute__((format(printf, 1, 2)));

/** Keeps the result of a call for hipGetLastError and hands it back. */
hipError_t remember(hipError_t result);

/** What every call does first: a child of fork() cannot use its parent's device. */
void enter();

/** Runs the body of a function of the API. The body returns a hipError_t or nothing. */
template <class Body>
hipError_t api(Body&& body) noexcept {
  try {
    enter();
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      std::forward<Body>(body)();
      return remember(hipSuccess);
    } else {
      return remember(std::forward<Body>(body)());
    }
  } catch (const Failure& failure) {
    return remember(failure.code);
  } catch (const std::bad_alloc&) {
    return remember(hipErrorOutOfMemory);
  } catch (const std::system_error& error) {
    tell("%s", error.what());
    return remember(hipErrorOperatingSystem);
  }
}

}  // namespace rocport
