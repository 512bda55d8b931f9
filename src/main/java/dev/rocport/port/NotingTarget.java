package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.port.notes.Notes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Adds comments to the files of another target. */
public final class NotingTarget implements Target {
  private final Target inner;
  private final Notes.Choice choice;
  private final Predicate<Finding> open;
  private final String suffix;

  /**
   * Adds comments to the files of a target.
   *
   * @param open which findings become comments
   * @param settings identifies what {@code open} depends on
   */
  public NotingTarget(Target inner, Notes.Choice choice, Predicate<Finding> open, String settings) {
    this.inner = inner;
    this.choice = choice;
    this.open = open;
    this.suffix = "-" + choice + settings;
  }

  @Override
  public byte[] read(TreeEntry entry) throws IOException {
    return inner.read(entry);
  }

  @Override
  public Optional<String> lastKey(String tree) throws IOException {
    return inner.lastKey(tree + suffix);
  }

  @Override
  public @Nullable FileResult unchanged(TreeEntry entry, String key) throws IOException {
    return inner.unchanged(entry, key);
  }

  @Override
  public void begin(String key) {
    inner.begin(key + suffix);
  }

  @Override
  public void header(String name, String content) {
    inner.header(name, content);
  }

  @Override
  public void added(String path, AddedFile file) {
    inner.added(path, file);
  }

  @Override
  public @Nullable FileResult known(TreeEntry entry, SourceFile file) throws IOException {
    return inner.known(entry, file);
  }

  @Override
  public FileResult ported(PortedFile file) throws IOException {
    if (!file.failure().isEmpty()) {
      return inner.ported(file);
    }
    List<Finding> shown = file.findings().stream().filter(open).toList();
    Notes.Noted noted =
        Notes.add(file.source(), file.output(), file.entry().language(), shown, choice);
    FileResult result = inner.ported(file.with(noted.content()));
    return noted.left() == 0 || !result.message().isEmpty()
        ? result
        : Results.as(
            result,
            result.status(),
            noted.left()
                + (noted.left() == 1 ? " comment has" : " comments have")
                + " no place in this file");
  }

  @Override
  public void done(int index) {
    inner.done(index);
  }

  @Override
  public FileResult passed(int index, TreeEntry entry) throws IOException {
    return inner.passed(index, entry);
  }
}
