/**
 * Finds code that needs the lanes of a warp to be scheduled independently, as on NVIDIA GPUs since
 * Volta. Such code is restructured if the result is provably equivalent, and otherwise reported.
 */
@NullMarked
package dev.rocport.warp.schedule;

import org.jspecify.annotations.NullMarked;
