// Preloaded for the checks `order` and `uninit`: reports the memory that MPI and the system are about to use. The
// arguments of MPI functions are numbers, pointers and handles that fit into registers, in every MPI.
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
extern "C" __attribute__((weak)) void rocportHostUses(const void* address, size_t bytes, int writes, const char* function);

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

// The memory that an MPI function reads and writes; a to l are its arguments.
#define MPI(name, ...)                                                                                       \
  EXPORT int name(Value a, Value b, Value c, Value d, Value e, Value f, Value g, Value h, Value i, Value j, \
                  Value k, Value l) {                                                                        \
    static Call* real = mpi(#name);                                                                         \
    if (rocportHostUses) {                                                                                  \
      const char* me = #name;                                                                               \
      __VA_ARGS__                                                                                           \
    }                                                                                                       \
    return real(a, b, c, d, e, f, g, h, i, j, k, l);                                                        \
  }

// Defines a function under both of its names; libraries between a program and MPI use the second.
#define TWICE(name, ...) MPI(name, __VA_ARGS__) MPI(P##name, __VA_ARGS__)

#define SENDS(name) TWICE(name, reads(me, a, number(b), c);)
#define RECEIVES(name) TWICE(name, writes(me, a, number(b), c);)

SENDS(MPI_Send)
SENDS(MPI_Ssend)
SENDS(MPI_Bsend)
SENDS(MPI_Rsend)
SENDS(MPI_Isend)
SENDS(MPI_Issend)
SENDS(MPI_Ibsend)
SENDS(MPI_Irsend)
SENDS(MPI_Put)
SENDS(MPI_Rput)
SENDS(MPI_Accumulate)
SENDS(MPI_Raccumulate)
SENDS(MPI_Pack)
RECEIVES(MPI_Recv)
RECEIVES(MPI_Irecv)
RECEIVES(MPI_Mrecv)
RECEIVES(MPI_Imrecv)
RECEIVES(MPI_Get)
RECEIVES(MPI_Rget)

TWICE(MPI_Sendrecv, reads(me, a, number(b), c); writes(me, f, number(g), h);)
TWICE(MPI_Sendrecv_replace, writes(me, a, number(b), c);)
MPI(MPI_Bcast, (rankIn(e) == number(d) ? reads : writes)(me, a, number(b), c);)
MPI(MPI_Ibcast, (rankIn(e) == number(d) ? reads : writes)(me, a, number(b), c);)

#define REDUCES(name) MPI(name, reads(me, a, number(c), d); writes(me, b, number(c), d);)
REDUCES(MPI_Allreduce)
REDUCES(MPI_Iallreduce)
REDUCES(MPI_Scan)
REDUCES(MPI_Iscan)
REDUCES(MPI_Exscan)
REDUCES(MPI_Iexscan)
REDUCES(MPI_Reduce_local)
MPI(MPI_Reduce, reads(me, a, number(c), d); if (rankIn(g) == number(f)) writes(me, b, number(c), d);)
MPI(MPI_Ireduce, reads(me, a, number(c), d); if (rankIn(g) == number(f)) writes(me, b, number(c), d);)
MPI(MPI_Reduce_scatter_block, reads(me, a, number(c) * ranksIn(f), d); writes(me, b, number(c), d);)

#define ALL_TO_ALL(name, sent) \
  MPI(name, reads(me, a, number(b) * (sent), c); writes(me, d, number(e) * ranksIn(g), f);)
ALL_TO_ALL(MPI_Allgather, 1)
ALL_TO_ALL(MPI_Iallgather, 1)
ALL_TO_ALL(MPI_Alltoall, ranksIn(g))
ALL_TO_ALL(MPI_Ialltoall, ranksIn(g))

#define GATHERS(name)                                                                 \
  MPI(name, reads(me, a, number(b), c);                                               \
      if (rankIn(h) == number(g)) writes(me, d, number(e) * ranksIn(h), f);)
GATHERS(MPI_Gather)
GATHERS(MPI_Igather)

#define SCATTERS(name)                                                                \
  MPI(name, if (rankIn(h) == number(g)) reads(me, a, number(b) * ranksIn(h), c);      \
      writes(me, d, number(e), f);)
SCATTERS(MPI_Scatter)
SCATTERS(MPI_Iscatter)

MPI(MPI_Allgatherv, reads(me, a, number(b), c); parts(me, true, d, e, f, g, h);)
MPI(MPI_Gatherv, reads(me, a, number(b), c); if (rankIn(i) == number(h)) parts(me, true, d, e, f, g, i);)
MPI(MPI_Scatterv, if (rankIn(i) == number(h)) parts(me, false, a, b, c, d, i); writes(me, e, number(f), g);)
MPI(MPI_Alltoallv, parts(me, false, a, b, c, d, i); parts(me, true, e, f, g, h, i);)

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
