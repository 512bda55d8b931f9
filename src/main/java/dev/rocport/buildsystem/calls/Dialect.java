package dev.rocport.buildsystem.calls;

/** Language of a build file. */
public enum Dialect {
  MESON(":"),
  STARLARK("=");

  /** Separator of a keyword and its value. */
  final String keyword;

  Dialect(String keyword) {
    this.keyword = keyword;
  }
}
