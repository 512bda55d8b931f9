// nvrtcCreateProgram with the headers that the source includes: hipRTC has neither the headers of
// this folder nor the folder of the source.
// Host, also C: rocport_create_program
//
// NVRTC searches the folder of the source, which is that of the program's name; this wrapper passes
// the files that it finds there to hipRTC by name, and the files that those include in turn. Headers
// of this folder come from rtc_headers.h, which the port writes: their text is part of the program,
// so it can be moved. Headers that the caller passes have priority, and what is not found is left
// to hipRTC. Files that only options of the compilation make visible (-I) are not read.
#ifndef ROCPORT_RTC_SOURCES_H
#define ROCPORT_RTC_SOURCES_H

#include <hip/hiprtc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_include)
#if __has_include("rtc_headers.h")
#include "rtc_headers.h"
#endif
#endif
#ifndef ROCPORT_RTC_HEADERS_H
static const char* const rocport_rtc_headers[][2] = {{0, 0}};
#endif

/// The headers of a program.
typedef struct rocport_rtc_set {
  const char** names;
  const char** texts;
  int count;
  int failed;  // no memory
} rocport_rtc_set;

/// folder + name: the folder ends with '/' or is empty.
static inline char* rocport_rtc_join(const char* folder, size_t length, const char* name, size_t more) {
  char* path = (char*)malloc(length + more + 1);
  if (!path) return 0;
  memcpy(path, folder, length);
  memcpy(path + length, name, more);
  path[length + more] = 0;
  return path;
}

static inline char* rocport_rtc_copy(const char* text, size_t length) {
  return rocport_rtc_join(text, length, "", 0);
}

static inline int rocport_rtc_has(const rocport_rtc_set* set, const char* name) {
  for (int i = 0; i < set->count; i++) {
    if (strcmp(set->names[i], name) == 0) return 1;
  }
  return 0;
}

/// Adds a header and takes its name and text, which may be null.
static inline void rocport_rtc_add(rocport_rtc_set* set, char* name, char* text) {
  size_t size = ((size_t)set->count + 1) * sizeof(char*);
  const char** names = (const char**)realloc((void*)set->names, size);
  if (names) set->names = names;
  const char** texts = (const char**)realloc((void*)set->texts, size);
  if (texts) set->texts = texts;
  if (!name || !text || !names || !texts) {
    set->failed = 1;
    free(name);
    free(text);
    return;
  }
  names[set->count] = name;
  texts[set->count++] = text;
}

/// A file's text, or null.
static inline char* rocport_rtc_read(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) return 0;
  char* text = 0;
  size_t length = 0;
  size_t got = 0;
  do {
    char* longer = (char*)realloc(text, length + 4097);
    if (!longer) {
      free(text);
      fclose(file);
      return 0;
    }
    text = longer;
    got = fread(text + length, 1, 4096, file);
    length += got;
  } while (got > 0);
  int bad = ferror(file);  // a folder opens, but cannot be read
  fclose(file);
  if (bad) {
    free(text);
    return 0;
  }
  text[length] = 0;
  return text;
}

/// The name in an #include "name" that begins here, or null; length: of the name.
static inline const char* rocport_rtc_include(const char* line, size_t* length) {
  while (*line == ' ' || *line == '\t') line++;
  if (*line++ != '#') return 0;
  while (*line == ' ' || *line == '\t') line++;
  if (strncmp(line, "include", 7) != 0) return 0;
  for (line += 7; *line == ' ' || *line == '\t'; line++) {}
  if (*line++ != '"') return 0;
  *length = strcspn(line, "\"\n");
  return line[*length] == '"' && *length > 0 ? line : 0;
}

/// The name rocport/x.h of a header of this folder, whatever path leads to it, or null.
static inline const char* rocport_rtc_own(const char* name, size_t length) {
  while (length > 3 && strncmp(name, "../", 3) == 0) {
    name += 3;
    length -= 3;
  }
  for (int i = 0; rocport_rtc_headers[i][0]; i++) {
    const char* own = rocport_rtc_headers[i][0];
    if (strlen(own) == length && strncmp(own, name, length) == 0) return own;
  }
  return 0;
}

