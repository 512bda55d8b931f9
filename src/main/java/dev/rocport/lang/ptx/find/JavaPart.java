package dev.rocport.lang.ptx.find;

/** A part of a Java text that is concatenated with {@code +}, by its location in the file. */
public sealed interface JavaPart {
  /** Offset of its first byte. */
  int start();

  /** Offset after its last byte. */
  int end();

  /** A literal or a text block, quotes included. */
  record Literal(int start, int end) implements JavaPart {}

  /** An expression for one character, such as {@code System.lineSeparator()}. */
  record Said(int start, int end, char character) implements JavaPart {}

  /** What is known at run time only. */
  record Unknown(int start, int end) implements JavaPart {}
}
