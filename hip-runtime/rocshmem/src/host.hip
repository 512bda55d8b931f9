// Initialization, the symmetric heap and teams.
#include "host.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

namespace rocshmem {

namespace host {
rocshmem_team_t ROCSHMEM_TEAM_WORLD = nullptr;
rocshmem_team_t ROCSHMEM_TEAM_SHARED = nullptr;
}  // namespace host

namespace detail {
namespace {

constexpr size_t HEAP = size_t{1} << 30;
constexpr int TEAMS = 40;
constexpr int CONTEXTS = 1024;

Host* instance = nullptr;

/** A number with a suffix K, M or G, or the default. */
size_t setting(const char* name, size_t otherwise) {
  const char* text = getenv(name);
  if (text == nullptr || *text == 0) return otherwise;
  char* end = nullptr;
  unsigned long long value = strtoull(text, &end, 0);
  int shift = 0;
  switch (toupper(static_cast<unsigned char>(*end))) {
    case 'K': shift = 10; break;
    case 'M': shift = 20; break;
    case 'G': shift = 30; break;
    case 0: break;
    default: die("%s is not a number of bytes: %s", name, text);
  }
  return static_cast<size_t>(value) << shift;
}

/** Reports name the libraries that replaced those of ROCm. */
__attribute__((constructor)) void noteStandIn() {
  const char* path = getenv("ROCPORT_STAND_INS");
  int file = path != nullptr ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (file < 0) return;
  constexpr char NAME[] = "librocshmem\n";
  (void)!write(file, NAME, sizeof NAME - 1);
  close(file);
}

}  // namespace

Host& Host::get() {
  if (instance == nullptr) die("rocSHMEM is not initialized");
  return *instance;
}

bool Host::there() { return instance != nullptr; }

void Host::start(const Place& place) {
  if (instance != nullptr) die("rocSHMEM is already initialized");
  if (place.ranks < 1 || place.ranks > MOST_PES || place.rank < 0 || place.rank >= place.ranks) {
    die("PE %d of %d: the number of PEs must be 1 to %d", place.rank, place.ranks, MOST_PES);
  }
  instance = new Host(place);
}

void Host::stop() {
  delete &get();
  instance = nullptr;
}

Host::Host(const Place& place)
    : bootstrap_(place.job, place.rank, place.ranks),
      slots_(static_cast<int>(setting("ROCSHMEM_MAX_NUM_TEAMS", TEAMS)) + 2),
      bytes_((setting("ROCSHMEM_HEAP_SIZE", HEAP) + offset(slots_) + Heap::ALIGNMENT - 1) / Heap::ALIGNMENT *
             Heap::ALIGNMENT) {
  if (slots_ > Bootstrap::MOST_SLOTS) die("ROCSHMEM_MAX_NUM_TEAMS is at most %d", Bootstrap::MOST_SLOTS - 2);
  std::vector<int> all(static_cast<size_t>(pes()));
  std::iota(all.begin(), all.end(), 0);

  check(hipExtMallocWithFlags(reinterpret_cast<void**>(&mine_), bytes_, hipDeviceMallocFinegrained),
        "hipExtMallocWithFlags of the symmetric heap");
  heap_ = std::make_unique<Heap>(offset(slots_), bytes_);
  struct Offer {
    hipIpcMemHandle_t handle;
    size_t bytes;
    int slots;
  } own = {};
  check(hipIpcGetMemHandle(&own.handle, mine_), "hipIpcGetMemHandle of the symmetric heap");
  own.bytes = bytes_;
  own.slots = slots_;
  std::vector<Offer> offers = bootstrap_.gather(0, all, own);
  bases_.resize(all.size());
  for (int r : all) {
    const Offer& offer = offers[static_cast<size_t>(r)];
    if (offer.bytes != bytes_ || offer.slots != slots_) {
      die("PEs %d and %d have different ROCSHMEM_HEAP_SIZE or ROCSHMEM_MAX_NUM_TEAMS", r, pe());
    }
    void* there = mine_;
    if (r != pe()) {
      hipError_t error = hipIpcOpenMemHandle(&there, offer.handle, hipIpcMemLazyEnablePeerAccess);
      if (error != hipSuccess) {
        die("PE %d cannot reach the memory of PE %d (%s): both must use GPUs of the same rocport device", pe(), r,
            hipGetErrorString(error));
      }
    }
    bases_[static_cast<size_t>(r)] = static_cast<char*>(there);
  }

  check(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking), "hipStreamCreateWithFlags");
  check(hipHostMalloc(reinterpret_cast<void**>(&cell_), sizeof *cell_, hipHostMallocCoherent), "hipHostMalloc");
  check(hipMemsetAsync(mine_, 0, offset(slots_), stream_), "hipMemsetAsync of the flags");

