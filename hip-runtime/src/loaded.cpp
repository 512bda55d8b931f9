// Notes which of AMD's own libraries a program has loaded: reports name them.
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

namespace {

struct Loaded {
  std::string folder;
  std::string lines;
};

/** Appends the paths of those in the folder that ROCPORT_LIBRARIES names to ROCPORT_STAND_INS. */
void note() {
  const char* folder = getenv("ROCPORT_LIBRARIES");
  const char* path = getenv("ROCPORT_STAND_INS");
  if (folder == nullptr || *folder == '\0' || path == nullptr) return;
  Loaded loaded{folder, ""};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& all = *static_cast<Loaded*>(data);
        std::string name = info->dlpi_name ? info->dlpi_name : "";
        std::string start = name.substr(name.rfind('/') + 1).substr(0, 6);
        bool amd = start == "libhip" || start == "libroc";
        if (amd && name.compare(0, all.folder.size(), all.folder) == 0) all.lines += name + '\n';
        return 0;
      },
      &loaded);
  if (loaded.lines.empty()) return;
  int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;
  (void)!write(file, loaded.lines.data(), loaded.lines.size());
  close(file);
}

// Those that the program is linked with, should it die; at its end, those that it loaded later.
__attribute__((constructor)) void begin() { note(); }
__attribute__((destructor)) void end() { note(); }

}  // namespace
