package dev.rocport.build.plan;

/**
 * Thrown if a project's build files cannot be interpreted; the message names file, line and
 * construct.
 */
public final class PlanException extends Exception {
  private static final long serialVersionUID = 1L;

  public PlanException(String message) {
    super(message);
  }
}
