// The types that functions are named for, as lists for X(TYPE, NAME).
#pragma once

// Of puts, gets and signals
#define ROCSHMEM_EACH_RMA_TYPE(X)                                                              \
  X(float, float) X(double, double) X(char, char) X(signed char, schar) X(short, short)       \
  X(int, int) X(long, long) X(long long, longlong) X(unsigned char, uchar)                    \
  X(unsigned short, ushort) X(unsigned int, uint) X(unsigned long, ulong)                     \
  X(unsigned long long, ulonglong) X(__half, half) X(__hip_bfloat16, bfloat16)                \
  X(int8_t, int8) X(int16_t, int16) X(int32_t, int32) X(int64_t, int64) X(uint8_t, uint8)     \
  X(uint16_t, uint16) X(uint32_t, uint32) X(uint64_t, uint64) X(size_t, size)                 \
  X(ptrdiff_t, ptrdiff)

// Of waits and tests
#define ROCSHMEM_EACH_WAIT_TYPE(X) ROCSHMEM_EACH_RMA_TYPE(X)

// Of atomic sets, fetches and swaps; of all other arithmetic; of bits
#define ROCSHMEM_EACH_ATOMIC_TYPE(X) X(float, float) X(double, double) ROCSHMEM_EACH_COUNTER_TYPE(X)
#define ROCSHMEM_EACH_COUNTER_TYPE(X)                                                          \
  X(int, int) X(long, long) X(long long, longlong) X(unsigned int, uint)                      \
  X(unsigned long, ulong) X(unsigned long long, ulonglong) X(int32_t, int32)                  \
  X(int64_t, int64) X(uint32_t, uint32) X(uint64_t, uint64) X(size_t, size)                   \
  X(ptrdiff_t, ptrdiff)
#define ROCSHMEM_EACH_BITS_TYPE(X)                                                             \
  X(unsigned int, uint) X(unsigned long, ulong) X(unsigned long long, ulonglong)              \
  X(int32_t, int32) X(int64_t, int64) X(uint32_t, uint32) X(uint64_t, uint64)

// Of collectives that move
#define ROCSHMEM_EACH_COLL_TYPE(X)                                                             \
  X(float, float) X(double, double) ROCSHMEM_EACH_INTEGER_TYPE(X) X(__half, half)             \
  X(__hip_bfloat16, bfloat16)

// Of those that reduce: all of them add, multiply and compare; integers combine bits, too
#define ROCSHMEM_EACH_INTEGER_TYPE(X)                                                          \
  X(char, char) X(signed char, schar) X(short, short) X(int, int) X(long, long)               \
  X(long long, longlong) X(unsigned char, uchar) X(unsigned short, ushort)                    \
  X(unsigned int, uint) X(unsigned long, ulong) X(unsigned long long, ulonglong)              \
  X(int8_t, int8) X(int16_t, int16) X(uint8_t, uint8) X(uint16_t, uint16)

// X(TYPE, NAME, OPERATION, CONSTANT)
#define ROCSHMEM_EACH_REDUCTION(X)                                                             \
  ROCSHMEM_ARITHMETIC_(X, float, float) ROCSHMEM_ARITHMETIC_(X, double, double)               \
  ROCSHMEM_ARITHMETIC_(X, __half, half) ROCSHMEM_ARITHMETIC_(X, __hip_bfloat16, bfloat16)     \
  ROCSHMEM_ALL_OPERATIONS_(X, char, char) ROCSHMEM_ALL_OPERATIONS_(X, signed char, schar)     \
  ROCSHMEM_ALL_OPERATIONS_(X, short, short) ROCSHMEM_ALL_OPERATIONS_(X, int, int)             \
  ROCSHMEM_ALL_OPERATIONS_(X, long, long) ROCSHMEM_ALL_OPERATIONS_(X, long long, longlong)    \
  ROCSHMEM_ALL_OPERATIONS_(X, unsigned char, uchar)                                            \
  ROCSHMEM_ALL_OPERATIONS_(X, unsigned short, ushort)                                          \
  ROCSHMEM_ALL_OPERATIONS_(X, unsigned int, uint)                                              \
  ROCSHMEM_ALL_OPERATIONS_(X, unsigned long, ulong)                                            \
  ROCSHMEM_ALL_OPERATIONS_(X, unsigned long long, ulonglong)                                   \
  ROCSHMEM_ALL_OPERATIONS_(X, int8_t, int8) ROCSHMEM_ALL_OPERATIONS_(X, int16_t, int16)       \
  ROCSHMEM_ALL_OPERATIONS_(X, uint8_t, uint8) ROCSHMEM_ALL_OPERATIONS_(X, uint16_t, uint16)
#define ROCSHMEM_ARITHMETIC_(X, T, NAME)                                                       \
  X(T, NAME, sum, ROCSHMEM_SUM) X(T, NAME, min, ROCSHMEM_MIN)                                 \
  X(T, NAME, max, ROCSHMEM_MAX) X(T, NAME, prod, ROCSHMEM_PROD)
#define ROCSHMEM_ALL_OPERATIONS_(X, T, NAME)                                                   \
  ROCSHMEM_ARITHMETIC_(X, T, NAME) X(T, NAME, or, ROCSHMEM_OR)                                \
  X(T, NAME, and, ROCSHMEM_AND) X(T, NAME, xor, ROCSHMEM_XOR)
