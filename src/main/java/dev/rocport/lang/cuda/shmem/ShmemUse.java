package dev.rocport.lang.cuda.shmem;

import dev.rocport.rules.ShmemName;

/**
 * A use of an NVSHMEM name.
 *
 * @param name its counterpart there
 * @param here false if rocSHMEM has it for the other side only
 * @param since the version of rocSHMEM that it needs there; empty if there is none
 * @param line 1-based
 */
public record ShmemUse(ShmemName name, boolean here, String since, int line) {}
