/** Assesses what a command found, and writes it where the user asked for. */
@NullMarked
package dev.rocport.cli.report;

import org.jspecify.annotations.NullMarked;
