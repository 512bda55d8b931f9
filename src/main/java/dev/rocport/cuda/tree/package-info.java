/** Syntax trees of CUDA C++, by Eclipse CDT, for the questions that tokens cannot answer. */
@NullMarked
package dev.rocport.cuda.tree;

import org.jspecify.annotations.NullMarked;
