/** Syntax trees of CUDA C++, by Eclipse CDT, for the questions that tokens cannot answer. */
@NullMarked
package dev.rocport.lang.cuda.ast;

import org.jspecify.annotations.NullMarked;
