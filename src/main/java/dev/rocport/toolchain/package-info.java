/** Finds, provisions, probes and describes the compiler and headers that build HIP programs. */
@NullMarked
package dev.rocport.toolchain;

import org.jspecify.annotations.NullMarked;
