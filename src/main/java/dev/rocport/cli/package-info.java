/** The command line: one class per command. */
@NullMarked
package dev.rocport.cli;

import org.jspecify.annotations.NullMarked;
