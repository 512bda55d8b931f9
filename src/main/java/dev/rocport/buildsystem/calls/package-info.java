/** Lossless parser for build files that consist of calls with keywords: Meson and Bazel. */
@NullMarked
package dev.rocport.buildsystem.calls;

import org.jspecify.annotations.NullMarked;
