/** Reads build files that are calls with keywords, Meson's and Bazel's, without losing a byte. */
@NullMarked
package dev.rocport.buildsystem.calls;

import org.jspecify.annotations.NullMarked;
