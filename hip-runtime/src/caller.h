// Places in the program, for findings that this library reports itself.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "session.h"

namespace rocport {

/** Calls that have not returned, the innermost first. */
struct Calls {
  static constexpr size_t MOST = 24;
  std::array<uintptr_t, MOST> addresses;  // of, or in, the calling instructions
  size_t count = 0;
};

/** The calls of this thread. May be called in a signal handler: then, including those that the signal interrupted. */
Calls callsNow();

/** Something that happened somewhere in the program. */
struct Place {
  std::string what;
  Calls calls;
};

/** Whether code of the program's own is among the calls. */
bool fromProgram(const Calls& calls);

/** Whether an address is that of a variable of the program's own, which lives as long as it runs. */
bool isGlobal(uintptr_t address);

/** A number for the innermost call of the program's own, the same in each run of it. */
uint32_t numberOf(const Calls& calls);

/** Tells the device of a finding. */
void found(Check check, bool certain, const std::string& title, const std::string& why,
           const std::string& advice, const std::vector<Place>& places);

/** Where a call was, for a message to the device. */
void write(Writer& message, const Calls& calls);

}  // namespace rocport
