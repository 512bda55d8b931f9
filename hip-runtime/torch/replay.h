/*
 * Replays the calls of a compiled PyTorch graph.
 *
 * SCRIPT has one call a line, its fields separated by tabs; sizes, offsets and strides are in bytes
 * unless stated otherwise. DATA holds the bytes of inputs; RESULTS receives the tensors that `save`
 * names, one after the other, without gaps.
 *
 *   buffer ID BYTES                              allocates device memory: NaN, or -1, until written
 *   load ID OFFSET FROM BYTES                    bytes FROM... of DATA into a buffer
 *   code ID PATH                                 loads a code object
 *   launch CODE KERNEL SHARED GX GY GZ THREADS ARGS...
 *                                                an argument is p:ID:OFFSET (a pointer),
 *                                                b:SIZE:HEX (a value, little-endian) or n (null)
 *   hold ID / back ID                            keeps the contents of a buffer / restores them
 *   copy ITEM RANK SIZES... FROM OFFSET STRIDES... TO OFFSET STRIDES...
 *                                                a strided copy of items
 *   gemm TYPE BATCH M N K ALPHA BETA A OFFSET OP LD STRIDE B ... C OFFSET LD STRIDE
 *                                                hipBLAS, column-major; LD and STRIDE in elements
 *   expect BYTES ID OFFSET HEX                   fails if a value, which the host reads, is another one
 *   save ITEM RANK SIZES... ID OFFSET STRIDES... appends a tensor to RESULTS
 *
 * With several ranks, each of which has a script of its own:
 *
 *   team ID START STRIDE SIZE                    a group of some of the ranks
 *   symmetric ID BYTES                           a buffer in the symmetric heap
 *   all_reduce|reduce_scatter TYPE REDUCTION COUNT FROM OFFSET TO OFFSET
 *                                                COUNT elements of the result; both in the heap
 *   all_gather BYTES FROM OFFSET TO OFFSET       BYTES of each rank
 *   all_to_all BYTES FROM OFFSET TO OFFSET       BYTES of each rank, in parts of equal size
 *   broadcast BYTES ROOT FROM OFFSET TO OFFSET   ROOT is a number in the group
 *                                                a collective in a group ends with the ID of its team
 *
 * Licensed under the Apache License, Version 2.0 (SPDX-License-Identifier: Apache-2.0)
 */
#pragma once

#define HIPBLAS_V2
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace replay {

[[noreturn]] inline void fail(const std::string &line, const std::string &why) {
  std::fprintf(stderr, "replay: %s: %s\n", line.substr(0, 200).c_str(), why.c_str());
  std::exit(2);
}

/** The fields of a line, read one after the other. */
class Fields {
 public:
  explicit Fields(const std::string &line) : line_(line), in_(line) {}

  std::string text() {
    std::string field;
    if (!std::getline(in_, field, '\t')) {
      fail(line_, "a field is missing");
    }
    return field;
  }

  bool more() { return in_.peek() != std::char_traits<char>::eof(); }

  std::int64_t number() {
    std::string field = text();
    char *end = nullptr;
    std::int64_t value = std::strtoll(field.c_str(), &end, 10);
    if (field.empty() || *end != 0) {
      fail(line_, "'" + field + "' is no number");
    }
    return value;
  }

  double real() { return std::strtod(text().c_str(), nullptr); }

  std::vector<std::int64_t> numbers(std::int64_t count) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < count; ++i) {
      all.push_back(number());
    }
    return all;
  }

  const std::string &line() const { return line_; }

 private:
  std::string line_;
  std::istringstream in_;
};

inline void must(hipError_t result, const Fields &fields) {
  if (result != hipSuccess) {
    fail(fields.line(), hipGetErrorString(result));
  }
}

inline void must(hipblasStatus_t result, const Fields &fields) {
  if (result != HIPBLAS_STATUS_SUCCESS) {
    fail(fields.line(), std::string("hipBLAS: ") + hipblasStatusToString(result));
  }
}

struct Buffer {
  char *memory = nullptr;
  std::int64_t size = 0;
  std::vector<char> held;
};

/** A view of a buffer: strides in bytes. */
struct View {
  std::int64_t buffer;
  std::int64_t offset;
  std::vector<std::int64_t> strides;
};

