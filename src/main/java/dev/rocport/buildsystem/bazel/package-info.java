/** Ports Bazel builds. */
@NullMarked
package dev.rocport.buildsystem.bazel;

import org.jspecify.annotations.NullMarked;
