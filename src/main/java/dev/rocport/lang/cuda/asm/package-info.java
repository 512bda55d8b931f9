/** Inline assembly. */
@NullMarked
package dev.rocport.lang.cuda.asm;

import org.jspecify.annotations.NullMarked;
