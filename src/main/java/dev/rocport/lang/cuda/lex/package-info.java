/** Tokens of CUDA C++, and their grouping: brackets, statements, arguments, launches. */
@NullMarked
package dev.rocport.lang.cuda.lex;

import org.jspecify.annotations.NullMarked;
