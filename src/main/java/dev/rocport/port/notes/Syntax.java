package dev.rocport.port.notes;

/** How a language writes a comment that takes a whole line. */
enum Syntax {
  SLASHES("// ", "", true),
  /** C before 1999 has no other comments. */
  STARS("/* ", " */", true),
  HASH("# ", "", true),
  /** A makefile, in which a line that begins with a tab is part of a recipe. */
  HASH_AT_START("# ", "", false);

  private final String open;
  private final String close;
  private final boolean indented;

  Syntax(String open, String close, boolean indented) {
    this.open = open;
    this.close = close;
    this.indented = indented;
  }

  String open() {
    return open;
  }

  String close() {
    return close;
  }

  /** Whether a comment may be indented as the line below it. */
  boolean isIndented() {
    return indented;
  }
}
