// Finds the socket of the device, and starts a device if none listens.
#pragma once

namespace rocport {

/** A socket connected to the device; fails with hipErrorNoDevice and a message if there is none. */
int connectToDevice();

/** A second socket to the device that connectToDevice() found. */
int connectAgain();

}  // namespace rocport
