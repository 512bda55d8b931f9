/** The port of shell scripts that build. */
@NullMarked
package dev.rocport.buildsystem.shell;

import org.jspecify.annotations.NullMarked;
