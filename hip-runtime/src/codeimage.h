// Machine code that is kept in the program until a kernel is needed: a mapped file, or a copy.
#pragma once

#include <elf.h>
#include <sys/stat.h>

#include <string>
#include <string_view>
#include <unordered_set>

namespace rocport {

class CodeImage {
 public:
  /** Opens a file, or fails with hipErrorFileNotFound. */
  explicit CodeImage(const char* path);
  /** Copies an image, whose memory the program may reuse. */
  explicit CodeImage(std::string_view image) : copy_(image) {}
  ~CodeImage();
  CodeImage(const CodeImage&) = delete;
  CodeImage& operator=(const CodeImage&) = delete;

  std::string_view bytes() const;

  /** The header of a whole code object, or null if it is another file. */
  const Elf64_Ehdr* header() const;

  /** False if the metadata has no kernel of this name. */
  bool mayHold(const std::string& kernel);

  /** False if the file was written to since it was opened. It may be deleted or replaced. */
  bool isUnchanged() const;

 private:
  template <class T>
  const T* at(uint64_t offset, uint64_t count) const;
  void findNames();

  std::string path_;
  struct stat status_ {};
  void* mapping_ = nullptr;
  std::string copy_;  // of what is not mapped
  bool searched_ = false;
  std::unordered_set<std::string_view> names_;  // of kernels and their arguments
};

}  // namespace rocport
