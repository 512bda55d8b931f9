#include "launcher.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "bootstrap.h"

namespace rocshmem::detail {
namespace {

/** Variables for the rank, the number of ranks and the job, as starters of ranks set them. */
constexpr const char* STARTERS[][3] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"},
    {"PMI_RANK", "PMI_SIZE", "PMI_JOBID"},
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS", "PMI_JOBID"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID"},
};

/** When a process began; with its number, no other one is the same. */
std::string began(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  size_t name = text.rfind(')');
  if (name == std::string::npos) return "0";
  std::istringstream fields(text.substr(name + 2));
  std::string field;
  for (int i = 0; i < 20; i++) fields >> field;  // the 22nd of all
  return field;
}

/** Without what a file's name cannot have. */
std::string plain(std::string text) {
  for (char& c : text) {
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return text.substr(0, 100);
}

template <typename T>
T* symbol(const char* name) {
  auto* found = reinterpret_cast<T*>(dlsym(RTLD_DEFAULT, name));
  if (found == nullptr) die("the program has no %s: communicators require MPI", name);
  return found;
}

}  // namespace

Place launched() {
  for (auto [rank, ranks, job] : STARTERS) {
    const char* r = getenv(rank);
    const char* n = getenv(ranks);
    if (r == nullptr || n == nullptr) continue;
    const char* name = getenv(job);
    // All ranks on a machine are children of one launcher.
    std::string parent = std::to_string(getppid()) + "-" + began(getppid());
    return {atoi(r), atoi(n), "job-" + (name != nullptr ? plain(name) : parent)};
  }
  return {0, 1, Bootstrap::newName()};
}

Place ofCommunicator(const void* communicator) {
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") == nullptr) die("communicators are supported with Open MPI only");
  void* world = symbol<void>("ompi_mpi_comm_world");
  void* byte = symbol<void>("ompi_mpi_byte");
  void* comm = communicator == nullptr ? world : *static_cast<void* const*>(communicator);
  Place place = {};
  char name[64] = {};
  symbol<int(void*, int*)>("MPI_Comm_rank")(comm, &place.rank);
  symbol<int(void*, int*)>("MPI_Comm_size")(comm, &place.ranks);
  if (place.rank == 0) snprintf(name, sizeof name, "%s", Bootstrap::newName().c_str());
  if (symbol<int(void*, int, void*, int, void*)>("MPI_Bcast")(name, sizeof name, byte, 0, comm) != 0) {
    die("MPI_Bcast of a name failed");
  }
  place.job = name;
  return place;
}

}  // namespace rocshmem::detail
