package dev.rocport.warp.ir;

import java.util.List;

/**
 * A function with a body.
 *
 * @param path the file that defines it
 * @param number how many functions of the same name precede it in the file
 * @param templates its template parameters: those of types have an empty {@code type}
 * @param returns the return type as it is written
 * @param clean false if the parser did not understand all of it
 */
public record Function(
    String path,
    String name,
    int number,
    boolean kernel,
    boolean device,
    List<Variable> templates,
    List<Variable> parameters,
    String returns,
    Span returnsAt,
    Span nameAt,
    Body body,
    boolean clean) {
  /** Identifies the function in a project, also when it is moved in its file. */
  public String key() {
    return path + ":" + name + ":" + number;
  }

  /** Returns whether a function is the same, at this place or at another one of the file. */
  public boolean isSame(Function other) {
    return key().equals(other.key())
        && Moved.by(other.nameAt.start() - nameAt.start(), this).equals(other);
  }
}
