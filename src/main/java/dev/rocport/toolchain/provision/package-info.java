/** Finds a ROCm or an LLVM on the machine, or installs one. */
@NullMarked
package dev.rocport.toolchain.provision;

import org.jspecify.annotations.NullMarked;
