/** Carries out a plan, and turns what compilers say into findings. */
@NullMarked
package dev.rocport.build.run;

import org.jspecify.annotations.NullMarked;
