// FNV-1a, the hash of names that have to be the same in each process.
#pragma once

#include <cstdint>
#include <string_view>

namespace rocport {

inline uint64_t hashOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace rocport
