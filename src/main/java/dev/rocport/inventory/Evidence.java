package dev.rocport.inventory;

import java.util.Locale;

/**
 * A place that shows that a component is used.
 *
 * @param path of the file, relative to the tree's root; inside an archive, after {@code !/}
 * @param line 1-based, the first one where it stands several times; 0 for binaries
 * @param text what stands there, in short
 * @param version as far as one is written, with its operator; else empty
 * @param count how often it stands in that file
 * @param purl of the package that is asked for; else empty
 */
public record Evidence(
    Kind kind, String path, int line, String text, String version, int count, String purl) {
  /** The kind of place. */
  public enum Kind {
    INCLUDE,
    /** A function, type, constant or macro of the component's. */
    NAME,
    /** PTX in an asm statement, or a file of it. */
    CODE,
    /** A condition on a version. */
    CONDITION,
    CMAKE,
    LINK,
    /** A program or an option of a build. */
    FLAG,
    PIP,
    CONDA,
    /** A distribution's package. */
    APT,
    IMAGE,
    IMPORT,
    BINARY;

    /** As reports spell it. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Evidence(Kind kind, String path, int line, String text, String version) {
    this(kind, path, line, text, version, 1, "");
  }

  Evidence more(int times) {
    return new Evidence(kind, path, line, text, version, count + times, purl);
  }

  /** Path and line. */
  public String place() {
    return line > 0 ? path + ":" + line : path;
  }
}
