// Comparisons, binary PGM and PPM files, and files of numbers, with the names of helper_image.h of the
// CUDA samples, in the global namespace as there. Memory that a function allocates is for free().
//
//   compareData, compareDataAsFloatThreshold, sdkCompareL2fe, sdkComparePGM, sdkComparePPM
//   sdkLoadPGM, sdkSavePGM (of bytes and of floats between 0 and 1)
//   sdkLoadPPM4, sdkLoadPPM4ub (a fourth channel of 0), sdkSavePPMub, sdkSavePPM4ub
//   sdkReadFile, sdkWriteFile (text), sdkDumpBin, sdkCompareBin2BinUint, sdkCompareBin2BinFloat
//
// CUDA's sdkReadFileBlocks and sdkLoadPPMub are missing. Only images of 8 bits a
// channel are read.
#ifndef ROCPORT_HELPER_IMAGE_H
#define ROCPORT_HELPER_IMAGE_H

#ifndef __cplusplus
#error "rocport/helper_image.h needs C++"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>
#include <vector>

#include "helper_string.h"

#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif

namespace rocport {
namespace samples {

/// Whether so many differences are few enough: none, or less than a part of all values.
inline bool few(unsigned int differences, unsigned int values, float part) {
  if (part == 0.0f) return differences == 0;
  if (differences > 0) {
    printf("%4.2f(%%) of bytes mismatched (count=%u)\n",
           100.0f * static_cast<float>(differences) / static_cast<float>(values), differences);
  }
  return static_cast<float>(values) * part > static_cast<float>(differences);
}

/// The next number in the head of an image, after spaces and comments; -1 where there is none.
inline int head_number(FILE* file) {
  int c = fgetc(file);
  while (c == '#' || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
    if (c == '#') {
      while (c != '\n' && c != EOF) c = fgetc(file);
    } else {
      c = fgetc(file);
    }
  }
  if (c < '0' || c > '9') return -1;
  int number = 0;
  for (; c >= '0' && c <= '9' && number < 100000000; c = fgetc(file)) {
    number = 10 * number + (c - '0');
  }
  return number;  // the character after it is read, too
}

/// Reads an image with the magic number P and a digit, and so many channels.
inline bool load(const char* path, char kind, size_t channels, std::vector<unsigned char>& pixels,
                 unsigned int& width, unsigned int& height) {
  FILE* file = fopen(path, "rb");
  if (file == nullptr) {
    fprintf(stderr, "cannot open the image %s\n", path);
    return false;
  }
  const bool magic = fgetc(file) == 'P' && fgetc(file) == kind;
  const int w = magic ? head_number(file) : -1;
  const int h = magic ? head_number(file) : -1;
  const int most = magic ? head_number(file) : -1;
  bool good = w > 0 && h > 0 && most > 0 && most < 256;
  if (good) {
    const size_t bytes = static_cast<size_t>(w) * static_cast<size_t>(h) * channels;
    if (width != 0 && height != 0 && pixels.empty()) {
      good = width == static_cast<unsigned int>(w) && height == static_cast<unsigned int>(h);
    }
    if (good) {
      pixels.resize(bytes);
      good = fread(pixels.data(), 1, bytes, file) == bytes;
    }
    width = static_cast<unsigned int>(w);
    height = static_cast<unsigned int>(h);
  }
  fclose(file);
  if (!good) {
    fprintf(stderr, "%s is not an image of type P%c with 8 bits a channel and the given size\n",
            path, kind);
  }
  return good;
}

inline bool save(const char* path, char kind, const std::vector<unsigned char>& pixels,
                 unsigned int width, unsigned int height) {
  FILE* file = fopen(path, "wb");
  if (file == nullptr) {
    fprintf(stderr, "cannot write the image %s\n", path);
    return false;
  }
  fprintf(file, "P%c\n%u\n%u\n255\n", kind, width, height);
  const bool all = fwrite(pixels.data(), 1, pixels.size(), file) == pixels.size();
  return fclose(file) == 0 && all;
}

/// A byte of an image as a value, and the other way round: floats are between 0 and 1.
template <class T>
T of_byte(unsigned char byte) {
  return std::is_floating_point<T>::value ? static_cast<T>(byte / 255.0f) : static_cast<T>(byte);
}
template <class T>
unsigned char to_byte(T value) {
  return static_cast<unsigned char>(std::is_floating_point<T>::value
                                        ? static_cast<float>(value) * 255.0f
                                        : static_cast<float>(value));
}

/// Puts values where the caller wants them: into its own memory, or into memory for free().
template <class T>
bool give(const std::vector<T>& values, T** data) {
  if (*data == nullptr) *data = static_cast<T*>(malloc(values.size() * sizeof(T) + 1));
  if (*data == nullptr) return false;
  if (!values.empty()) memcpy(*data, values.data(), values.size() * sizeof(T));
  return true;
}

}  // namespace samples
}  // namespace rocport

