/** Ports builds with Bazel. */
@NullMarked
package dev.rocport.buildsystem.bazel;

import org.jspecify.annotations.NullMarked;
