/** The cells of a verification, and their results, as files that several machines share. */
@NullMarked
package dev.rocport.verify.matrix;

import org.jspecify.annotations.NullMarked;
