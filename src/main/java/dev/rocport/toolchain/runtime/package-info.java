/** Compiles {@code hip-runtime} and starts programs with it. */
@NullMarked
package dev.rocport.toolchain.runtime;

import org.jspecify.annotations.NullMarked;