  // Whether a context is taken, the contexts, the default context.
  auto contexts = setting("ROCSHMEM_MAX_NUM_CONTEXTS", CONTEXTS);
  size_t taken = (contexts + 3) / 4 * 4 * sizeof(int);
  std::vector<char> image(taken + (contexts + 1) * sizeof(Context));
  auto* context = reinterpret_cast<Context*>(image.data() + taken);
  for (size_t i = 0; i <= contexts; i++) context[i].number = i < contexts ? static_cast<int>(i) : -1;
  check(hipMalloc(reinterpret_cast<void**>(&contexts_), image.size()), "hipMalloc of contexts");
  check(hipMemcpyAsync(contexts_, image.data(), image.size(), hipMemcpyHostToDevice, stream_), "hipMemcpyAsync");
  context_ = {contexts_ + taken + contexts * sizeof(Context), nullptr};
  world_ = {pe(), pes(), bytes_, mine_, static_cast<int>(contexts), reinterpret_cast<int*>(contexts_), {}};
  std::copy(bases_.begin(), bases_.end(), world_.bases);
  finish();

  used_.resize(static_cast<size_t>(slots_));
  host::ROCSHMEM_TEAM_WORLD = make({all, pe(), 0});
  host::ROCSHMEM_TEAM_SHARED = make({all, pe(), 1});
  void *world = nullptr, *ctx = nullptr, *worldTeam = nullptr, *sharedTeam = nullptr;
  check(hipGetSymbolAddress(&world, HIP_SYMBOL(ROCPORT_SHMEM_WORLD)), "hipGetSymbolAddress");
  check(hipGetSymbolAddress(&ctx, HIP_SYMBOL(ROCSHMEM_CTX_DEFAULT)), "hipGetSymbolAddress");
  check(hipGetSymbolAddress(&worldTeam, HIP_SYMBOL(device::ROCSHMEM_TEAM_WORLD)), "hipGetSymbolAddress");
  check(hipGetSymbolAddress(&sharedTeam, HIP_SYMBOL(device::ROCSHMEM_TEAM_SHARED)), "hipGetSymbolAddress");
  tell(world, ctx, worldTeam, sharedTeam, stream_);
  finish();
  // All flags are zero, and all heaps are known, before any PE continues.
  bootstrap_.barrier(0, all);
}

Host::~Host() {
  // Kernels of other PEs may still use this PE's memory.
  check(hipDeviceSynchronize(), "hipDeviceSynchronize");
  barrier(require(host::ROCSHMEM_TEAM_WORLD));
  for (auto& [handle, team] : teams_) check(hipFree(handle), "hipFree of a team");
  for (int r = 0; r < pes(); r++) {
    if (r != pe()) check(hipIpcCloseMemHandle(bases_[static_cast<size_t>(r)]), "hipIpcCloseMemHandle");
  }
  // No PE can access it any more.
  std::vector<int> all(static_cast<size_t>(pes()));
  std::iota(all.begin(), all.end(), 0);
  bootstrap_.barrier(0, all);
  check(hipFree(mine_), "hipFree of the symmetric heap");
  check(hipFree(contexts_), "hipFree");
  check(hipHostFree(cell_), "hipHostFree");
  check(hipStreamDestroy(stream_), "hipStreamDestroy");
  host::ROCSHMEM_TEAM_WORLD = host::ROCSHMEM_TEAM_SHARED = nullptr;
}

void Host::tell(void* world, void* context, void* all, void* shared, hipStream_t stream) const {
  check(hipMemcpyAsync(world, &world_, sizeof world_, hipMemcpyHostToDevice, stream), "ROCPORT_SHMEM_WORLD");
  check(hipMemcpyAsync(context, &context_, sizeof context_, hipMemcpyHostToDevice, stream), "ROCSHMEM_CTX_DEFAULT");
  if (all != nullptr) {
    check(hipMemcpyAsync(all, &host::ROCSHMEM_TEAM_WORLD, sizeof(rocshmem_team_t), hipMemcpyHostToDevice, stream),
          "ROCSHMEM_TEAM_WORLD");
  }
  if (shared != nullptr) {
    check(hipMemcpyAsync(shared, &host::ROCSHMEM_TEAM_SHARED, sizeof(rocshmem_team_t), hipMemcpyHostToDevice, stream),
          "ROCSHMEM_TEAM_SHARED");
  }
}

void* Host::allocate(size_t bytes, size_t alignment) {
  struct Asked {
    size_t bytes;
    size_t alignment;
  };
  const Members& world = require(host::ROCSHMEM_TEAM_WORLD);
  for (const Asked& other : bootstrap_.gather(world.slot, world.world, Asked{bytes, alignment})) {
    if (other.bytes != bytes || other.alignment != alignment) {
      die("PEs request different symmetric memory: %zu bytes aligned to %zu, and %zu aligned to %zu", bytes, alignment,
          other.bytes, other.alignment);
    }
  }
  if (bytes == 0 || alignment == 0) return nullptr;
  auto at = heap_->take(bytes, alignment);
  return at ? mine_ + *at : nullptr;
}

void Host::free(void* memory) {
  // No PE uses it any more.
  barrier(require(host::ROCSHMEM_TEAM_WORLD));
  if (memory == nullptr) return;
  if (at(memory, pe()) == nullptr || !heap_->give(static_cast<size_t>(static_cast<char*>(memory) - mine_))) {
    die("rocshmem_free of %p, which is not an allocation", memory);
  }
}

char* Host::at(const void* symmetric, int pe) const {
  auto offset = static_cast<uint64_t>(static_cast<const char*>(symmetric) - mine_);
  return offset < bytes_ && pe >= 0 && pe < pes() ? bases_[static_cast<size_t>(pe)] + offset : nullptr;
}

char* Host::require(const void* symmetric, int pe) const {
  char* found = at(symmetric, pe);
  if (found == nullptr) die("%p is not in the symmetric heap, or PE %d does not exist", symmetric, pe);
  return found;
}

const Members* Host::members(rocshmem_team_t team) const {
  auto found = teams_.find(team);
  return found == teams_.end() ? nullptr : &found->second;
}

const Members& Host::require(rocshmem_team_t team) const {
  const Members* found = members(team);
  if (found == nullptr) die("%p is not a team", static_cast<void*>(team));
  return *found;
}

rocshmem_team_t Host::make(Members members) {
  Team image = {static_cast<int>(members.world.size()), members.pe, members.slot, 0, {}};
  std::copy(members.world.begin(), members.world.end(), image.members);
  Team* made = nullptr;
  check(hipMalloc(reinterpret_cast<void**>(&made), sizeof *made), "hipMalloc of a team");
  check(hipMemcpyAsync(made, &image, sizeof image, hipMemcpyHostToDevice, stream_), "hipMemcpyAsync of a team");
  finish();
  auto handle = reinterpret_cast<rocshmem_team_t>(made);
  used_[static_cast<size_t>(members.slot)] = true;
  teams_[handle] = std::move(members);
  return handle;
}

void Host::clear(int slot) const {
  check(hipMemsetAsync(mine_ + offset(slot), 0, MOST_PES * sizeof(uint64_t), stream_), "hipMemsetAsync of flags");
  finish();
}

int Host::split(rocshmem_team_t parent, const std::vector<std::vector<int>>& parts,
                std::vector<rocshmem_team_t*> made) {
  const Members& from = require(parent);
  // Slots that are free on all PEs, whatever their membership.
  struct Used {
    bool is[Bootstrap::MOST_SLOTS];
  } own = {};
  std::copy(used_.begin(), used_.end(), own.is);
  std::vector<int> slots;
  std::vector<Used> all = bootstrap_.gather(from.slot, from.world, own);
  for (int s = 0; s < slots_ && slots.size() < parts.size(); s++) {
    if (std::none_of(all.begin(), all.end(), [s](const Used& used) { return used.is[s]; })) slots.push_back(s);
  }
  for (rocshmem_team_t* one : made) *one = ROCSHMEM_TEAM_INVALID;
  if (slots.size() < parts.size()) return ROCSHMEM_ERROR;
  for (size_t i = 0; i < parts.size(); i++) {
    Members members = {{}, -1, slots[i]};
    for (int in : parts[i]) {
      if (in == from.pe) members.pe = static_cast<int>(members.world.size());
      members.world.push_back(from.world[static_cast<size_t>(in)]);
    }
    if (members.pe < 0) continue;
    clear(members.slot);
    bootstrap_.reset(members.slot);
    *made[i] = make(std::move(members));
  }
  // All flags are zero before anyone uses the team.
  barrier(from);
  return ROCSHMEM_SUCCESS;
}

void Host::destroy(rocshmem_team_t team) {
  const Members& members = require(team);
  barrier(members);
  used_[static_cast<size_t>(members.slot)] = false;
  teams_.erase(team);
  check(hipFree(team), "hipFree of a team");
}

}  // namespace detail

