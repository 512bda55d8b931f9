/** What of CUDA a tree depends on, where it says so, and what stands for it on ROCm. */
@NullMarked
package dev.rocport.inventory;

import org.jspecify.annotations.NullMarked;
