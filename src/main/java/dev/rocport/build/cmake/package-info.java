/**
 * Reads simple CMake projects: targets, their sources, flags and libraries. What it does not follow
 * is an error that names file, line and command.
 */
@NullMarked
package dev.rocport.build.cmake;

import org.jspecify.annotations.NullMarked;
