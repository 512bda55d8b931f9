// Addresses as operands of translated PTX: a pointer or a 64-bit number for generic and
// global memory, a 32- or 64-bit number (an offset in the LDS of the block) for shared memory.
//
// Both count in bytes. __cvta_generic_to_shared and cvta.to.shared return an offset in LDS.
#ifndef ROCPORT_PTX_ADDRESS_H
#define ROCPORT_PTX_ADDRESS_H

#if defined(__HIP__) && defined(__clang__)

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace rocport {
namespace ptx {

/// An address of generic, global, constant or local memory.
class Address {
 public:
  template <typename T>
  __device__ __forceinline__ Address(T* p) : at_((char*)(unsigned long long)p) {}
  template <typename T>
  __device__ __forceinline__ Address(const volatile T* p) : at_((char*)(unsigned long long)p) {}
  __device__ __forceinline__ Address(unsigned long long p) : at_((char*)p) {}
  __device__ __forceinline__ Address(unsigned long p) : at_((char*)p) {}
  __device__ __forceinline__ Address(long long p) : at_((char*)p) {}
  __device__ __forceinline__ Address(long p) : at_((char*)p) {}

  __device__ __forceinline__ Address operator+(long long bytes) const {
    return Address(at_ + bytes);
  }

  /// The object at the address.
  template <typename T>
  __device__ __forceinline__ T* as() const {
    return (T*)at_;
  }

 private:
  char* at_;
};

/// An address of the block's shared memory.
class SharedAddress {
 public:
  /// Also of a pointer: the low half of a generic address in shared memory is the offset.
  template <typename T>
  __device__ __forceinline__ SharedAddress(T offset) : offset_((unsigned)(uintptr_t)offset) {}

  __device__ __forceinline__ SharedAddress operator+(long long bytes) const {
    return SharedAddress(offset_ + (unsigned)bytes);
  }

  /// The object at the address, in the address space of LDS.
  template <typename T>
  __device__ __forceinline__ __attribute__((address_space(3))) T* as() const {
    return (__attribute__((address_space(3))) T*)(uintptr_t)offset_;
  }

 private:
  unsigned offset_;
};

/// The 64 bits of a number or a pointer.
template <typename T>
__device__ __forceinline__ unsigned long long word(T value) {
  return (unsigned long long)value;
}

/// Stores 64 bits in a number or a pointer.
template <typename T>
__device__ __forceinline__ void set(T& place, unsigned long long value) {
  place = (T)value;
}

}  // namespace ptx
}  // namespace rocport

#endif  // __HIP__ && __clang__
#endif  // ROCPORT_PTX_ADDRESS_H
