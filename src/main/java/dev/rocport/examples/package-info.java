/** Runs the examples that the rules carry. */
@NullMarked
package dev.rocport.examples;

import org.jspecify.annotations.NullMarked;
