#include "kept.h"

#include <string.h>
#include <sys/stat.h>

#include <algorithm>
#include <mutex>

#include "../tool.h"
#include "store.h"

namespace rocport::kept {
namespace {

using tool::begins;
using Texts = std::vector<std::string>;

/** Changes with the form of what is kept. */
constexpr char FORM[] = "hiprtc 1";

std::string packed(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) {
    uint64_t size = text.size();
    all.append(reinterpret_cast<const char*>(&size), sizeof size);
    all += text;
  }
  return all;
}

std::optional<Texts> unpacked(const std::string& all) {
  Texts texts;
  for (size_t at = 0; at < all.size();) {
    uint64_t size = 0;
    if (all.size() - at < sizeof size) return {};
    memcpy(&size, all.data() + at, sizeof size);
    at += sizeof size;
    if (all.size() - at < size) return {};
    texts.push_back(all.substr(at, size));
    at += size;
  }
  return texts;
}

/** Options whose effect is in their text: they name no file and no folder. */
bool isPlain(const std::string& option) {
  if (begins(option, "-D") || begins(option, "-U") || begins(option, "--offload-arch=")) return true;
  if (option == "-mllvm" || option.find_first_of("/.,") != std::string::npos) return false;
  for (const char* start : {"-fprofile", "-fplugin", "-fpass-plugin", "-fmodule"}) {
    if (begins(option, start)) return false;
  }
  for (const char* start : {"-O", "-f", "-m", "-g", "-W", "-w", "-std=", "--std="}) {
    if (begins(option, start)) return true;
  }
  return false;
}

/** Variables that add include folders, headers or options. */
bool isEnvironmentPlain() {
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"}) {
    const char* value = getenv(name);
    if (value && *value) return false;
  }
  const char* wanted = getenv("ROCPORT_RTC_CACHE");
  return !wanted || strcmp(wanted, "0") != 0;
}

bool isTimed(const std::string& text) {
  for (const char* name : {"__DATE__", "__TIME__", "__TIMESTAMP__"}) {
    if (text.find(name) != std::string::npos) return true;
  }
  return false;
}

/** Size and time of a file; empty if it cannot be read. */
std::string facts(const fs::path& file) {
  struct stat found;
  if (stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  return std::to_string(found.st_size) + " " + std::to_string(found.st_mtim.tv_sec) + "." +
         std::to_string(found.st_mtim.tv_nsec) + " " + std::to_string(found.st_ino);
}

/** The hash of a file; empty if it cannot be read. A process reads each state of a file once. */
std::string hashOf(const std::string& file) {
  static auto* lock = new std::mutex;
  static auto* known = new std::map<std::string, std::pair<std::string, std::string>>;
  std::string now = facts(file);
  if (now.empty()) return {};
  {
    std::lock_guard held(*lock);
    auto found = known->find(file);
    if (found != known->end() && found->second.first == now) return found->second.second;
  }
  std::string hash = Sha256::of(tool::read(file));
  std::lock_guard held(*lock);
  (*known)[file] = {now, hash};
  return hash;
}

/** The files in a rule for make. */
Texts files(const std::string& rules) {
  Texts all;
  std::string name;
  size_t at = rules.find(": ");
  for (size_t i = at == std::string::npos ? rules.size() : at + 2; i <= rules.size(); i++) {
    char c = i < rules.size() ? rules[i] : '\n';
    char next = i + 1 < rules.size() ? rules[i + 1] : '\n';
    if (c == '\\' && (next == ' ' || next == '#')) {
      name += rules[++i];
    } else if (c == '$' && next == '$') {
      name += rules[++i];
    } else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
      if (!name.empty()) all.push_back(name);
      name.clear();
    } else {
      name += c;
    }
  }
  return all;
}

}  // namespace

Request::Request(const Texts& arguments, const Texts& options, const Texts& texts, const fs::path& compiler) {
  bool plain = isEnvironmentPlain() && std::all_of(options.begin(), options.end(), isPlain) &&
               std::none_of(texts.begin(), texts.end(), isTimed);
  // The folder of the compiler is named after the hash of the toolchain.
  std::string made = facts(compiler);
  if (plain && !made.empty()) {
    key_ = hex(Sha256::of(packed({FORM, compiler.string(), made, packed(arguments), packed(texts)}))) + ".r";
  }
}

std::optional<Result> Request::find() const {
  fs::path home = Store::home();
  if (!isKept() || home.empty()) return {};
  std::optional<std::string> content = Store(home, Store::LIMIT).read(key_);
  std::optional<Texts> parts = content ? unpacked(*content) : std::nullopt;
  // A file with another name is the result of another compile.
  if (!parts || parts->size() != 6 || (*parts)[0] != key_) return {};
  std::optional<Texts> read = unpacked((*parts)[1]);
  std::optional<Texts> names = unpacked((*parts)[5]);
  if (!read || !names || read->size() % 2 != 0 || names->size() % 2 != 0) return {};
  for (size_t i = 0; i < read->size(); i += 2) {
    if (hashOf((*read)[i]) != (*read)[i + 1]) return {};
  }
  Result result{(*parts)[2], (*parts)[3], (*parts)[4], {}};
  for (size_t i = 0; i < names->size(); i += 2) result.lowered[(*names)[i]] = (*names)[i + 1];
  return result;
}

void Request::keep(const Result& result, const std::string& rules, const fs::path& scratch) const {
  fs::path home = Store::home();
  Texts found = files(rules);
  if (!isKept() || home.empty() || found.empty()) return;
  Texts read;
  for (const std::string& file : found) {
    // Precompiled headers are made of /dev/null.
    if (begins(file, scratch.c_str()) || file == "/dev/null") continue;
    std::string hash = file[0] == '/' ? hashOf(file) : std::string();
    if (hash.empty()) return;
    read.insert(read.end(), {file, hash});
  }
  Texts names;
  for (const auto& [name, symbol] : result.lowered) names.insert(names.end(), {name, symbol});
  Store(home, Store::LIMIT)
      .write(key_, packed({key_, packed(read), result.log, result.code, result.bitcode, packed(names)}));
}

}  // namespace rocport::kept