template <class T, class S>
inline bool compareData(const T* reference, const T* data, const unsigned int len, const S epsilon,
                        const float threshold) {
  unsigned int differences = 0;
  for (unsigned int i = 0; i < len; i++) {
    const float difference = static_cast<float>(reference[i]) - static_cast<float>(data[i]);
    const float most = static_cast<float>(epsilon);
    if (!(difference <= most && difference >= -most)) differences++;
  }
  return rocport::samples::few(differences, len, threshold);
}

/// The same, with a tolerance of at least 0.001.
template <class T, class S>
inline bool compareDataAsFloatThreshold(const T* reference, const T* data, const unsigned int len,
                                        const S epsilon, const float threshold) {
  const float most = static_cast<float>(epsilon) > 1e-3f ? static_cast<float>(epsilon) : 1e-3f;
  unsigned int differences = 0;
  for (unsigned int i = 0; i < len; i++) {
    const float difference = static_cast<float>(reference[i]) - static_cast<float>(data[i]);
    if (!(fabsf(difference) < most)) differences++;
  }
  return rocport::samples::few(differences, len, threshold);
}

/// Whether the L2 norm of the differences is below epsilon times that of the reference.
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int len,
                           const float epsilon) {
  float error = 0;
  float norm = 0;
  for (unsigned int i = 0; i < len; i++) {
    const float difference = reference[i] - data[i];
    error += difference * difference;
    norm += reference[i] * reference[i];
  }
  if (sqrtf(norm) < 1e-7f) {
    fprintf(stderr, "ERROR, reference l2-norm is 0\n");
    return false;
  }
  return sqrtf(error) / sqrtf(norm) < epsilon;
}

/// Loads a gray image. Where *data is not null, it must be of the size *w times *h.
template <class T>
inline bool sdkLoadPGM(const char* file, T** data, unsigned int* w, unsigned int* h) {
  std::vector<unsigned char> bytes;
  if (*data == nullptr) *w = *h = 0;
  if (!rocport::samples::load(file, '5', 1, bytes, *w, *h)) return false;
  std::vector<T> values;
  for (unsigned char byte : bytes) values.push_back(rocport::samples::of_byte<T>(byte));
  return rocport::samples::give(values, data);
}

template <class T>
inline bool sdkSavePGM(const char* file, T* data, unsigned int w, unsigned int h) {
  std::vector<unsigned char> bytes;
  for (size_t i = 0; i < static_cast<size_t>(w) * h; i++) {
    bytes.push_back(rocport::samples::to_byte(data[i]));
  }
  return rocport::samples::save(file, '5', bytes, w, h);
}

/// Loads a color image as four channels, the fourth 0.
template <class T>
inline bool sdkLoadPPM4(const char* file, T** data, unsigned int* w, unsigned int* h) {
  std::vector<unsigned char> bytes;
  if (*data == nullptr) *w = *h = 0;
  if (!rocport::samples::load(file, '6', 3, bytes, *w, *h)) return false;
  std::vector<T> values;
  for (size_t i = 0; i < bytes.size(); i++) {
    values.push_back(rocport::samples::of_byte<T>(bytes[i]));
    if (i % 3 == 2) values.push_back(static_cast<T>(0));
  }
  return rocport::samples::give(values, data);
}

inline bool sdkLoadPPM4ub(const char* file, unsigned char** data, unsigned int* w,
                          unsigned int* h) {
  return sdkLoadPPM4<unsigned char>(file, data, w, h);
}

inline bool sdkSavePPMub(const char* file, unsigned char* data, unsigned int w, unsigned int h) {
  const size_t bytes = static_cast<size_t>(w) * h * 3;
  return rocport::samples::save(file, '6', std::vector<unsigned char>(data, data + bytes), w, h);
}

/// Saves the first three of four channels.
inline bool sdkSavePPM4ub(const char* file, unsigned char* data, unsigned int w, unsigned int h) {
  std::vector<unsigned char> bytes;
  for (size_t i = 0; i < static_cast<size_t>(w) * h * 4; i++) {
    if (i % 4 != 3) bytes.push_back(data[i]);
  }
  return rocport::samples::save(file, '6', bytes, w, h);
}

namespace rocport {
namespace samples {

inline bool compare_images(const char* source, const char* reference, char kind, size_t channels,
                           float epsilon, float threshold, bool verbose) {
  std::vector<unsigned char> a, b;
  unsigned int aw = 0, ah = 0, bw = 0, bh = 0;
  if (!load(source, kind, channels, a, aw, ah) || !load(reference, kind, channels, b, bw, bh)) {
    return false;
  }
  if (aw != bw || ah != bh) {
    fprintf(stderr, "the images %s and %s have different sizes\n", source, reference);
    return false;
  }
  const bool same = compareData(b.data(), a.data(), static_cast<unsigned int>(a.size()), epsilon,
                                threshold);
  if (verbose) printf(same ? "     OK\n" : "     FAILURE!\n");
  return same;
}

}  // namespace samples
}  // namespace rocport

