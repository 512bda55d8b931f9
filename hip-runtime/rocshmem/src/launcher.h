// Which rank this process is, where a program does not say so itself.
#pragma once

#include <string>

namespace rocshmem::detail {

/** A rank, and a name that all ranks of the program have in common. */
struct Place {
  int rank;
  int ranks;
  std::string job;
};

/** As mpirun or srun has told; the only one where nobody has. */
Place launched();

/** As a MPI communicator has it. Collective over it; MPI must be running. */
Place ofCommunicator(const void* communicator);

}  // namespace rocshmem::detail
