// Where the device listens, and how one is started where none does.
#pragma once

namespace rocport {

/** A socket connected to the device; fails with hipErrorNoDevice and a message if there is none. */
int connectToDevice();

/** A second socket to the device that connectToDevice() found. */
int connectAgain();

}  // namespace rocport
