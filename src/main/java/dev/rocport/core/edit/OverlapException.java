package dev.rocport.core.edit;

/** Thrown if two edits replace the same bytes. */
public final class OverlapException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Edit first;
  private final transient Edit second;

  OverlapException(Edit first, Edit second) {
    super(
        "edits overlap: %s at %d..%d and %s at %d..%d"
            .formatted(
                first.rule(),
                first.start(),
                first.end(),
                second.rule(),
                second.start(),
                second.end()));
    this.first = first;
    this.second = second;
  }

  public Edit first() {
    return first;
  }

  public Edit second() {
    return second;
  }
}
