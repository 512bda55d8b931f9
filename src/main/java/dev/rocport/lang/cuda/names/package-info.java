/** API names and call patterns, in the form in which the token passes look them up. */
@NullMarked
package dev.rocport.lang.cuda.names;

import org.jspecify.annotations.NullMarked;