using detail::Host;

void rocshmem_init() { Host::start(detail::launched()); }

int rocshmem_init_attr(unsigned flags, rocshmem_init_attr_t* attr) {
  if (attr == nullptr) return ROCSHMEM_ERROR;
  switch (flags) {
    case ROCSHMEM_INIT_WITH_UNIQUEID: {
      const auto* name = reinterpret_cast<const char*>(attr->uid.data());
      if (strnlen(name, attr->uid.size()) == 0 || strnlen(name, attr->uid.size()) == attr->uid.size()) {
        return ROCSHMEM_ERROR;
      }
      Host::start({attr->rank, attr->nranks, name});
      return ROCSHMEM_SUCCESS;
    }
    case ROCSHMEM_INIT_WITH_MPI_COMM: Host::start(detail::ofCommunicator(attr->mpi_comm)); return ROCSHMEM_SUCCESS;
    default: return ROCSHMEM_ERROR;
  }
}

int rocshmem_get_uniqueid(rocshmem_uniqueid_t* uid) {
  if (uid == nullptr) return ROCSHMEM_ERROR;
  std::string name = detail::Bootstrap::newName();
  uid->fill(0);
  memcpy(uid->data(), name.data(), name.size());
  return ROCSHMEM_SUCCESS;
}

int rocshmem_set_attr_uniqueid_args(int rank, int nranks, rocshmem_uniqueid_t* uid, rocshmem_init_attr_t* attr) {
  if (uid == nullptr || attr == nullptr || rank < 0 || rank >= nranks) return ROCSHMEM_ERROR;
  *attr = {rank, nranks, *uid, nullptr};
  return ROCSHMEM_SUCCESS;
}

