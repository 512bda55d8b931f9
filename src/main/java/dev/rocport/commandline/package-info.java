/** Understands the command lines of nvcc, hipcc and host compilers, and lists of them. */
@NullMarked
package dev.rocport.commandline;

import org.jspecify.annotations.NullMarked;
