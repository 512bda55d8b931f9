// The store of compiled programs: damaged entries, entries and folders that others may write, its limit.
#include "../../../hip-runtime/src/hiprtc/store.h"

#include <sys/stat.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

using rocport::kept::hex;
using rocport::kept::Sha256;
using rocport::kept::Store;
namespace fs = std::filesystem;

namespace {

mode_t modeOf(const fs::path& file) {
  struct stat facts = {};
  return stat(file.c_str(), &facts) == 0 ? facts.st_mode & 0777 : 0;
}

void age(const fs::path& file, time_t seconds) {
  timespec times[2] = {{seconds, 0}, {seconds, 0}};
  HOLDS(utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
}

void store(const fs::path& folder) {
  Store all(folder, 1000);
  HOLDS(!all.read("aabb.r"));
  all.write("aabb.r", std::string("one\0two", 7));
  fs::path file = folder / "aa/bb.r";
  HOLDS(all.read("aabb.r") == std::string("one\0two", 7));
  HOLDS(modeOf(folder) == 0700 && modeOf(folder / "aa") == 0700 && modeOf(file) == 0600);

  // A damaged entry does not count, and is replaced.
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(33).put('x');
  HOLDS(!all.read("aabb.r"));
  fs::resize_file(file, 5);
  HOLDS(!all.read("aabb.r"));
  all.write("aabb.r", "whole");
  HOLDS(all.read("aabb.r") == "whole");

  // Nor does one that others may write, or a link.
  HOLDS(chmod(file.c_str(), 0620) == 0 && !all.read("aabb.r"));
  HOLDS(chmod(file.c_str(), 0600) == 0 && all.read("aabb.r"));
  fs::create_symlink(file, folder / "aa/cc.r");
  HOLDS(!all.read("aacc.r"));

  // Folders that others may write are closed at the next write.
  HOLDS(chmod(folder.c_str(), 0777) == 0);
  all.write("abcd.r", "next");
  HOLDS(modeOf(folder) == 0755 && all.read("abcd.r") == "next");

  // Beyond the limit, those go that were used least recently, and reading is use.
  all.write("1100.r", std::string(300, 'a'));
  all.write("1101.r", std::string(300, 'b'));
  age(folder / "11/00.r", 1000);
  age(folder / "11/01.r", 2000);
  HOLDS(all.read("1100.r"));
  all.write("1102.r", std::string(300, 'c'));
  HOLDS(all.read("1100.r") && !all.read("1101.r") && all.read("1102.r"));
}

void concurrent(const fs::path& folder) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&folder] {
      Store all(folder, 1 << 20);
      for (int i = 0; i < 200; i++) {
        all.write("ffff.r", std::string(5000, static_cast<char>('a' + i % 20)));
        auto got = all.read("ffff.r");
        HOLDS(got && got->size() == 5000 && got->find_first_not_of((*got)[0]) == std::string::npos);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // No file is left over.
  size_t files = 0;
  for (auto& found : fs::directory_iterator(folder / "ff")) files += found.path().filename() == "ff.r" ? 1 : 100;
  HOLDS(files == 1);
}

}  // namespace

int main() {
  HOLDS(hex(Sha256::of("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  HOLDS(hex(Sha256::of(std::string(119, 'a'))) == "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
  HOLDS(hex(Sha256::of("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  std::string scratch = (fs::temp_directory_path() / "kept-XXXXXX").string();
  HOLDS(mkdtemp(scratch.data()) != nullptr);
  store(fs::path(scratch) / "rocport/objects");
  concurrent(fs::path(scratch) / "rocport/more");
  fs::remove_all(scratch);
  return done();
}