class Replay {
 public:
  Replay(const std::string &data, const std::string &results)
      : data_(data, std::ios::binary), results_(results, std::ios::binary) {}

  virtual ~Replay() = default;

  /** Makes the calls of a script; returns whether all of them were read and the results written. */
  bool all(const std::string &path) {
    std::ifstream script(path);
    std::string line;
    while (std::getline(script, line)) {
      run(line);
    }
    results_.close();
    return script.eof() && !results_.fail();
  }

 protected:
  /** Memory of the symmetric heap. */
  virtual void *symmetric(const Fields &fields, std::size_t) { fail(fields.line(), "there is one rank"); }

  /** All ranks have filled the symmetric memory that they have just allocated. */
  virtual void allocated() {}

  /** A collective; FIELDS has read its name. */
  virtual void collective(const std::string &verb, Fields &fields) { fail(fields.line(), "unknown call " + verb); }

  /** A group of some of the ranks. */
  virtual void team(Fields &fields) { fail(fields.line(), "there is one rank"); }

  void *memory(const Fields &fields, std::int64_t buffer, std::int64_t offset, std::int64_t bytes) {
    Buffer &b = of(fields, buffer);
    if (offset < 0 || bytes < 0 || offset > b.size || bytes > b.size - offset) {
      fail(fields.line(), "leads out of a buffer");
    }
    return b.memory + offset;
  }

 private:
  void run(const std::string &line) {
    Fields fields(line);
    std::string verb = fields.text();
    if (verb == "team") {
      team(fields);
    } else if (verb == "buffer" || verb == "symmetric") {
      buffer(fields, verb == "symmetric");
    } else if (verb == "load") {
      load(fields);
    } else if (verb == "code") {
      std::int64_t id = fields.number();
      must(hipModuleLoad(&code_[id], fields.text().c_str()), fields);
    } else if (verb == "launch") {
      launch(fields);
    } else if (verb == "hold") {
      Buffer &b = of(fields, fields.number());
      b.held.resize(b.size);
      must(hipMemcpy(b.held.data(), b.memory, b.size, hipMemcpyDeviceToHost), fields);
    } else if (verb == "back") {
      Buffer &b = of(fields, fields.number());
      must(hipMemcpy(b.memory, b.held.data(), b.held.size(), hipMemcpyHostToDevice), fields);
    } else if (verb == "copy") {
      copy(fields);
    } else if (verb == "gemm") {
      gemm(fields);
    } else if (verb == "expect") {
      expect(fields);
    } else if (verb == "save") {
      save(fields);
    } else {
      collective(verb, fields);
    }
  }

  Buffer &of(const Fields &fields, std::int64_t id) {
    auto found = buffers_.find(id);
    if (found == buffers_.end()) {
      fail(fields.line(), "there is no such buffer");
    }
    return found->second;
  }

  void buffer(Fields &fields, bool shared) {
    Buffer &b = buffers_[fields.number()];
    b.size = fields.number();
    // A kernel may load whole vectors beyond the last element, under a mask.
    if (shared) {
      b.memory = static_cast<char *>(symmetric(fields, b.size + 256));
    } else {
      must(hipMalloc(reinterpret_cast<void **>(&b.memory), b.size + 256), fields);
    }
    must(hipMemset(b.memory, 0xff, b.size + 256), fields);
    must(hipDeviceSynchronize(), fields);
    if (shared) {
      allocated();
    }
  }

  void load(Fields &fields) {
    Buffer &b = of(fields, fields.number());
    std::int64_t offset = fields.number();
    std::int64_t from = fields.number();
    std::vector<char> bytes(fields.number());
    data_.seekg(from);
    if (!data_.read(bytes.data(), bytes.size()) || offset + static_cast<std::int64_t>(bytes.size()) > b.size) {
      fail(fields.line(), "the data do not fit");
    }
    must(hipMemcpy(b.memory + offset, bytes.data(), bytes.size(), hipMemcpyHostToDevice), fields);
  }

