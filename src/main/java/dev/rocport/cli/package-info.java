/** The command line: one class a command. */
@NullMarked
package dev.rocport.cli;

import org.jspecify.annotations.NullMarked;
