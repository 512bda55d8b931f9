/** CUDA and PTX that string literals hold. */
@NullMarked
package dev.rocport.lang.cuda.embedded;

import org.jspecify.annotations.NullMarked;
