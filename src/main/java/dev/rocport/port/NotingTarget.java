package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.port.notes.Notes;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** Adds comments to the files of another target. */
public final class NotingTarget extends ForwardingTarget {
  private final Notes.Choice choice;
  private final Predicate<Finding> open;

  /**
   * Adds comments to the files of a target.
   *
   * @param open which findings become comments
   * @param settings identifies what {@code open} depends on
   */
  public NotingTarget(Target inner, Notes.Choice choice, Predicate<Finding> open, String settings) {
    super(inner, choice + settings);
    this.choice = choice;
    this.open = open;
  }

  @Override
  public FileResult ported(PortedFile file) throws IOException {
    if (!file.failure().isEmpty()) {
      return inner().ported(file);
    }
    List<Finding> shown = file.findings().stream().filter(open).toList();
    Notes.Noted noted =
        Notes.add(file.source(), file.output(), file.entry().language(), shown, choice);
    FileResult result = inner().ported(file.with(noted.content()));
    return noted.left() == 0 || !result.message().isEmpty()
        ? result
        : Results.as(
            result,
            result.status(),
            noted.left()
                + (noted.left() == 1 ? " comment has" : " comments have")
                + " no place in this file");
  }
}
