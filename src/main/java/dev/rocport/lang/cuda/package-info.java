/**
 * Everything about CUDA C++: tokens, directives, launches, API names, guards, and the passes over
 * them.
 */
@NullMarked
package dev.rocport.lang.cuda;

import org.jspecify.annotations.NullMarked;
