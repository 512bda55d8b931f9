package dev.rocport.lang.python.syntax;

/** A part of a Python file. Offsets are bytes of the file. */
public sealed interface Node permits Expr, Stmt, Argument, Parameter, Clause {
  int start();

  /** Offset after the last byte. */
  int end();
}
