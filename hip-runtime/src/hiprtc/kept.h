// Results of compiles at run time, kept by content for all processes of the user.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rocport::kept {

/** What a successful compile gives. */
struct Result {
  std::string log;
  std::string code;
  std::string bitcode;
  std::map<std::string, std::string> lowered;
};

/**
 * A compile that may have a kept result: its arguments, sources and compiler. What it reads from other files is
 * compared by content, so a result of changed headers is not used.
 */
class Request {
 public:
  /**
   * @param arguments of the compiler, without names of temporary files
   * @param options of the caller among them
   * @param texts sources, headers and all else that the result depends on
   * @param compiler its hipcc
   */
  Request(const std::vector<std::string>& arguments, const std::vector<std::string>& options,
          const std::vector<std::string>& texts, const std::filesystem::path& compiler);

  /** Whether results can be kept: nothing may depend on the time or on where headers are found. */
  bool isKept() const { return !key_.empty(); }

  /** The kept result, if there is one that this compile would give. */
  std::optional<Result> find() const;

  /**
   * Keeps a result.
   *
   * @param rules what clang has written for make: the files that it has read
   * @param scratch folder of the temporary files, whose content is in the texts
   */
  void keep(const Result& result, const std::string& rules, const std::filesystem::path& scratch) const;

 private:
  std::string key_;
};

}  // namespace rocport::kept
