/**
 * Determines what 32 means in CUDA code: which values are lane masks, lanes, warps and widths,
 * which of them belong together, and how they map to wavefronts of 64 lanes.
 */
@NullMarked
package dev.rocport.warp;

import org.jspecify.annotations.NullMarked;
