/** Ports builds with Meson. */
@NullMarked
package dev.rocport.buildsystem.meson;

import org.jspecify.annotations.NullMarked;