void rocshmem_finalize() { Host::stop(); }

void rocshmem_global_exit(int status) { Host::get().bootstrap().exitAll(status); }

int rocshmem_n_pes() { return Host::there() ? Host::get().pes() : detail::launched().ranks; }
int rocshmem_my_pe() { return Host::there() ? Host::get().pe() : detail::launched().rank; }
void rocshmem_query_thread(int* provided) { *provided = ROCSHMEM_THREAD_MULTIPLE; }

void rocshmem_info_get_version(int* major, int* minor) {
  *major = ROCSHMEM_MAJOR_VERSION;
  *minor = ROCSHMEM_MINOR_VERSION;
}

void rocshmem_info_get_name(char* name) {
  static_assert(sizeof ROCSHMEM_VENDOR_STRING <= ROCSHMEM_MAX_NAME_LEN);
  strcpy(name, ROCSHMEM_VENDOR_STRING);
}

void rocshmem_vendor_get_version_info(int* major, int* minor, int* patch) {
  *major = ROCSHMEM_VENDOR_MAJOR_VERSION;
  *minor = ROCSHMEM_VENDOR_MINOR_VERSION;
  *patch = ROCSHMEM_VENDOR_PATCH_VERSION;
}

int rocshmem_hipmodule_init(hipModule_t module, hipStream_t stream) {
  hipDeviceptr_t own = nullptr, context = nullptr, world = nullptr, shared = nullptr;
  size_t size = 0;
  if (hipModuleGetGlobal(&own, &size, module, "ROCPORT_SHMEM_WORLD") != hipSuccess) return ROCSHMEM_ERROR;
  if (hipModuleGetGlobal(&context, &size, module, "ROCSHMEM_CTX_DEFAULT") != hipSuccess) return ROCSHMEM_ERROR;
  if (hipModuleGetGlobal(&world, &size, module, "ROCSHMEM_TEAM_WORLD") != hipSuccess) world = nullptr;
  if (hipModuleGetGlobal(&shared, &size, module, "ROCSHMEM_TEAM_SHARED") != hipSuccess) shared = nullptr;
  Host::get().tell(own, context, world, shared, stream == nullptr ? hipStreamPerThread : stream);
  return ROCSHMEM_SUCCESS;
}

