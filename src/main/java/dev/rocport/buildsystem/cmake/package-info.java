/** Reads CMake files losslessly and ports them. */
@NullMarked
package dev.rocport.buildsystem.cmake;

import org.jspecify.annotations.NullMarked;
