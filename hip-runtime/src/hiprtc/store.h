// The object cache of "rocport build" (ObjectCache), which hiprtc shares: files by name, each after its SHA-256.
#pragma once

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sha256.h"

namespace rocport::kept {

namespace fs = std::filesystem;

/** Keeps texts below their names. Processes may use a folder at the same time. */
class Store {
 public:
  /** The most bytes in the folder of all users of it; CACHE_LIMIT of Builder. */
  static constexpr uint64_t LIMIT = uint64_t{4} << 30;

  Store(fs::path folder, uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

  /** The folder of this user; empty if the user has no home. */
  static fs::path home() {
    for (auto [variable, below] : {std::pair("XDG_CACHE_HOME", ""), std::pair("HOME", ".cache")}) {
      const char* value = getenv(variable);
      if (value && *value == '/') return fs::path(value) / below / "rocport/objects";
    }
    passwd* user = getpwuid(geteuid());
    return user && user->pw_dir && *user->pw_dir == '/' ? fs::path(user->pw_dir) / ".cache/rocport/objects" : fs::path();
  }

  /** What is kept; nothing if it is damaged, or if another user may have written it. */
  std::optional<std::string> read(const std::string& name) const {
    int file = open(path(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return {};
    std::string all;
    struct stat facts;
    bool own = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && isOwn(facts);
    char part[65536];
    ssize_t got = 0;
    while (own && (got = ::read(file, part, sizeof part)) != 0) {
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) break;
      all.append(part, static_cast<size_t>(got));
    }
    bool whole = own && got == 0 && all.size() >= HASH &&
                 Sha256::of(all.substr(HASH)) == all.substr(0, HASH);
    // Its time of use counts when the folder is full.
    if (whole) futimens(file, nullptr);
    close(file);
    if (!whole) return {};
    return all.substr(HASH);
  }

  /** Keeps a text; without a word if that is impossible, since it can be made again. */
  void write(const std::string& name, const std::string& text) const {
    fs::path file = path(name);
    if (!makeOwn(folder_.parent_path()) || !makeOwn(folder_) || !makeOwn(file.parent_path())) return;
    std::string part = (file.parent_path() / "part-XXXXXX").string();
    int out = mkostemp(part.data(), O_CLOEXEC);
    if (out < 0) return;
    bool written = put(out, Sha256::of(text)) && put(out, text);
    written = close(out) == 0 && written;
    if (!written || rename(part.c_str(), file.c_str()) != 0) unlink(part.c_str());
    trim();
  }

 private:
  static constexpr size_t HASH = 32;

  fs::path path(const std::string& name) const { return folder_ / name.substr(0, 2) / name.substr(2); }

  /** Whether only this user can write something. */
  static bool isOwn(const struct stat& facts) {
    return facts.st_uid == geteuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  }

  /** Makes a folder of this user, which others cannot write from now on. */
  static bool makeOwn(const fs::path& folder) {
    std::error_code ignored;
    fs::create_directories(folder.parent_path(), ignored);
    mkdir(folder.c_str(), 0700);
    struct stat facts;
    if (stat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode) || facts.st_uid != geteuid()) return false;
    return isOwn(facts) || chmod(folder.c_str(), facts.st_mode & 0755) == 0;
  }

  static bool put(int file, const std::string& text) {
    for (size_t at = 0; at < text.size();) {
      ssize_t wrote = ::write(file, text.data() + at, text.size() - at);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) return false;
      at += static_cast<size_t>(wrote);
    }
    return true;
  }

  struct Kept {
    timespec used;
    uint64_t size;
    fs::path file;
  };

  /** Deletes the files that were used least recently if there are too many bytes, as ObjectCache does. */
  void trim() const {
    uint64_t total = 0;
    std::vector<Kept> all;
    std::error_code failure;
    for (fs::directory_iterator folder(folder_, failure), end; !failure && folder != end; folder.increment(failure)) {
      std::error_code skipped;
      for (fs::directory_iterator file(folder->path(), skipped); !skipped && file != end; file.increment(skipped)) {
        struct stat facts;
        if (lstat(file->path().c_str(), &facts) != 0) continue;
        total += static_cast<uint64_t>(facts.st_size);
        all.push_back({facts.st_mtim, static_cast<uint64_t>(facts.st_size), file->path()});
      }
    }
    if (total <= limit_) return;
    int lock = open((folder_ / "lock").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    if (lock < 0) return;
    if (fcntl(lock, F_SETLK, &whole) == 0) {
      std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) {
        return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
      });
      for (const Kept& kept : all) {
        if (total <= limit_ / 10 * 8) break;
        unlink(kept.file.c_str());
        total -= kept.size;
      }
    }
    close(lock);
  }

  fs::path folder_;
  uint64_t limit_;
};

/** Digits for file names. */
inline std::string hex(const std::string& bytes) {
  std::string text;
  for (unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace rocport::kept
