/**
 * What rocport knows of CUDA C++: tokens, directives, launches, API names, guards, and the passes
 * over them.
 */
@NullMarked
package dev.rocport.cuda;

import org.jspecify.annotations.NullMarked;
