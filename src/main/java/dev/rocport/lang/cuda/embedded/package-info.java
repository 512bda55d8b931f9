/** CUDA and PTX in string literals. */
@NullMarked
package dev.rocport.lang.cuda.embedded;

import org.jspecify.annotations.NullMarked;
