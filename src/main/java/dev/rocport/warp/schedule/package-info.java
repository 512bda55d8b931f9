/**
 * Code that needs the lanes of a warp to be scheduled one by one, as NVIDIA GPUs do since Volta:
 * found in the syntax tree, restructured if provably equivalent, and otherwise reported.
 */
@NullMarked
package dev.rocport.warp.schedule;

import org.jspecify.annotations.NullMarked;
