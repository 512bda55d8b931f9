/** Ports makefiles. */
@NullMarked
package dev.rocport.buildsystem.make;

import org.jspecify.annotations.NullMarked;
