// Arguments of the command line and paths of data files, with the names of helper_string.h of the
// CUDA samples, in the global namespace as there.
//
// An argument is "--name" or "--name=value" with any number of dashes; letters of both cases are the
// same. getCmdLineArgumentInt, -Float and -String accept each argument that begins with the name, and
// take the last one; checkCmdLineFlag and getCmdLineArgumentValue need the whole name.
// getCmdLineArgumentValue reads an integer for every type, as in CUDA.
//
// sdkFindFilePath looks in the working folder, in the folder of the program, and in the folders data,
// src and inc of these and of up to four folders above each. CUDA has a longer list.
#ifndef ROCPORT_HELPER_STRING_H
#define ROCPORT_HELPER_STRING_H

#ifndef __cplusplus
#error "rocport/helper_string.h needs C++"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <string>

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(to, size, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(result) (result == NULL)
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef FSCANF
#define FSCANF fscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

namespace rocport {
namespace samples {

/// The text after the name in the last argument that begins with it, or null.
inline const char* argument(int argc, const char** argv, const char* name) {
  const char* found = nullptr;
  for (int i = 1; i < argc; i++) {
    const char* text = argv[i];
    while (*text == '-') text++;
    if (strncasecmp(text, name, strlen(name)) == 0) found = text + strlen(name);
  }
  return found;
}

/// The same, for arguments whose name ends there: an empty text, or one that begins with '='.
inline const char* whole_argument(int argc, const char** argv, const char* name) {
  for (int i = 1; i < argc; i++) {
    const char* one[] = {"", argv[i]};
    const char* rest = argument(2, one, name);
    if (rest != nullptr && (*rest == '\0' || *rest == '=')) return rest;
  }
  return nullptr;
}

/// What comes after an equals sign, if there is one.
inline const char* value(const char* rest) { return *rest == '=' ? rest + 1 : rest; }

}  // namespace samples
}  // namespace rocport

/// The index of the first character that is not the delimiter; 0 where nothing is left.
inline int stringRemoveDelimiter(char delimiter, const char* string) {
  int start = 0;
  while (string[start] == delimiter) start++;
  return start >= static_cast<int>(strlen(string)) - 1 ? 0 : start;
}

/// Points to what comes after the last dot, and returns its length; null and 0 without a dot.
inline int getFileExtension(char* filename, char** extension) {
  char* dot = strrchr(filename, '.');
  *extension = dot == nullptr ? nullptr : dot + 1;
  return dot == nullptr ? 0 : static_cast<int>(strlen(dot + 1));
}

inline bool checkCmdLineFlag(const int argc, const char** argv, const char* string_ref) {
  return rocport::samples::whole_argument(argc, argv, string_ref) != nullptr;
}

template <class T>
inline bool getCmdLineArgumentValue(const int argc, const char** argv, const char* string_ref,
                                    T* value) {
  const char* rest = rocport::samples::whole_argument(argc, argv, string_ref);
  if (rest != nullptr && *rest == '=') *value = static_cast<T>(atoi(rest + 1));
  return rest != nullptr;
}

inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* string_ref) {
  const char* rest = rocport::samples::argument(argc, argv, string_ref);
  return rest == nullptr ? 0 : atoi(rocport::samples::value(rest));
}

inline float getCmdLineArgumentFloat(const int argc, const char** argv, const char* string_ref) {
  const char* rest = rocport::samples::argument(argc, argv, string_ref);
  return rest == nullptr ? 0.0f : static_cast<float>(atof(rocport::samples::value(rest)));
}

inline bool getCmdLineArgumentString(const int argc, const char** argv, const char* string_ref,
                                     char** string_retval) {
  const char* rest = rocport::samples::argument(argc, argv, string_ref);
  *string_retval =
      rest == nullptr ? nullptr : const_cast<char*>(rocport::samples::value(rest));
  return rest != nullptr;
}

/// The path of a file that can be read, for free(), or null.
inline char* sdkFindFilePath(const char* filename, const char* executable_path) {
  if (filename == nullptr) return nullptr;
  std::string folders[2];
  if (executable_path != nullptr) {
    const std::string program = executable_path;
    const size_t slash = program.find_last_of('/');
    if (slash != std::string::npos) folders[1] = program.substr(0, slash + 1);
  }
  for (const std::string& folder : folders) {
    std::string up = folder;
    for (int level = 0; level < 5; level++) {
      for (const char* below : {"", "data/", "src/", "inc/"}) {
        const std::string path = up + below + filename;
        if (FILE* file = fopen(path.c_str(), "rb")) {
          const bool readable = fgetc(file) != EOF || feof(file);  // not a folder
          fclose(file);
          if (readable) return strdup(path.c_str());
        }
      }
      up += "../";
    }
  }
  return nullptr;
}

#endif
