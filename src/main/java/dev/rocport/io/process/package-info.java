/** Starts and ends other programs. */
@NullMarked
package dev.rocport.io.process;

import org.jspecify.annotations.NullMarked;
