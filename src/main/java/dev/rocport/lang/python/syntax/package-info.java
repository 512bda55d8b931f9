/**
 * Python source as a tree: a lexer and a parser for every version from 3.8 to 3.14, whose nodes
 * have the spans that CPython's own {@code ast} gives them, as bytes of the file.
 */
@NullMarked
package dev.rocport.lang.python.syntax;

import org.jspecify.annotations.NullMarked;