  void launch(Fields &fields) {
    auto code = code_.find(fields.number());
    if (code == code_.end()) {
      fail(fields.line(), "there is no such code object");
    }
    hipFunction_t function;
    must(hipModuleGetFunction(&function, code->second, fields.text().c_str()), fields);
    unsigned shared = fields.number();
    std::vector<std::int64_t> grid = fields.numbers(3);
    unsigned threads = fields.number();
    std::vector<std::unique_ptr<std::uint64_t>> values;
    std::vector<void *> arguments;
    while (fields.more()) {
      values.push_back(std::make_unique<std::uint64_t>(argument(fields, fields.text())));
      arguments.push_back(values.back().get());
    }
    must(hipModuleLaunchKernel(function, grid[0], grid[1], grid[2], threads, 1, 1, shared, nullptr,
                               arguments.data(), nullptr),
         fields);
    must(hipDeviceSynchronize(), fields);
  }

  std::uint64_t argument(const Fields &fields, const std::string &text) {
    if (text == "n") {
      return 0;
    }
    std::size_t colon = text.find(':', 2);
    if (colon == std::string::npos) {
      fail(fields.line(), "'" + text + "' is no argument");
    }
    std::string second = text.substr(colon + 1);
    if (text[0] == 'b') {
      return std::strtoull(second.c_str(), nullptr, 16);
    }
    Buffer &b = of(fields, std::strtoll(text.c_str() + 2, nullptr, 10));
    return reinterpret_cast<std::uint64_t>(b.memory) + std::strtoll(second.c_str(), nullptr, 10);
  }

  View view(Fields &fields, std::int64_t rank) {
    View v;
    v.buffer = fields.number();
    v.offset = fields.number();
    v.strides = fields.numbers(rank);
    return v;
  }

  std::vector<char> contents(const Fields &fields, std::int64_t id) {
    Buffer &b = of(fields, id);
    std::vector<char> bytes(b.size);
    must(hipMemcpy(bytes.data(), b.memory, b.size, hipMemcpyDeviceToHost), fields);
    return bytes;
  }

  /** Calls visit(index of an element, its offset) for each element in order. */
  template <class Visit>
  static void each(const std::vector<std::int64_t> &sizes, Visit visit) {
    std::vector<std::int64_t> at(sizes.size());
    std::int64_t count = 1;
    for (std::int64_t size : sizes) {
      count *= size;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      visit(at);
      for (std::size_t d = sizes.size(); d-- > 0;) {
        if (++at[d] < sizes[d]) {
          break;
        }
        at[d] = 0;
      }
    }
  }

  static std::int64_t place(const View &v, const std::vector<std::int64_t> &at) {
    std::int64_t offset = v.offset;
    for (std::size_t d = 0; d < at.size(); ++d) {
      offset += at[d] * v.strides[d];
    }
    return offset;
  }

  void copy(Fields &fields) {
    std::int64_t item = fields.number();
    std::vector<std::int64_t> sizes = fields.numbers(fields.number());
    View from = view(fields, sizes.size());
    View to = view(fields, sizes.size());
    std::vector<char> source = contents(fields, from.buffer);
    std::vector<char> target = contents(fields, to.buffer);
    each(sizes, [&](const std::vector<std::int64_t> &at) {
      std::int64_t a = place(from, at);
      std::int64_t b = place(to, at);
      if (a < 0 || b < 0 || a + item > static_cast<std::int64_t>(source.size()) ||
          b + item > static_cast<std::int64_t>(target.size())) {
        fail(fields.line(), "leads out of a buffer");
      }
      std::copy_n(source.data() + a, item, target.data() + b);
    });
    must(hipMemcpy(of(fields, to.buffer).memory, target.data(), target.size(), hipMemcpyHostToDevice), fields);
  }

  void save(Fields &fields) {
    std::int64_t item = fields.number();
    std::vector<std::int64_t> sizes = fields.numbers(fields.number());
    View from = view(fields, sizes.size());
    std::vector<char> source = contents(fields, from.buffer);
    each(sizes, [&](const std::vector<std::int64_t> &at) {
      std::int64_t a = place(from, at);
      if (a < 0 || a + item > static_cast<std::int64_t>(source.size())) {
        fail(fields.line(), "leads out of a buffer");
      }
      results_.write(source.data() + a, item);
    });
  }

