// Markers of ROCm's profilers for ported NVTX calls.
//
// Includes roctx if ROCm has it (rocprofiler-sdk, else roctracer). Without roctx, the plain calls
// do nothing, like NVTX without a profiler. It adds NVTX features that roctx lacks; they keep the
// text and drop the rest (colors, categories, payloads, domains):
//   nvtxEventAttributes_t with nvtxMarkEx, nvtxRangePushEx, nvtxRangeStartEx
//   nvtx3::scoped_range, nvtx3::unique_range, nvtx3::mark, NVTX3_FUNC_RANGE()
// Calls that name threads, devices, streams, events, contexts and categories do nothing.
// Limit: a message registered in a string handle is not shown.
#ifndef ROCPORT_ROCTX_H
#define ROCPORT_ROCTX_H

#include <stddef.h>
#include <stdint.h>

#if defined(__has_include)
#if __has_include(<rocprofiler-sdk-roctx/roctx.h>)
#include <rocprofiler-sdk-roctx/roctx.h>
#define ROCPORT_HAS_ROCTX 1
#elif __has_include(<roctracer/roctx.h>)
#include <roctracer/roctx.h>
#define ROCPORT_HAS_ROCTX 1
#endif
#endif

#ifndef ROCPORT_HAS_ROCTX
typedef uint64_t roctx_range_id_t;
static inline void roctxMarkA(const char* text) { (void)text; }
static inline int roctxRangePushA(const char* text) {
  (void)text;
  return 0;
}
static inline int roctxRangePop(void) { return 0; }
static inline roctx_range_id_t roctxRangeStartA(const char* text) {
  (void)text;
  return 0;
}
static inline void roctxRangeStop(roctx_range_id_t id) { (void)id; }
#ifndef roctxMark
#define roctxMark(text) roctxMarkA(text)
#define roctxRangePush(text) roctxRangePushA(text)
#define roctxRangeStart(text) roctxRangeStartA(text)
#endif
#endif

#define NVTX_VERSION 3
#define NVTX_COLOR_UNKNOWN 0
#define NVTX_COLOR_ARGB 1
#define NVTX_MESSAGE_UNKNOWN 0
#define NVTX_MESSAGE_TYPE_ASCII 1
#define NVTX_MESSAGE_TYPE_UNICODE 2
#define NVTX_PAYLOAD_UNKNOWN 0
#define NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 1
#define NVTX_PAYLOAD_TYPE_INT64 2
#define NVTX_PAYLOAD_TYPE_DOUBLE 3
#define NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 4
#define NVTX_PAYLOAD_TYPE_INT32 5
#define NVTX_PAYLOAD_TYPE_FLOAT 6

/// The text of a mark or a range. Only an ASCII message reaches the profiler.
typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  union {
    const char* ascii;
    const wchar_t* unicode;
  } message;
} nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

static inline const char* rocport_nvtx_text(const nvtxEventAttributes_t* event) {
  return event && event->messageType == NVTX_MESSAGE_TYPE_ASCII && event->message.ascii
             ? event->message.ascii
             : "";
}
static inline void nvtxMarkEx(const nvtxEventAttributes_t* event) {
  roctxMarkA(rocport_nvtx_text(event));
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t* event) {
  return roctxRangePushA(rocport_nvtx_text(event));
}
static inline roctx_range_id_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
  return roctxRangeStart(rocport_nvtx_text(event));
}

// A name that the profiler does not show. Streams, events and contexts are pointers.
#define ROCPORT_NVTX_NAME(kind, type)                                       \
  static inline void nvtxName##kind##A(type named, const char* name) {      \
    (void)named;                                                            \
    (void)name;                                                             \
  }                                                                         \
  static inline void nvtxName##kind##W(type named, const wchar_t* name) {   \
    (void)named;                                                            \
    (void)name;                                                             \
  }
ROCPORT_NVTX_NAME(Category, uint32_t)
ROCPORT_NVTX_NAME(OsThread, uint32_t)
ROCPORT_NVTX_NAME(CuContext, const void*)
ROCPORT_NVTX_NAME(CuDevice, int)
ROCPORT_NVTX_NAME(CuEvent, const void*)
ROCPORT_NVTX_NAME(CuStream, const void*)
ROCPORT_NVTX_NAME(CudaDevice, int)
ROCPORT_NVTX_NAME(CudaEvent, const void*)
ROCPORT_NVTX_NAME(CudaStream, const void*)
#undef ROCPORT_NVTX_NAME
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuEvent nvtxNameCuEventA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#define nvtxNameCudaStream nvtxNameCudaStreamA

#ifdef __cplusplus
#include <string>

namespace nvtx3 {

inline void mark(const char* text) { roctxMarkA(text); }
inline void mark(const std::string& text) { roctxMarkA(text.c_str()); }

/// A range that ends with its scope; further attributes are dropped.
class scoped_range {
 public:
  scoped_range() { roctxRangePushA(""); }
  template <typename... More>
  explicit scoped_range(const char* text, const More&...) {
    roctxRangePushA(text);
  }
  template <typename... More>
  explicit scoped_range(const std::string& text, const More&...) {
    roctxRangePushA(text.c_str());
  }
  ~scoped_range() { roctxRangePop(); }
  scoped_range(const scoped_range&) = delete;
  scoped_range& operator=(const scoped_range&) = delete;
};

/// A range that may start and end on different threads.
class unique_range {
 public:
  template <typename... More>
  explicit unique_range(const char* text, const More&...) : id_(roctxRangeStart(text)), open_(true) {}
  unique_range(unique_range&& other) noexcept : id_(other.id_), open_(other.open_) {
    other.open_ = false;
  }
  ~unique_range() {
    if (open_) {
      roctxRangeStop(id_);
    }
  }
  unique_range(const unique_range&) = delete;
  unique_range& operator=(const unique_range&) = delete;

 private:
  roctx_range_id_t id_;
  bool open_;
};

}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() ::nvtx3::scoped_range rocport_nvtx_function_range{__func__}
#endif  // __cplusplus

#endif  // ROCPORT_ROCTX_H
