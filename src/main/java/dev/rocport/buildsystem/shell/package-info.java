/** Ports shell scripts that call nvcc. */
@NullMarked
package dev.rocport.buildsystem.shell;

import org.jspecify.annotations.NullMarked;
