/** Completion for shells, and manual pages. */
@NullMarked
package dev.rocport.cli.shell;

import org.jspecify.annotations.NullMarked;
