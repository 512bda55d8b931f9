// check RANKS FAMILY...: forks the ranks, which come together by a unique id in a file. Without
// ranks (0) those that mpirun starts.
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace {

struct Family {
  const char* name;
  void (*run)(Here&);
};

constexpr Family FAMILIES[] = {
    {"puts", puts},   {"signals", signals},         {"atomics", atomics},       {"waits", waits}, {"collectives", collectives},
    {"reductions", reductions}, {"teams", teams}, {"streams", streams}, {"hosts", hosts}};

rocshmem_uniqueid_t agree(int rank, const std::string& file) {
  rocshmem_uniqueid_t id;
  auto* bytes = reinterpret_cast<char*>(id.data());
  if (rank == 0) {
    if (rocshmem_get_uniqueid(&id) != ROCSHMEM_SUCCESS) exit(3);
    std::ofstream(file + ".part").write(bytes, static_cast<std::streamsize>(id.size()));
    rename((file + ".part").c_str(), file.c_str());
  }
  while (!std::ifstream(file).read(bytes, static_cast<std::streamsize>(id.size()))) usleep(1000);
  return id;
}

int run(int rank, int ranks, const std::string& file, int count, char** families) {
  int devices = 0;
  HIP(hipGetDeviceCount(&devices));
  if (ranks > 0) {
    HIP(hipSetDevice(rank % devices));
    rocshmem_uniqueid_t id = agree(rank, file);
    rocshmem_init_attr_t attributes = {};
    if (rocshmem_set_attr_uniqueid_args(rank, ranks, &id, &attributes) != ROCSHMEM_SUCCESS ||
        rocshmem_init_attr(ROCSHMEM_INIT_WITH_UNIQUEID, &attributes) != ROCSHMEM_SUCCESS) {
      return 3;
    }
  } else {
    HIP(hipSetDevice(rocshmem_my_pe() % devices));
    rocshmem_init();
  }
  Here here = {rocshmem_my_pe(), rocshmem_n_pes()};
  for (const Family& family : FAMILIES) {
    bool wanted = count == 0;
    for (int i = 0; i < count; i++) wanted |= strcmp(families[i], family.name) == 0;
    if (wanted) family.run(here);
    done();
  }
  rocshmem_finalize();
  printf("PE %d of %d: %d checks, %d wrong\n", here.pe, here.pes, here.checks, here.failures);
  fflush(stdout);
  return here.failures > 0 || here.checks == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  int ranks = argc > 1 ? atoi(argv[1]) : 0;
  if (ranks == 0) return run(0, 0, "", argc - 2, argv + 2);
  char folder[] = "/tmp/rocshmem-check-XXXXXX";
  if (mkdtemp(folder) == nullptr) return 3;
  std::string file = std::string(folder) + "/id";
  for (int rank = 0; rank < ranks; rank++) {
    pid_t child = fork();
    if (child == 0) exit(run(rank, ranks, file, argc - 2, argv + 2));
    if (child < 0) return 3;
  }
  int worst = 0;
  int status = 0;
  while (wait(&status) > 0) {
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    worst = worst > code ? worst : code;
  }
  unlink(file.c_str());
  rmdir(folder);
  return worst;
}
