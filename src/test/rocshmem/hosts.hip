// What the host does itself: memory, puts and gets, atomic operations, waits, queries.
#include "check.h"

namespace {

#define TYPED(T, NAME)                                                                                 \
  void rma_##NAME(Here& here) {                                                                        \
    int right = (here.pe + 1) % here.pes;                                                              \
    int left = (here.pe + here.pes - 1) % here.pes;                                                    \
    constexpr size_t N = 33;                                                                           \
    Buffer<T> cells(N + 5);                                                                            \
    std::vector<T> own(N, number<T>(here.pe + 3));                                                     \
    std::vector<T> back(N);                                                                            \
    done();                                                                                            \
    rocshmem_##NAME##_put(cells.data + 1, own.data(), N, right);                                       \
    rocshmem_##NAME##_p(cells.data + N + 2, number<T>(here.pe + 9), right);                            \
    rocshmem_quiet();                                                                                  \
    rocshmem_##NAME##_wait_until(cells.data + N + 2, ROCSHMEM_CMP_EQ, number<T>(left + 9));            \
    rocshmem_barrier_all();                                                                            \
    std::vector<T> expected = empty<T>(N + 5);                                                         \
    for (size_t i = 0; i < N; i++) expected[1 + i] = number<T>(left + 3);                              \
    expected[N + 2] = number<T>(left + 9);                                                             \
    same(here, cells.read(), expected, "put of the host, " #NAME, 0);                                  \
    rocshmem_##NAME##_get(back.data(), cells.data + 1, N, right);                                      \
    same(here, back, own, "get of the host, " #NAME, 0);                                               \
    T one = rocshmem_##NAME##_g(cells.data + N + 2, right);                                            \
    T nine = number<T>(here.pe + 9);                                                                   \
    here.check(memcmp(&one, &nine, sizeof one) == 0, "g of the host", 0, 0);                           \
    here.check(rocshmem_##NAME##_test(cells.data + N + 2, ROCSHMEM_CMP_GE, number<T>(left + 9)) == 1 && \
                   rocshmem_##NAME##_test(cells.data + N + 2, ROCSHMEM_CMP_GT, number<T>(left + 9)) == 0, \
               "test of the host", 0, 0);                                                              \
    done();                                                                                            \
  }
EACH_TYPE(TYPED)

#define COUNTER(T, NAME)                                                                               \
  void atomic_##NAME(Here& here) {                                                                     \
    Buffer<T> cells(3);                                                                                \
    cells.write({0, 7, 0});                                                                            \
    done();                                                                                            \
    T old = rocshmem_##NAME##_atomic_fetch_add(cells.data, 5, 0);                                      \
    here.check(old % 5 == 0, "fetch_add of the host, " #NAME, 0, 0);                                   \
    rocshmem_##NAME##_atomic_add(cells.data, 10, 0);                                                   \
    rocshmem_##NAME##_atomic_inc(cells.data + 2, 0);                                                   \
    rocshmem_##NAME##_atomic_fetch_inc(cells.data + 2, 0);                                             \
    if (here.pe == 0) {                                                                                \
      here.check(rocshmem_##NAME##_atomic_compare_swap(cells.data + 1, 6, 9, 0) == 7, "compare_swap", 0, 0); \
      here.check(rocshmem_##NAME##_atomic_compare_swap(cells.data + 1, 7, 9, 0) == 7, "compare_swap", 0, 1); \
      here.check(rocshmem_##NAME##_atomic_swap(cells.data + 1, 4, 0) == 9, "swap", 0, 0);              \
    }                                                                                                  \
    done();                                                                                            \
    here.check(rocshmem_##NAME##_atomic_fetch(cells.data, 0) == static_cast<T>(15 * here.pes), "fetch", 0, 0); \
    here.check(rocshmem_##NAME##_atomic_fetch(cells.data + 1, 0) == 4, "fetch", 0, 1);                 \
    here.check(rocshmem_##NAME##_atomic_fetch(cells.data + 2, 0) == static_cast<T>(2 * here.pes), "fetch", 0, 2); \
    done();                                                                                            \
  }
EACH_COUNTER(COUNTER)

#define MOVED(T, NAME)                                                                                 \
  void broadcast_##NAME(Here& here) {                                                                  \
    Buffer<T> cells(5);                                                                                \
    cells.write(std::vector<T>(5, number<T>(here.pe + 1)));                                            \
    rocshmem_barrier_all();                                                                            \
    rocshmem_ctx_t ctx;                                                                                \
    rocshmem_ctx_create(0, &ctx);                                                                      \
    rocshmem_ctx_##NAME##_broadcast(ctx, ROCSHMEM_TEAM_WORLD, cells.data, cells.data, 4, here.pes - 1); \
    rocshmem_ctx_destroy(ctx);                                                                         \
    std::vector<T> expected(4, number<T>(here.pes));                                                   \
    expected.push_back(number<T>(here.pe + 1));                                                        \
    same(here, cells.read(), expected, "broadcast of the host, " #NAME, 0);                            \
    done();                                                                                            \
  }
EACH_COLL(MOVED)

void memory(Here& here) {
  auto address = [](void* p) { return reinterpret_cast<uintptr_t>(p); };
  void* first = rocshmem_malloc(1000);
  void* second = rocshmem_align(4096, 100);
  auto* zeros = static_cast<unsigned char*>(rocshmem_calloc(25, 41));
  here.check(address(first) % 128 == 0 && address(second) % 4096 == 0, "alignment", 0, 0);
  std::vector<unsigned char> got(25 * 41);
  HIP(hipMemcpy(got.data(), zeros, got.size(), hipMemcpyDeviceToHost));
  same(here, got, std::vector<unsigned char>(got.size(), 0), "calloc", 0);
  here.check(rocshmem_malloc(0) == nullptr, "no bytes", 0, 0);
  here.check(rocshmem_align(48, 100) == nullptr && rocshmem_align(4, 100) == nullptr, "wrong alignment", 0, 0);
  here.check(rocshmem_malloc(size_t{1} << 50) == nullptr, "too many bytes", 0, 0);
  here.check(rocshmem_calloc(size_t{1} << 40, size_t{1} << 40) == nullptr, "an overflow", 0, 0);
  rocshmem_free(first);
  void* again = rocshmem_malloc(1000);
  here.check(again == first, "memory that was freed", 0, 0);
  for (int pe = 0; pe < here.pes; pe++) {
    here.check((rocshmem_ptr(again, pe) == again) == (pe == here.pe), "rocshmem_ptr", 0, pe);
  }
  int local = 0;
  here.check(rocshmem_ptr(&local, 0) == nullptr && rocshmem_ptr(again, here.pes) == nullptr, "rocshmem_ptr", 1, 0);
  rocshmem_free(again);
  rocshmem_free(second);
  rocshmem_free(zeros);
  rocshmem_free(nullptr);
  here.check(rocshmem_buffer_register(&local, sizeof local) == 0 && rocshmem_buffer_unregister(&local) == 0, "buffers", 0, 0);
  rocshmem_buffer_unregister_all();
}

void queries(Here& here) {
  int major = 0;
  int minor = 0;
  int patch = -1;
  char name[ROCSHMEM_MAX_NAME_LEN];
  rocshmem_info_get_version(&major, &minor);
  here.check(major == ROCSHMEM_MAJOR_VERSION && minor == ROCSHMEM_MINOR_VERSION, "version", 0, 0);
  rocshmem_vendor_get_version_info(&major, &minor, &patch);
  here.check(major == 3 && minor == 8 && patch == 0 && strcmp(VERSION, "3.8.0") == 0, "version", 1, 0);
  rocshmem_info_get_name(name);
  here.check(strcmp(name, ROCSHMEM_VENDOR_STRING) == 0, "name", 0, 0);
}

}  // namespace

void hosts(Here& here) {
  memory(here);
  queries(here);
#define CHECK(T, NAME) rma_##NAME(here);
  EACH_TYPE(CHECK)
#undef CHECK
#define CHECK(T, NAME) atomic_##NAME(here);
  EACH_COUNTER(CHECK)
#undef CHECK
#define CHECK(T, NAME) broadcast_##NAME(here);
  EACH_COLL(CHECK)
}
