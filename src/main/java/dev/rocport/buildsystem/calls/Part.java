package dev.rocport.buildsystem.calls;

/** A piece of an expression; offsets are those of the file's bytes. */
public sealed interface Part permits Token, Group {
  int start();

  /** Returns the offset after its last byte. */
  int end();

  /** Returns true if it is this operator. */
  default boolean is(String operator) {
    return this instanceof Token t && t.kind() == Token.Kind.OPERATOR && t.text().equals(operator);
  }

  /** Returns true if it is this name or keyword. */
  default boolean isName(String name) {
    return this instanceof Token t && t.kind() == Token.Kind.NAME && t.text().equals(name);
  }

  default boolean isName() {
    return this instanceof Token t && t.kind() == Token.Kind.NAME;
  }

  default boolean isString() {
    return this instanceof Token t && t.kind() == Token.Kind.STRING;
  }
}
