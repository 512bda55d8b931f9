/** Passes for code that depends on warps of 32 lanes. */
@NullMarked
package dev.rocport.lang.cuda.warp;

import org.jspecify.annotations.NullMarked;