void* rocshmem_malloc(size_t size) { return Host::get().allocate(size, detail::Heap::ALIGNMENT); }

void* rocshmem_align(size_t alignment, size_t size) {
  bool valid = alignment >= sizeof(void*) && (alignment & (alignment - 1)) == 0;
  return Host::get().allocate(size, valid ? alignment : 0);
}

void* rocshmem_calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = 0;
  Host& host = Host::get();
  void* made = host.allocate(bytes, detail::Heap::ALIGNMENT);
  if (made != nullptr) {
    detail::check(hipMemsetAsync(made, 0, bytes, host.stream()), "hipMemsetAsync");
    host.finish();
  }
  rocshmem_barrier_all();
  return made;
}

void rocshmem_free(void* ptr) { Host::get().free(ptr); }

// The GPU can access all memory of its process directly.
int rocshmem_buffer_register(void* addr, size_t length) {
  Host::get();
  return addr != nullptr && length > 0 ? ROCSHMEM_SUCCESS : ROCSHMEM_ERROR;
}
int rocshmem_buffer_unregister(void* addr) { return addr != nullptr ? ROCSHMEM_SUCCESS : ROCSHMEM_ERROR; }
void rocshmem_buffer_unregister_all() {}

void* rocshmem_ptr(const void* dest, int pe) { return Host::get().at(dest, pe); }

int rocshmem_ctx_create(int64_t, rocshmem_ctx_t* ctx) {
  if (ctx == nullptr) return ROCSHMEM_ERROR;
  *ctx = Host::get().context();
  return ROCSHMEM_SUCCESS;
}
void rocshmem_ctx_destroy(rocshmem_ctx_t) {}

