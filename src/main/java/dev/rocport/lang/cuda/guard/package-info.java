/** Conditions on CUDA macros. */
@NullMarked
package dev.rocport.lang.cuda.guard;

import org.jspecify.annotations.NullMarked;
