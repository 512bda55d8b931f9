// How a call of a library ends: with success, a status that its body throws, or that of an exception.
#pragma once

#include <exception>
#include <new>

namespace rocport {

/** Ends a call with this status. */
template <class Status>
struct Refusal {
  Status status;
};

/** Calls a body and returns success, or the status that it throws. */
template <class Status, class Body>
Status outcome(Status success, Status noMemory, Status internal, Body body) noexcept {
  try {
    body();
    return success;
  } catch (const Refusal<Status>& refusal) {
    return refusal.status;
  } catch (const std::bad_alloc&) {
    return noMemory;
  } catch (const std::exception&) {
    return internal;
  }
}

}  // namespace rocport
