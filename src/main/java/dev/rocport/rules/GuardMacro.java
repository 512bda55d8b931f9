package dev.rocport.rules;

import java.util.Locale;

/**
 * A macro of nvcc or its headers that conditions test: one row of {@code guards/macros.tsv}.
 *
 * @param macro its name
 * @param kind how a condition on it is rewritten
 * @param value what a current NVIDIA build sees; for {@link Kind#COMPILER} the equivalent macro of
 *     the HIP compiler; empty for parts of the version
 * @param oldest lowest number that is tried if the newest branch cannot be ported; 0 if none
 * @param inCode its replacement outside conditions; empty if it stays
 * @param library name and version of the library, such as {@code cuDNN 8.9.7}; empty for other
 *     kinds
 */
public record GuardMacro(
    String macro, Kind kind, String value, long oldest, String inCode, String library) {
  /** The meaning of a macro. */
  public enum Kind {
    ARCHITECTURE,
    /** Of the toolkit, as a thousand times the major version and ten times the minor one. */
    VERSION,
    MAJOR,
    MINOR,
    CONSTANT,
    /** Of a library; the AMD library has no such macro. */
    LIBRARY,
    COMPILER;

    static Kind of(String label) {
      return valueOf(label.toUpperCase(Locale.ROOT));
    }
  }

  public GuardMacro {
    boolean number =
        switch (kind) {
          case ARCHITECTURE, VERSION, CONSTANT, LIBRARY -> true;
          case MAJOR, MINOR, COMPILER -> false;
        };
    if (number && !value.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException(macro + ": the value is not a number: '" + value + "'");
    }
    if (kind == Kind.COMPILER && !value.matches("[A-Za-z_]\\w*")) {
      throw new IllegalArgumentException(macro + ": the value is not a macro: '" + value + "'");
    }
    if (!library.matches(kind == Kind.LIBRARY ? "[A-Za-z]+ [0-9.]+" : "")) {
      throw new IllegalArgumentException(
          macro
              + (kind == Kind.LIBRARY
                  ? ": the library needs a name and a version: '"
                  : ": this kind has no library: '")
              + library
              + "'");
    }
  }

  /** The name of the library; empty for other kinds. */
  public String libraryName() {
    return library.substring(0, Math.max(0, library.indexOf(' ')));
  }

  /** True if it identifies the toolkit. */
  public boolean isVersion() {
    return kind == Kind.VERSION || kind == Kind.MAJOR || kind == Kind.MINOR;
  }
}
