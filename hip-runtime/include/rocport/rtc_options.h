// nvrtcCompileProgram with options of NVRTC: hipRTC passes options to clang, which rejects those that
// only NVRTC has, also where a program assembles them at run time.
// Host, also C: rocport_compile_program
//
// Options that select an NVIDIA architecture are left out; hipRTC compiles for the current device.
// Options that affect results or debugging become those of clang, options without effect on AMD GPUs
// are left out, and all others are passed unchanged, so hipRTC reports those that it does not know.
#ifndef ROCPORT_RTC_OPTIONS_H
#define ROCPORT_RTC_OPTIONS_H

#include <hip/hiprtc.h>

#include <stdlib.h>
#include <string.h>

/// An option by its names, and the words that replace it; up to three, ended by a null pointer.
typedef struct rocport_rtc_option {
  const char* name;        // after two dashes
  const char* short_name;  // after one
  char value;              // 'n': none, 'v': one, 'b': true or false
  const char* words[4];    // for 'b' the words for true
  const char* off;         // for 'b' the word for false
} rocport_rtc_option;

static inline const rocport_rtc_option* rocport_rtc_options(size_t* count) {
  static const rocport_rtc_option options[] = {
      {"gpu-architecture", "arch", 'v', {0, 0, 0, 0}, 0},
      {"device-c", "dc", 'n', {"-fgpu-rdc", 0, 0, 0}, 0},
      {"device-w", "dw", 'n', {0, 0, 0, 0}, 0},
      {"relocatable-device-code", "rdc", 'b', {"-fgpu-rdc", 0, 0, 0}, 0},
      {"extensible-whole-program", "ewp", 'n', {0, 0, 0, 0}, 0},
      {"device-debug", "G", 'n', {"-g", "-O0", 0, 0}, 0},
      {"generate-line-info", "lineinfo", 'n', {"-gline-tables-only", 0, 0, 0}, 0},
      {"dopt", "dopt", 'v', {0, 0, 0, 0}, 0},
      {"ptxas-options", "Xptxas", 'v', {0, 0, 0, 0}, 0},
      {"maxrregcount", "maxrregcount", 'v', {0, 0, 0, 0}, 0},
      {"ftz", "ftz", 'b', {"-fgpu-flush-denormals-to-zero", 0, 0, 0}, 0},
      {"prec-sqrt", "prec-sqrt", 'b', {0, 0, 0, 0}, "-fno-hip-fp32-correctly-rounded-divide-sqrt"},
      {"prec-div", "prec-div", 'b', {0, 0, 0, 0}, "-fno-hip-fp32-correctly-rounded-divide-sqrt"},
      {"fmad", "fmad", 'b', {"-ffp-contract=fast-honor-pragmas", 0, 0, 0}, "-ffp-contract=off"},
      {"use_fast_math", "use_fast_math", 'n',
       {"-fgpu-flush-denormals-to-zero", "-fno-hip-fp32-correctly-rounded-divide-sqrt",
        "-fgpu-approx-transcendentals", 0}, 0},
      {"extra-device-vectorization", "extra-device-vectorization", 'n', {0, 0, 0, 0}, 0},
      {"modify-stack-limit", "modify-stack-limit", 'b', {0, 0, 0, 0}, 0},
      {"define-macro", "D", 'v', {"-D", 0, 0, 0}, 0},
      {"undefine-macro", "U", 'v', {"-U", 0, 0, 0}, 0},
      {"include-path", "I", 'v', {"-I", 0, 0, 0}, 0},
      {"pre-include", "include", 'v', {"-include", 0, 0, 0}, 0},
      {"no-source-include", "no-source-include", 'n', {0, 0, 0, 0}, 0},
      {"builtin-move-forward", "builtin-move-forward", 'b', {0, 0, 0, 0}, 0},
      {"builtin-initializer-list", "builtin-initializer-list", 'b', {0, 0, 0, 0}, 0},
      {"disable-warnings", "w", 'n', {"-w", 0, 0, 0}, 0},
      {"restrict", "restrict", 'n', {0, 0, 0, 0}, 0},
      {"device-int128", "device-int128", 'n', {0, 0, 0, 0}, 0},
      {"optimization-info", "opt-info", 'v', {0, 0, 0, 0}, 0},
      {"display-error-number", "err-no", 'n', {0, 0, 0, 0}, 0},
      {"no-display-error-number", "no-err-no", 'n', {0, 0, 0, 0}, 0},
      {"diag-error", "diag-error", 'v', {0, 0, 0, 0}, 0},
      {"diag-suppress", "diag-suppress", 'v', {0, 0, 0, 0}, 0},
      {"diag-warn", "diag-warn", 'v', {0, 0, 0, 0}, 0},
      {"brief-diagnostics", "brief-diag", 'b', {0, 0, 0, 0}, 0},
      {"time", "time", 'v', {0, 0, 0, 0}, 0},
      {"split-compile", "split-compile", 'v', {0, 0, 0, 0}, 0},
      {"version-ident", "dQ", 'b', {0, 0, 0, 0}, 0}};
  *count = sizeof options / sizeof options[0];
  return options;
}

/// The option that a word names, or null. value: what follows '=', or null for none.
static inline const rocport_rtc_option* rocport_rtc_option_of(const char* word, const char** value) {
  if (word[0] != '-') return 0;
  size_t count = 0;
  const rocport_rtc_option* options = rocport_rtc_options(&count);
  const char* name = word + (word[1] == '-' ? 2 : 1);
  const char* equals = strchr(name, '=');
  size_t length = equals ? (size_t)(equals - name) : strlen(name);
  *value = equals ? equals + 1 : 0;
  for (size_t i = 0; i < count; i++) {
    const char* known = name - word == 2 ? options[i].name : options[i].short_name;
    if (strlen(known) == length && strncmp(known, name, length) == 0) return &options[i];
  }
  return 0;
}

/// Writes the options for hipRTC, at most three for each, and returns their number.
static inline int rocport_rtc_translate(int count, const char* const* options, const char** to) {
  int n = 0;
  for (int i = 0; i < count; i++) {
    const char* value = 0;
    const rocport_rtc_option* option = rocport_rtc_option_of(options[i], &value);
    if (!option || (option->value == 'n' && value)) {
      to[n++] = options[i];
      continue;
    }
    int first = i;
    if (option->value == 'v' && !value) value = i + 1 < count ? options[++i] : "";
    if (strcmp(option->name, "gpu-architecture") == 0 && strncmp(value, "gfx", 3) == 0) {
      while (first <= i) to[n++] = options[first++];
    } else if (option->value == 'b' && value && strcmp(value, "false") == 0) {
      if (option->off) to[n++] = option->off;
    } else {
      for (int w = 0; option->words[w]; w++) to[n++] = option->words[w];
      if (option->value == 'v' && option->words[0]) to[n++] = value;
    }
  }
  return n;
}

/// hiprtcCompileProgram with options of NVRTC.
static inline hiprtcResult rocport_compile_program(hiprtcProgram program, int count,
                                                   const char* const* options) {
  if (count <= 0 || !options) return hiprtcCompileProgram(program, count, (const char**)options);
  const char** to = (const char**)malloc(3 * (size_t)count * sizeof(char*));
  if (!to) return HIPRTC_ERROR_OUT_OF_MEMORY;
  hiprtcResult result = hiprtcCompileProgram(program, rocport_rtc_translate(count, options, to), to);
  free(to);
  return result;
}

#endif  // ROCPORT_RTC_OPTIONS_H
