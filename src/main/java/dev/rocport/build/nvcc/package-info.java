/** Understands the command lines of nvcc, hipcc and host compilers. */
@NullMarked
package dev.rocport.build.nvcc;

import org.jspecify.annotations.NullMarked;
