/**
 * Determines which threads of a block have the same value of an expression: all, those of a wave of
 * 64, those of a warp of 32, or none.
 */
@NullMarked
package dev.rocport.warp.uniformity;

import org.jspecify.annotations.NullMarked;
