#include <rocshmem/rocshmem.hpp>

int rank(void) {
  return nvshmem_my_pe(); // want: SHMEM-SETUP
}
