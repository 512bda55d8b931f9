#include <nvshmem.h>

int rank(void) {
  return nvshmem_my_pe(); // expect: SHMEM-SETUP
}