inline bool sdkComparePPM(const char* src_file, const char* ref_file, const float epsilon,
                          const float threshold, bool verboseErrors) {
  return rocport::samples::compare_images(src_file, ref_file, '6', 3, epsilon, threshold,
                                          verboseErrors);
}

inline bool sdkComparePGM(const char* src_file, const char* ref_file, const float epsilon,
                          const float threshold, bool verboseErrors) {
  return rocport::samples::compare_images(src_file, ref_file, '5', 1, epsilon, threshold,
                                          verboseErrors);
}

/// Reads all numbers of a text file. Where *data is not null, *len values fit in.
template <class T>
inline bool sdkReadFile(const char* filename, T** data, unsigned int* len, bool verbose) {
  FILE* file = fopen(filename, "r");
  if (file == nullptr) {
    if (verbose) fprintf(stderr, "cannot open the file %s\n", filename);
    return false;
  }
  std::vector<T> values;
  double number;
  for (;;) {
    if (fscanf(file, "%lf", &number) == 1) {
      values.push_back(static_cast<T>(number));
    } else if (fscanf(file, "#%*[^\n]") == EOF) {
      break;  // at the end; a line that begins with # is a comment
    } else if (fgetc(file) != '\n') {
      fprintf(stderr, "the file %s has something other than numbers\n", filename);
      fclose(file);
      return false;
    }
  }
  fclose(file);
  const unsigned int count = static_cast<unsigned int>(values.size());
  if (*data != nullptr && *len != count) {
    fprintf(stderr, "the file %s has %u values, not %u\n", filename, count, *len);
    return false;
  }
  *len = count;
  return rocport::samples::give(values, data);
}

/// Writes numbers as text, after a line with the tolerance of a comparison.
template <class T, class S>
inline bool sdkWriteFile(const char* filename, const T* data, unsigned int len, const S epsilon,
                         bool verbose, bool append = false) {
  FILE* file = fopen(filename, append ? "a" : "w");
  if (file == nullptr) {
    if (verbose) fprintf(stderr, "cannot write the file %s\n", filename);
    return false;
  }
  fprintf(file, "# %g\n", static_cast<double>(epsilon));
  for (unsigned int i = 0; i < len; i++) fprintf(file, "%.9g ", static_cast<double>(data[i]));
  fputc('\n', file);
  return fclose(file) == 0;
}

inline bool sdkDumpBin(void* data, unsigned int bytes, const char* filename) {
  FILE* file = fopen(filename, "wb");
  if (file == nullptr) return false;
  const bool all = fwrite(data, 1, bytes, file) == bytes;
  return fclose(file) == 0 && all;
}

namespace rocport {
namespace samples {

/// Reads so many values of a binary file; false if it has fewer or is not there.
template <class T>
inline bool read_values(const char* filename, unsigned int count, std::vector<T>& values) {
  FILE* file = filename == nullptr ? nullptr : fopen(filename, "rb");
  values.resize(count);
  const bool all = file != nullptr && fread(values.data(), sizeof(T), count, file) == count;
  if (!all) {
    fprintf(stderr, "cannot read %u values of the file %s\n", count,
            filename == nullptr ? "(not found)" : filename);
  }
  if (file != nullptr) fclose(file);
  return all;
}

/// Reads a binary file, and another one where sdkFindFilePath finds it.
template <class T>
inline bool read_both(const char* src_file, const char* ref_file, unsigned int count,
                      const char* exec_path, std::vector<T>& src, std::vector<T>& ref) {
  char* found = sdkFindFilePath(ref_file, exec_path);
  const bool both = read_values(src_file, count, src) && read_values(found, count, ref);
  free(found);
  return both;
}

}  // namespace samples
}  // namespace rocport

/// Compares binary files; the reference is searched where the data of a program is.
inline bool sdkCompareBin2BinUint(const char* src_file, const char* ref_file,
                                  unsigned int nelements, const float epsilon,
                                  const float threshold, char* exec_path) {
  std::vector<unsigned int> src, ref;
  return rocport::samples::read_both(src_file, ref_file, nelements, exec_path, src, ref) &&
         compareData(ref.data(), src.data(), nelements, epsilon, threshold);
}

inline bool sdkCompareBin2BinFloat(const char* src_file, const char* ref_file,
                                   unsigned int nelements, const float epsilon,
                                   const float threshold, char* exec_path) {
  std::vector<float> src, ref;
  return rocport::samples::read_both(src_file, ref_file, nelements, exec_path, src, ref) &&
         compareDataAsFloatThreshold(ref.data(), src.data(), nelements, epsilon, threshold);
}

#endif