/// Adds the header rocport/x.h and those of its folder that it includes.
static inline void rocport_rtc_add_own(rocport_rtc_set* set, const char* own) {
  if (rocport_rtc_has(set, own)) return;
  for (int i = 0; rocport_rtc_headers[i][0]; i++) {
    if (strcmp(rocport_rtc_headers[i][0], own) != 0) continue;
    const char* text = rocport_rtc_headers[i][1];
    rocport_rtc_add(set, rocport_rtc_copy(own, strlen(own)), rocport_rtc_copy(text, strlen(text)));
    for (const char* line = text; line && !set->failed; line = strchr(line, '\n')) {
      size_t length = 0;
      line += *line == '\n';
      const char* name = rocport_rtc_include(line, &length);
      char beside[256];
      if (!name || length + 9 > sizeof beside) continue;
      memcpy(beside, "rocport/", 8);
      memcpy(beside + 8, name, length);
      beside[8 + length] = 0;
      if (rocport_rtc_own(beside, 8 + length)) rocport_rtc_add_own(set, beside);
    }
  }
}

/// The length of a path's folder, with '/'.
static inline size_t rocport_rtc_folder(const char* path) {
  const char* last = path ? strrchr(path, '/') : 0;
  return last ? (size_t)(last - path) + 1 : 0;
}

/// Adds what a text includes. path: where the text is, name: under which hipRTC has it; both end in
/// a file. Shortens paths to headers of this folder in place; the lines stay the same.
static inline void rocport_rtc_collect(rocport_rtc_set* set, char* text, const char* path, const char* name) {
  for (char* line = text; line && !set->failed; line = strchr(line, '\n')) {
    size_t length = 0;
    line += *line == '\n';
    const char* found = rocport_rtc_include(line, &length);
    if (!found) continue;
    char* spelled = line + (found - line);
    const char* own = rocport_rtc_own(spelled, length);
    if (own) {
      // "../../rocport/x.h"   becomes   "rocport/x.h"
      size_t up = length - strlen(own);
      memmove(spelled, own, length - up);
      spelled[length - up] = '"';
      memset(spelled + length - up + 1, ' ', up);
      rocport_rtc_add_own(set, own);
      continue;
    }
    char* as = rocport_rtc_join(name, rocport_rtc_folder(name), spelled, length);
    if (!as || *spelled == '/' || strstr(as, "../") || rocport_rtc_has(set, as)) {
      free(as);
      continue;
    }
    char* file = rocport_rtc_join(path, rocport_rtc_folder(path), spelled, length);
    char* inner = file ? rocport_rtc_read(file) : 0;
    if (inner) {
      int at = set->count;
      rocport_rtc_add(set, as, inner);
      if (!set->failed) rocport_rtc_collect(set, inner, file, set->names[at]);
    } else {
      free(as);
    }
    free(file);
  }
}

/// hiprtcCreateProgram with the headers that NVRTC finds in the folder of the source, and those of
/// rocport.
static inline hiprtcResult rocport_create_program(hiprtcProgram* program, const char* source, const char* name,
                                                  int count, const char* const* headers,
                                                  const char* const* names) {
  if (!source || count < 0 || (count > 0 && (!headers || !names))) {
    return hiprtcCreateProgram(program, source, name, count, (const char**)headers, (const char**)names);
  }
  rocport_rtc_set set = {0, 0, 0, 0};
  for (int i = 0; i < count; i++) {
    rocport_rtc_add(&set, rocport_rtc_copy(names[i], strlen(names[i])),
                    rocport_rtc_copy(headers[i], strlen(headers[i])));
  }
  char* text = rocport_rtc_copy(source, strlen(source));
  if (!text) set.failed = 1;
  if (!set.failed) rocport_rtc_collect(&set, text, name ? name : "", "");
  for (int i = 0; i < count && !set.failed; i++) {
    rocport_rtc_collect(&set, (char*)set.texts[i], "", set.names[i]);
  }
  hiprtcResult result = HIPRTC_ERROR_OUT_OF_MEMORY;
  if (!set.failed) result = hiprtcCreateProgram(program, text, name, set.count, set.texts, set.names);
  for (int i = 0; i < set.count; i++) {
    free((void*)set.names[i]);
    free((void*)set.texts[i]);
  }
  free((void*)set.names);
  free((void*)set.texts);
  free(text);
  return result;
}

#endif  // ROCPORT_RTC_SOURCES_H
