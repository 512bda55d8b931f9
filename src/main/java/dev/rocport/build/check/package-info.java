/** Compares the errors of the compiler in a ported tree with the findings of the port. */
@NullMarked
package dev.rocport.build.check;

import org.jspecify.annotations.NullMarked;
