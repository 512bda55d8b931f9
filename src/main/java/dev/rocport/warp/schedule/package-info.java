/**
 * Code that needs the lanes of a warp to be scheduled one by one, as NVIDIA's GPUs do since Volta:
 * found in the syntax tree, restructured where that is provable, else reported.
 */
@NullMarked
package dev.rocport.warp.schedule;

import org.jspecify.annotations.NullMarked;
