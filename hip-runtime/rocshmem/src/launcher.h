// The rank of this process, if the program does not set it itself.
#pragma once

#include <string>

namespace rocshmem::detail {

/** A rank, and a name that all ranks of the program have in common. */
struct Place {
  int rank;
  int ranks;
  std::string job;
};

/** The rank from mpirun or srun; the only rank if there is none. */
Place launched();

/** As a MPI communicator has it. Collective over it; MPI must be running. */
Place ofCommunicator(const void* communicator);

}  // namespace rocshmem::detail
