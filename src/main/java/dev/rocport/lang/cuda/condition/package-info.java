/** Preprocessor conditions: which branches of {@code #if} exist, and which of them hold. */
@NullMarked
package dev.rocport.lang.cuda.condition;

import org.jspecify.annotations.NullMarked;
