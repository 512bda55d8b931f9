/** Passes for names and calls of the CUDA API. */
@NullMarked
package dev.rocport.lang.cuda.api;

import org.jspecify.annotations.NullMarked;
