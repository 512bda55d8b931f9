package dev.rocport.warp.ir;

/** The kinds of statements and expressions in the form of {@link UnitWriter}. */
enum Packed {
  BLOCK,
  LET,
  EVAL,
  IF,
  FOR,
  WHILE,
  RETURN,
  JUMP,
  UNKNOWN,
  NAME,
  LITERAL,
  UNARY,
  BINARY,
  PICK,
  CALL,
  INDEX,
  FIELD,
  CAST,
  OTHER
}
