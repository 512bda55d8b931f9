// The GPU to compile for if the program does not specify one.
#pragma once

#include <string>

/** The GPU that the program works with, where it has one; else the device's usual one. */
std::string currentTarget();
