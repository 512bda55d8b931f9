/** Finds copies on the device whose target MPI reads. */
@NullMarked
package dev.rocport.lang.cuda.mpi;

import org.jspecify.annotations.NullMarked;
