/** Passes from NVSHMEM to rocSHMEM. */
@NullMarked
package dev.rocport.lang.cuda.shmem;

import org.jspecify.annotations.NullMarked;
