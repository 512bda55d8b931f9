package dev.rocport.bench;

/** The classes of files in the synthetic tree, with their share of the files in percent. */
public enum FileClass {
  KERNELS("files with kernels", 30, ".cu"),
  WARP("files with warp code", 5, ".cu"),
  HOST("host code", 40, ".cpp"),
  HEADERS("headers", 25, ".h");

  private final String title;
  private final int percent;
  private final String ending;

  FileClass(String title, int percent, String ending) {
    this.title = title;
    this.percent = percent;
    this.ending = ending;
  }

  public String title() {
    return title;
  }

  int percent() {
    return percent;
  }

  String ending() {
    return ending;
  }

  /** The folder with the files of this class. */
  String folder() {
    return switch (this) {
      case KERNELS -> "kernels";
      case WARP -> "warp";
      case HOST -> "src";
      case HEADERS -> "include";
    };
  }

  /** The class of a file, by its path in the tree. */
  static FileClass of(String path) {
    for (FileClass c : values()) {
      if (path.startsWith(c.folder() + "/")) {
        return c;
      }
    }
    throw new IllegalArgumentException("not in the synthetic tree: " + path);
  }
}
