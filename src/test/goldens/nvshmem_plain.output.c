#include <rocshmem/rocshmem.hpp>

int rank(void) {
  return nvshmem_my_pe(); // expect: SHMEM-SETUP
}
