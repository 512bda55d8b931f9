/** Ports build files that use CUDA. */
@NullMarked
package dev.rocport.buildsystem;

import org.jspecify.annotations.NullMarked;
