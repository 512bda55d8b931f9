// Preloaded for the checks `order`, `race` and `uninit`: reports the memory that MPI and the system are about to use,
// and where MPI orders what processes do. The arguments of MPI functions are numbers, pointers and handles that fit into
// registers, in every MPI.
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

// From libamdhip64, if the program uses it.
extern "C" {
__attribute__((weak)) void rocportHostUses(const void* address, size_t bytes, int writes, const char* function);
__attribute__((weak)) void rocportTellsOthers(void);
__attribute__((weak)) void rocportMpiReturned(int begins, int completes);
}

namespace {

using Value = uintptr_t;

/** A function of a library that the program may have loaded for itself. */
void* inLoaded(const char* library, const char* name) {
  struct Search {
    const char* library;
    const char* name;
    void* found;
  } search{library, name, nullptr};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* wanted = static_cast<Search*>(data);
        if (info->dlpi_name == nullptr || strstr(info->dlpi_name, wanted->library) == nullptr) return 0;
        void* handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) return 0;
        wanted->found = dlsym(handle, wanted->name);
        dlclose(handle);
        return wanted->found ? 1 : 0;
      },
      &search);
  return search.found;
}

template <class Function>
Function* next(const char* name, const char* library) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr && library != nullptr) found = inLoaded(library, name);
  return reinterpret_cast<Function*>(found);
}

void uses(const void* address, size_t bytes, bool writes, const char* function) {
  if (bytes > 0 && rocportHostUses) rocportHostUses(address, bytes, writes, function);
}

using Call = int(Value, Value, Value, Value, Value, Value, Value, Value, Value, Value, Value, Value);

Call* mpi(const char* name) {
  Call* found = next<Call>(name, "libmpi");
  if (found == nullptr) {
    fprintf(stderr, "rocport: %s is called, but no MPI library is loaded\n", name);
    _exit(1);
  }
  return found;
}

int number(Value value) { return static_cast<int>(value); }

/** MPI_DATATYPE_NULL, which MPI refuses: an address with Open MPI, a number with MPICH. */
bool isNull(Value type) {
  static void* open = [] {
    void* found = dlsym(RTLD_DEFAULT, "ompi_mpi_datatype_null");
    return found ? found : inLoaded("libmpi", "ompi_mpi_datatype_null");
  }();
  return type == 0 || (open ? type == reinterpret_cast<Value>(open) : number(type) == 0x0c000000);
}

