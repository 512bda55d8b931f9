package dev.rocport.buildsystem.calls;

/** Whose language a file is in. */
public enum Dialect {
  MESON(":"),
  STARLARK("=");

  /** What stands between a keyword and its value. */
  final String keyword;

  Dialect(String keyword) {
    this.keyword = keyword;
  }
}
