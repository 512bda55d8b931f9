#include <nvshmem.h>

int rank(void) {
  return nvshmem_my_pe(); // want: SHMEM-SETUP
}