/** Bytes from the first to the end of the last of some elements. If they have gaps, of the first only. */
size_t span(int count, Value type) {
  static Call* extent = mpi("PMPI_Type_get_extent");
  static Call* size = mpi("PMPI_Type_size");
  if (count <= 0 || isNull(type)) return 0;
  intptr_t low = 0;
  intptr_t step = 0;
  int bytes = 0;
  extent(type, reinterpret_cast<Value>(&low), reinterpret_cast<Value>(&step), 0, 0, 0, 0, 0, 0, 0, 0, 0);
  size(type, reinterpret_cast<Value>(&bytes), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  if (bytes <= 0) return 0;
  return low == 0 && step == bytes ? static_cast<size_t>(count) * static_cast<size_t>(bytes) : 1;
}

size_t extentOf(Value type) {
  if (isNull(type)) return 0;
  static Call* extent = mpi("PMPI_Type_get_extent");
  intptr_t low = 0;
  intptr_t step = 0;
  extent(type, reinterpret_cast<Value>(&low), reinterpret_cast<Value>(&step), 0, 0, 0, 0, 0, 0, 0, 0, 0);
  return static_cast<size_t>(step);
}

int rankIn(Value communicator) {
  static Call* rank = mpi("PMPI_Comm_rank");
  int mine = -1;
  rank(communicator, reinterpret_cast<Value>(&mine), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  return mine;
}

int ranksIn(Value communicator) {
  static Call* size = mpi("PMPI_Comm_size");
  int ranks = 0;
  size(communicator, reinterpret_cast<Value>(&ranks), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  return ranks;
}

void reads(const char* name, Value buffer, int count, Value type) {
  uses(reinterpret_cast<const void*>(buffer), span(count, type), false, name);
}

void writes(const char* name, Value buffer, int count, Value type) {
  uses(reinterpret_cast<const void*>(buffer), span(count, type), true, name);
}

/** Parts of a buffer, one for each rank. */
void parts(const char* name, bool write, Value buffer, Value counts, Value places, Value type, Value communicator) {
  const auto* count = reinterpret_cast<const int*>(counts);
  const auto* place = reinterpret_cast<const int*>(places);
  if (count == nullptr || place == nullptr) return;
  size_t extent = extentOf(type);
  for (int i = 0, n = ranksIn(communicator); i < n; i++) {
    Value at = buffer + static_cast<Value>(static_cast<intptr_t>(place[i])) * extent;
    (write ? writes : reads)(name, at, count[i], type);
  }
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

/** Whether a function begins what another one completes, completes what others have begun, or does neither. */
enum class Part { WHOLE, BEGINS, COMPLETES };

// The memory that an MPI function reads and writes; a to l are its arguments.
#define MPI_PART(part, name, ...)                                                                            \
  EXPORT int name(Value a, Value b, Value c, Value d, Value e, Value f, Value g, Value h, Value i, Value j, \
                  Value k, Value l) {                                                                        \
    static Call* real = mpi(#name);                                                                         \
    if (!rocportHostUses) return real(a, b, c, d, e, f, g, h, i, j, k, l);                                  \
    rocportTellsOthers();                                                                                   \
    [[maybe_unused]] const char* me = #name;                                                                \
    __VA_ARGS__                                                                                             \
    int result = real(a, b, c, d, e, f, g, h, i, j, k, l);                                                  \
    rocportMpiReturned(Part::part == Part::BEGINS, Part::part == Part::COMPLETES);                          \
    return result;                                                                                          \
  }

#define MPI(name, ...) MPI_PART(WHOLE, name, __VA_ARGS__)
#define MPI_BEGINS(name, ...) MPI_PART(BEGINS, name, __VA_ARGS__)

// Defines a function under both of its names; libraries between a program and MPI use the second.
#define TWICE(part, name, ...) MPI_PART(part, name, __VA_ARGS__) MPI_PART(part, P##name, __VA_ARGS__)

#define SENDS(part, name) TWICE(part, name, reads(me, a, number(b), c);)
#define RECEIVES(part, name) TWICE(part, name, writes(me, a, number(b), c);)

SENDS(WHOLE, MPI_Send)
SENDS(WHOLE, MPI_Ssend)
SENDS(WHOLE, MPI_Bsend)
SENDS(WHOLE, MPI_Rsend)
SENDS(BEGINS, MPI_Isend)
SENDS(BEGINS, MPI_Issend)
SENDS(BEGINS, MPI_Ibsend)
SENDS(BEGINS, MPI_Irsend)
SENDS(BEGINS, MPI_Put)
SENDS(BEGINS, MPI_Rput)
SENDS(BEGINS, MPI_Accumulate)
SENDS(BEGINS, MPI_Raccumulate)
SENDS(WHOLE, MPI_Pack)
RECEIVES(WHOLE, MPI_Recv)
RECEIVES(BEGINS, MPI_Irecv)
RECEIVES(WHOLE, MPI_Mrecv)
RECEIVES(BEGINS, MPI_Imrecv)
RECEIVES(BEGINS, MPI_Get)
RECEIVES(BEGINS, MPI_Rget)

TWICE(WHOLE, MPI_Sendrecv, reads(me, a, number(b), c); writes(me, f, number(g), h);)
TWICE(WHOLE, MPI_Sendrecv_replace, writes(me, a, number(b), c);)
MPI(MPI_Bcast, (rankIn(e) == number(d) ? reads : writes)(me, a, number(b), c);)
MPI_BEGINS(MPI_Ibcast, (rankIn(e) == number(d) ? reads : writes)(me, a, number(b), c);)

#define REDUCES(part, name) MPI_PART(part, name, reads(me, a, number(c), d); writes(me, b, number(c), d);)
REDUCES(WHOLE, MPI_Allreduce)
REDUCES(BEGINS, MPI_Iallreduce)
REDUCES(WHOLE, MPI_Scan)
REDUCES(BEGINS, MPI_Iscan)
REDUCES(WHOLE, MPI_Exscan)
REDUCES(BEGINS, MPI_Iexscan)
REDUCES(WHOLE, MPI_Reduce_local)
MPI(MPI_Reduce, reads(me, a, number(c), d); if (rankIn(g) == number(f)) writes(me, b, number(c), d);)
MPI_BEGINS(MPI_Ireduce, reads(me, a, number(c), d); if (rankIn(g) == number(f)) writes(me, b, number(c), d);)
MPI(MPI_Reduce_scatter_block, reads(me, a, number(c) * ranksIn(f), d); writes(me, b, number(c), d);)

#define ALL_TO_ALL(part, name, sent) \
  MPI_PART(part, name, reads(me, a, number(b) * (sent), c); writes(me, d, number(e) * ranksIn(g), f);)
ALL_TO_ALL(WHOLE, MPI_Allgather, 1)
ALL_TO_ALL(BEGINS, MPI_Iallgather, 1)
ALL_TO_ALL(WHOLE, MPI_Alltoall, ranksIn(g))
ALL_TO_ALL(BEGINS, MPI_Ialltoall, ranksIn(g))

#define GATHERS(part, name)                                                           \
  MPI_PART(part, name, reads(me, a, number(b), c);                                               \
      if (rankIn(h) == number(g)) writes(me, d, number(e) * ranksIn(h), f);)
GATHERS(WHOLE, MPI_Gather)
GATHERS(BEGINS, MPI_Igather)

#define SCATTERS(part, name)                                                          \
  MPI_PART(part, name, if (rankIn(h) == number(g)) reads(me, a, number(b) * ranksIn(h), c);      \
      writes(me, d, number(e), f);)
SCATTERS(WHOLE, MPI_Scatter)
SCATTERS(BEGINS, MPI_Iscatter)

MPI(MPI_Allgatherv, reads(me, a, number(b), c); parts(me, true, d, e, f, g, h);)
MPI(MPI_Gatherv, reads(me, a, number(b), c); if (rankIn(i) == number(h)) parts(me, true, d, e, f, g, i);)
MPI(MPI_Scatterv, if (rankIn(i) == number(h)) parts(me, false, a, b, c, d, i); writes(me, e, number(f), g);)
MPI(MPI_Alltoallv, parts(me, false, a, b, c, d, i); parts(me, true, e, f, g, h, i);)

// Functions that only order what processes do: they are not known to use memory.
#define MEETS(name) MPI(name)
MEETS(MPI_Barrier)
MEETS(MPI_Probe)
MEETS(MPI_Iprobe)
MEETS(MPI_Mprobe)
MEETS(MPI_Improbe)
MEETS(MPI_Alltoallw)
MEETS(MPI_Reduce_scatter)
MEETS(MPI_Fetch_and_op)
MEETS(MPI_Compare_and_swap)
MEETS(MPI_Get_accumulate)
MEETS(MPI_Comm_dup)
MEETS(MPI_Comm_split)
MEETS(MPI_Comm_split_type)
MEETS(MPI_Comm_create)
MEETS(MPI_Comm_free)
MEETS(MPI_Win_create)
MEETS(MPI_Win_allocate)
MEETS(MPI_Win_allocate_shared)
MEETS(MPI_Win_sync)
MEETS(MPI_Win_post)
MEETS(MPI_Win_start)
MEETS(MPI_Win_lock)
MEETS(MPI_Win_lock_all)
MEETS(MPI_File_open)
MEETS(MPI_File_close)
MEETS(MPI_File_sync)
MPI_BEGINS(MPI_Ibarrier)
MPI_BEGINS(MPI_Start)
MPI_BEGINS(MPI_Startall)

#define FINISHES(name) MPI_PART(COMPLETES, name)
FINISHES(MPI_Wait)
FINISHES(MPI_Waitall)
FINISHES(MPI_Waitany)
FINISHES(MPI_Waitsome)
FINISHES(MPI_Test)
FINISHES(MPI_Testall)
FINISHES(MPI_Testany)
FINISHES(MPI_Testsome)
FINISHES(MPI_Request_get_status)
FINISHES(MPI_Request_free)
FINISHES(MPI_Cancel)
FINISHES(MPI_Win_fence)
FINISHES(MPI_Win_complete)
FINISHES(MPI_Win_wait)
FINISHES(MPI_Win_test)
FINISHES(MPI_Win_unlock)
FINISHES(MPI_Win_unlock_all)
FINISHES(MPI_Win_flush)
FINISHES(MPI_Win_flush_all)
FINISHES(MPI_Win_flush_local)
FINISHES(MPI_Win_flush_local_all)
FINISHES(MPI_Win_free)
FINISHES(MPI_Finalize)

#define FILE_WRITES(name) MPI(name, reads(me, b, number(c), d);)
#define FILE_WRITES_AT(name) MPI(name, reads(me, c, number(d), e);)
#define FILE_READS(name) MPI(name, writes(me, b, number(c), d);)
#define FILE_READS_AT(name) MPI(name, writes(me, c, number(d), e);)
FILE_WRITES(MPI_File_write)
FILE_WRITES(MPI_File_write_all)
FILE_WRITES_AT(MPI_File_write_at)
FILE_WRITES_AT(MPI_File_write_at_all)
FILE_READS(MPI_File_read)
FILE_READS(MPI_File_read_all)
FILE_READS_AT(MPI_File_read_at)
FILE_READS_AT(MPI_File_read_at_all)

// The system would return EFAULT for protected memory.

#define REAL(name) static auto* real = next<decltype(name)>(#name, nullptr)

EXPORT ssize_t write(int file, const void* from, size_t bytes) {
  REAL(write);
  uses(from, bytes, false, "write");
  return real(file, from, bytes);
}

EXPORT ssize_t pwrite(int file, const void* from, size_t bytes, off_t at) {
  REAL(pwrite);
  uses(from, bytes, false, "pwrite");
  return real(file, from, bytes, at);
}

EXPORT ssize_t read(int file, void* to, size_t bytes) {
  REAL(read);
  uses(to, bytes, true, "read");
  return real(file, to, bytes);
}

EXPORT ssize_t pread(int file, void* to, size_t bytes, off_t at) {
  REAL(pread);
  uses(to, bytes, true, "pread");
  return real(file, to, bytes, at);
}

EXPORT ssize_t send(int socket, const void* from, size_t bytes, int flags) {
  REAL(send);
  uses(from, bytes, false, "send");
  return real(socket, from, bytes, flags);
}

EXPORT ssize_t recv(int socket, void* to, size_t bytes, int flags) {
  REAL(recv);
  uses(to, bytes, true, "recv");
  return real(socket, to, bytes, flags);
}

EXPORT size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  REAL(fwrite);
  uses(from, size * count, false, "fwrite");
  return real(from, size, count, file);
}

EXPORT size_t fread(void* to, size_t size, size_t count, FILE* file) {
  REAL(fread);
  uses(to, size * count, true, "fread");
  return real(to, size, count, file);
}
