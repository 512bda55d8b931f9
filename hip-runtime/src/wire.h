// The messages of docs/device-protocol.md as bytes: little endian, no padding.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "error.h"

namespace rocport {

enum class Message : uint16_t {
  HELLO = 1,
  ALLOC = 2,
  FREE = 3,
  LOAD = 4,
  UNLOAD = 5,
  LAUNCH = 6,
  MEMINFO = 7,
  PEER = 8,
  IPC_EXPORT = 9,
  IPC_OPEN = 10,
  IPC_CLOSE = 11,
  PING = 12,
  STOP = 13,
  OCCUPANCY = 14,
  RESERVE = 15,
  UNRESERVE = 16,
  CREATE = 17,
  RELEASE = 18,
  EXPORT = 19,
  IMPORT = 20,
  MAP = 21,
  UNMAP = 22,
  ACCESS = 23,
  TOUCHED = 24,
  FOUND = 25,
  SUMMARY = 26,
  MEANWHILE = 27,
  ALIAS = 28,
  KEEP = 29,
  REUSE = 30,
  DELAYED = 31,
  OUTPUT = 32,
  MEET = 33,
};

enum class Status : uint16_t {
  OK = 0,
  BAD_REQUEST = 1,
  OUT_OF_MEMORY = 2,
  NO_CODE = 3,
  BAD_CODE = 4,
  FAULT = 5,
  TRAP = 6,
  LIMIT = 7,
  UNSUPPORTED = 8,
  INVALID = 9,
  TOO_LARGE = 10,
};

/** Builds a payload. */
class Writer {
 public:
  Writer& u32(uint32_t value) { return raw(&value, sizeof value); }
  Writer& u64(uint64_t value) { return raw(&value, sizeof value); }
  Writer& text(std::string_view value) {
    return u32(static_cast<uint32_t>(value.size())).raw(value.data(), value.size());
  }
  Writer& raw(const void* from, size_t size) {
    const char* first = static_cast<const char*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
    return *this;
  }
  const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

/** Reads a payload; one that is too short means that the two sides do not fit. */
class Reader {
 public:
  explicit Reader(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
  uint32_t u32() { return number<uint32_t>(); }
  uint64_t u64() { return number<uint64_t>(); }
  std::string text() {
    uint32_t size = u32();
    const char* first = take(size);
    return std::string(first, size);
  }
  const char* take(size_t size) {
    if (size > bytes_.size() - at_) die("the device sent a message that is too short");
    const char* first = bytes_.data() + at_;
    at_ += size;
    return first;
  }
  size_t left() const { return bytes_.size() - at_; }

 private:
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::vector<char> bytes_;
  size_t at_ = 0;
};

}  // namespace rocport
