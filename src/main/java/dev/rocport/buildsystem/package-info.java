/** Build files that ask for CUDA: a build with autotools learns ROCm beside it, or instead. */
@NullMarked
package dev.rocport.buildsystem;

import org.jspecify.annotations.NullMarked;
