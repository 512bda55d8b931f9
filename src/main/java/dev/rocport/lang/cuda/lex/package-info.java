/** Tokens of CUDA C++, and how they group: brackets, statements, arguments, launches. */
@NullMarked
package dev.rocport.lang.cuda.lex;

import org.jspecify.annotations.NullMarked;
