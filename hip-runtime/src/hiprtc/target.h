// The GPU that code is made for where the program does not say.
#pragma once

#include <string>

/** The GPU that the program works with, where it has one; else the device's usual one. */
std::string currentTarget();
