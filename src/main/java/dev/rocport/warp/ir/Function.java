package dev.rocport.warp.ir;

import java.util.List;

/**
 * A function with a body.
 *
 * @param path the file that defines it
 * @param templates its template parameters: those of types have an empty {@code type}
 * @param returns the return type as it is written
 * @param clean false if the parser did not understand all of it
 */
public record Function(
    String path,
    String name,
    boolean kernel,
    boolean device,
    List<Variable> templates,
    List<Variable> parameters,
    String returns,
    Span returnsAt,
    Span nameAt,
    Body body,
    boolean clean) {
  /** Identifies the function in a project. */
  public String key() {
    return path + ":" + nameAt.start();
  }
}
