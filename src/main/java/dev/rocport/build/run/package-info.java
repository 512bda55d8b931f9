/** Executes a plan, and converts compiler messages to findings. */
@NullMarked
package dev.rocport.build.run;

import org.jspecify.annotations.NullMarked;
