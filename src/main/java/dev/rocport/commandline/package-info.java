/** Parses command lines of nvcc, hipcc and host compilers, and compilation databases. */
@NullMarked
package dev.rocport.commandline;

import org.jspecify.annotations.NullMarked;
