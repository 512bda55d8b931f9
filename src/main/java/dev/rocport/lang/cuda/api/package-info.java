/** Passes for names and calls of CUDA's API. */
@NullMarked
package dev.rocport.lang.cuda.api;

import org.jspecify.annotations.NullMarked;
