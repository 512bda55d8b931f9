#include "codeimage.h"

#include <string.h>
#include <sys/mman.h>

#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <unistd.h>

#include "error.h"

namespace rocport {
namespace {

/** The key of a name in the metadata, in MessagePack: a string of five characters. */
constexpr std::string_view NAME = "\xa5.name";

/** A string in MessagePack; empty for anything else. */
std::string_view text(std::string_view packed) {
  auto byte = [&](size_t i) { return i < packed.size() ? static_cast<unsigned char>(packed[i]) : 0u; };
  size_t head = 1;
  size_t length = 0;
  if (byte(0) >> 5 == 5) {
    length = byte(0) & 31;
  } else if (byte(0) >= 0xd9 && byte(0) <= 0xdb) {
    head += size_t{1} << (byte(0) - 0xd9);
    for (size_t i = 1; i < head; i++) length = length << 8 | byte(i);
  }
  return head + length <= packed.size() ? packed.substr(head, length) : std::string_view();
}

}  // namespace

CodeImage::CodeImage(const char* path) : path_(path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  require(file >= 0, hipErrorFileNotFound);
  bool regular = fstat(file, &status_) == 0 && S_ISREG(status_.st_mode) && status_.st_size > 0;
  if (regular) {
    mapping_ = mmap(nullptr, static_cast<size_t>(status_.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    if (mapping_ == MAP_FAILED) mapping_ = nullptr;
  }
  close(file);
  if (mapping_ == nullptr) {
    std::ifstream in(path, std::ios::binary);
    require(in.good(), hipErrorFileNotFound);
    copy_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
}

CodeImage::~CodeImage() {
  if (mapping_ != nullptr) munmap(mapping_, static_cast<size_t>(status_.st_size));
}

std::string_view CodeImage::bytes() const {
  if (mapping_ == nullptr) return copy_;
  return {static_cast<const char*>(mapping_), static_cast<size_t>(status_.st_size)};
}

/** Entries of a table in the file, or null if it is not all there. */
template <class T>
const T* CodeImage::at(uint64_t offset, uint64_t count) const {
  uint64_t size = bytes().size();
  bool whole = offset <= size && count <= (size - offset) / sizeof(T) && offset % alignof(T) == 0;
  return whole ? reinterpret_cast<const T*>(bytes().data() + offset) : nullptr;
}

const Elf64_Ehdr* CodeImage::header() const {
  constexpr Elf64_Half AMDGPU = 224;
  const auto* head = at<Elf64_Ehdr>(0, 1);
  if (head == nullptr || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
      head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != AMDGPU ||
      head->e_phentsize != sizeof(Elf64_Phdr)) {
    return nullptr;
  }
  const auto* segments = at<Elf64_Phdr>(head->e_phoff, head->e_phnum);
  for (unsigned i = 0; segments != nullptr && i < head->e_phnum; i++) {
    if (at<char>(segments[i].p_offset, segments[i].p_filesz) == nullptr) return nullptr;
  }
  return segments == nullptr ? nullptr : head;
}

void CodeImage::findNames() {
  searched_ = true;
  const Elf64_Ehdr* head = header();
  const auto* segments = head == nullptr ? nullptr : at<Elf64_Phdr>(head->e_phoff, head->e_phnum);
  for (unsigned i = 0; segments != nullptr && i < head->e_phnum; i++) {
    if (segments[i].p_type != PT_NOTE) continue;
    std::string_view notes = bytes().substr(segments[i].p_offset, segments[i].p_filesz);
    for (size_t key = notes.find(NAME); key != notes.npos; key = notes.find(NAME, key + 1)) {
      names_.insert(text(notes.substr(key + NAME.size())));
    }
  }
}

bool CodeImage::mayHold(const std::string& kernel) {
  if (!searched_) findNames();
  return names_.empty() || names_.count(kernel) != 0;
}

bool CodeImage::isUnchanged() const {
  struct stat now {};
  if (mapping_ == nullptr || stat(path_.c_str(), &now) != 0) return true;
  bool same = now.st_dev == status_.st_dev && now.st_ino == status_.st_ino;
  return !same || (now.st_size == status_.st_size && now.st_mtim.tv_sec == status_.st_mtim.tv_sec &&
                   now.st_mtim.tv_nsec == status_.st_mtim.tv_nsec);
}

}  // namespace rocport
