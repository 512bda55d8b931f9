/** CMake's files: read without loss, and ported where they ask for CUDA. */
@NullMarked
package dev.rocport.buildsystem.cmake;

import org.jspecify.annotations.NullMarked;