  void expect(Fields &fields) {
    std::int64_t bytes = fields.number();
    std::uint64_t value = 0;
    if (bytes < 1 || bytes > static_cast<std::int64_t>(sizeof value)) {
      fail(fields.line(), "no size of a value");
    }
    std::int64_t id = fields.number();
    std::int64_t offset = fields.number();
    must(hipMemcpy(&value, memory(fields, id, offset, bytes), bytes, hipMemcpyDeviceToHost), fields);
    std::string expected = fields.text();
    std::uint64_t bits = std::strtoull(expected.c_str(), nullptr, 16) & (~std::uint64_t{0} >> (64 - 8 * bytes));
    if (value != bits) {
      char found[20];
      std::snprintf(found, sizeof found, "%llx", static_cast<unsigned long long>(value));
      fail(fields.line(), std::string("the host reads the bits ") + found + ", so that other calls would follow than in the recording");
    }
  }

  struct Matrix {
    std::int64_t buffer;
    std::int64_t offset;
    void *memory;
    hipblasOperation_t operation;
    int leading;
    long long stride;
  };

  Matrix matrix(Fields &fields, bool transposable) {
    Matrix m{};
    m.buffer = fields.number();
    m.offset = fields.number();
    m.memory = of(fields, m.buffer).memory + m.offset;
    m.operation = transposable && fields.text() == "t" ? HIPBLAS_OP_T : HIPBLAS_OP_N;
    m.leading = static_cast<int>(fields.number());
    m.stride = fields.number();
    return m;
  }

  /** Fails if a matrix, or the last one of a batch, does not end in its buffer. */
  void within(const Fields &fields, const Matrix &m, std::int64_t rows, std::int64_t columns, int batch, int item) {
    if (m.operation != HIPBLAS_OP_N) {
      std::swap(rows, columns);
    }
    double last = static_cast<double>(batch - 1) * static_cast<double>(m.stride) +
                  static_cast<double>(columns - 1) * m.leading + static_cast<double>(rows);
    if (rows < 1 || columns < 1 || batch < 1 || m.leading < rows || m.stride < 0 || m.offset < 0 ||
        static_cast<double>(m.offset) + last * item > static_cast<double>(of(fields, m.buffer).size)) {
      fail(fields.line(), "a matrix does not end in its buffer");
    }
  }

  void gemm(Fields &fields) {
    std::string type = fields.text();
    int batch = static_cast<int>(fields.number());
    int m = static_cast<int>(fields.number());
    int n = static_cast<int>(fields.number());
    int k = static_cast<int>(fields.number());
    double alpha = fields.real();
    double beta = fields.real();
    Matrix a = matrix(fields, true);
    Matrix b = matrix(fields, true);
    Matrix c = matrix(fields, false);
    int item = type == "F64" ? 8 : type == "F32" ? 4 : 2;
    within(fields, a, m, k, batch, item);
    within(fields, b, k, n, batch, item);
    within(fields, c, m, n, batch, item);
    if (blas_ == nullptr) {
      must(hipblasCreate(&blas_), fields);
    }
    if (type == "F64") {
      must(hipblasDgemmStridedBatched(blas_, a.operation, b.operation, m, n, k, &alpha,
                                      static_cast<double *>(a.memory), a.leading, a.stride,
                                      static_cast<double *>(b.memory), b.leading, b.stride, &beta,
                                      static_cast<double *>(c.memory), c.leading, c.stride, batch),
           fields);
      return;
    }
    float one = static_cast<float>(alpha);
    float other = static_cast<float>(beta);
    if (type == "F32") {
      must(hipblasSgemmStridedBatched(blas_, a.operation, b.operation, m, n, k, &one,
                                      static_cast<float *>(a.memory), a.leading, a.stride,
                                      static_cast<float *>(b.memory), b.leading, b.stride, &other,
                                      static_cast<float *>(c.memory), c.leading, c.stride, batch),
           fields);
      return;
    }
    hipDataType element = type == "F16" ? HIP_R_16F : HIP_R_16BF;
    must(hipblasGemmStridedBatchedEx(blas_, a.operation, b.operation, m, n, k, &one, a.memory, element, a.leading,
                                     a.stride, b.memory, element, b.leading, b.stride, &other, c.memory, element,
                                     c.leading, c.stride, batch, HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT),
         fields);
  }

  std::ifstream data_;
  std::ofstream results_;
  std::map<std::int64_t, Buffer> buffers_;
  std::map<std::int64_t, hipModule_t> code_;
  hipblasHandle_t blas_ = nullptr;
};

}  // namespace replay
