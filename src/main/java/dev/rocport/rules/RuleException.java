package dev.rocport.rules;

/** A rule file that cannot be used; the message names file, line and reason. */
public final class RuleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RuleException(String message) {
    super(message);
  }

  public RuleException(String message, Throwable cause) {
    super(message, cause);
  }
}
