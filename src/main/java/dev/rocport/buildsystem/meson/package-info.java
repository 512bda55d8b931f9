/** Ports Meson builds. */
@NullMarked
package dev.rocport.buildsystem.meson;

import org.jspecify.annotations.NullMarked;