int rocshmem_team_n_pes(rocshmem_team_t team) {
  const auto* members = Host::get().members(team);
  return members == nullptr ? -1 : static_cast<int>(members->world.size());
}

int rocshmem_team_my_pe(rocshmem_team_t team) {
  const auto* members = Host::get().members(team);
  return members == nullptr ? -1 : members->pe;
}

int rocshmem_team_translate_pe(rocshmem_team_t from, int pe, rocshmem_team_t to) {
  const auto* in = Host::get().members(from);
  const auto* out = Host::get().members(to);
  if (in == nullptr || out == nullptr || pe < 0 || pe >= static_cast<int>(in->world.size())) return -1;
  auto found = std::find(out->world.begin(), out->world.end(), in->world[static_cast<size_t>(pe)]);
  return found == out->world.end() ? -1 : static_cast<int>(found - out->world.begin());
}

int rocshmem_team_split_strided(rocshmem_team_t parent, int start, int stride, int size, const rocshmem_team_config_t*,
                                long, rocshmem_team_t* made) {
  if (made == nullptr) return ROCSHMEM_ERROR;
  *made = ROCSHMEM_TEAM_INVALID;
  if (parent == ROCSHMEM_TEAM_INVALID) return ROCSHMEM_ERROR;
  int parents = rocshmem_team_n_pes(parent);
  long last = start + static_cast<long>(stride) * (size - 1);
  if (size < 1 || start < 0 || start >= parents || last < 0 || last >= parents || (stride == 0 && size > 1)) {
    return ROCSHMEM_ERROR;
  }
  std::vector<int> part;
  for (int i = 0; i < size; i++) part.push_back(start + i * stride);
  return Host::get().split(parent, {part}, {made});
}

int rocshmem_team_split_2d(rocshmem_team_t parent, int xrange, const rocshmem_team_config_t*, long,
                           rocshmem_team_t* xaxis, const rocshmem_team_config_t*, long, rocshmem_team_t* yaxis) {
  if (xaxis == nullptr || yaxis == nullptr) return ROCSHMEM_ERROR;
  *xaxis = *yaxis = ROCSHMEM_TEAM_INVALID;
  if (parent == ROCSHMEM_TEAM_INVALID || xrange < 1) return ROCSHMEM_ERROR;
  int size = rocshmem_team_n_pes(parent);
  int me = rocshmem_team_my_pe(parent);
  xrange = std::min(xrange, size);
  std::vector<int> row;
  std::vector<int> column;
  for (int i = 0; i < size; i++) {
    if (i / xrange == me / xrange) row.push_back(i);
    if (i % xrange == me % xrange) column.push_back(i);
  }
  return Host::get().split(parent, {row, column}, {xaxis, yaxis});
}

void rocshmem_team_destroy(rocshmem_team_t team) {
  bool own = team != host::ROCSHMEM_TEAM_WORLD && team != host::ROCSHMEM_TEAM_SHARED;
  if (team != ROCSHMEM_TEAM_INVALID && own) Host::get().destroy(team);
}

void rocshmem_barrier(rocshmem_team_t team) {
  if (team == ROCSHMEM_TEAM_INVALID) return;
  Host& host = Host::get();
  host.finish();
  host.barrier(host.require(team));
}
void rocshmem_barrier_all() { rocshmem_barrier(host::ROCSHMEM_TEAM_WORLD); }
void rocshmem_team_sync(rocshmem_team_t team) { rocshmem_barrier(team); }
void rocshmem_sync_all() { rocshmem_barrier_all(); }

void rocshmem_ctx_fence(rocshmem_ctx_t) { Host::get().finish(); }
void rocshmem_fence() { Host::get().finish(); }
void rocshmem_ctx_quiet(rocshmem_ctx_t) { Host::get().finish(); }
void rocshmem_quiet() { Host::get().finish(); }

}  // namespace rocshmem
