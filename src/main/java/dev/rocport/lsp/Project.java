package dev.rocport.lsp;

import dev.rocport.assess.Suppression;
import dev.rocport.assess.SuppressionFile;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.io.PathText;
import dev.rocport.lsp.Setup.InvalidSetupException;
import dev.rocport.port.FileStamp;
import dev.rocport.port.LiveTree;
import dev.rocport.warp.WarpFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A folder of the workspace, or a single file outside of it. Belongs to one thread. */
final class Project {
  private final Path start;
  private final Setup.Source source;
  private final Map<String, byte[]> open = new HashMap<>();
  private String configuration = "not read";
  private String failure = "";
  private @Nullable Setup setup;
  private @Nullable LiveTree tree;

  /**
   * Creates a project; {@link #refresh} reads it.
   *
   * @param start the folder or the file, without links
   */
  Project(Path start, Setup.Source source) {
    this.start = start;
    this.source = source;
  }

  Path start() {
    return start;
  }

  /** Returns whether its files are known, so that findings can be told. */
  boolean isReady() {
    return tree != null;
  }

  /** Returns why the configuration cannot be used; empty if it can. */
  String failure() {
    return failure;
  }

  Optional<Setup> setup() {
    return Optional.ofNullable(setup);
  }

  /**
   * Reads what has changed on disk. An invalid configuration leaves everything as it was.
   *
   * @return whether findings may have changed
   */
  boolean refresh() {
    String now = stamp();
    LiveTree known = tree;
    if (known != null && now.equals(configuration)) {
      return known.refresh();
    }
    configuration = now;
    try {
      Setup read = source.of(start);
      LiveTree fresh =
          new LiveTree(
              read.catalog(), read.options(), read.selection(), read.jobs(), read.largest());
      fresh.refresh();
      open.forEach(fresh::put);
      setup = read;
      tree = fresh;
      failure = "";
      return true;
    } catch (InvalidSetupException e) {
      failure = String.valueOf(e.getMessage());
      return false;
    }
  }

  private Path folder() {
    Path parent = start.getParent();
    return Files.isDirectory(start) || parent == null ? start : parent;
  }

  private String stamp() {
    Path file = folder().resolve(SuppressionFile.NAME);
    try {
      return FileStamp.of(file.toRealPath()).text();
    } catch (IOException e) {
      return ""; // there is none
    }
  }

  /** Returns the path of a file as reports show it; empty if it is not below the folder. */
  Optional<String> path(Path file) {
    Path folder = folder();
    boolean inside = Files.isDirectory(start) ? file.startsWith(start) : file.equals(start);
    return inside && !file.equals(folder)
        ? Optional.of(PathText.of(folder.relativize(file)))
        : Optional.empty();
  }

  void put(String path, byte[] bytes) {
    open.put(path, bytes);
    if (tree != null) {
      tree.put(path, bytes);
    }
  }

  void remove(String path) {
    open.remove(path);
    if (tree != null) {
      tree.remove(path);
    }
  }

  /** Returns whether a file is C, C++ or CUDA. */
  boolean isSource(String path) {
    return tree != null && tree.isSource(path);
  }

  /** Returns what is known about the warps of a file of the project. */
  Optional<WarpFacts> warps(String path) {
    return Optional.ofNullable(tree).map(t -> t.warps(path));
  }

  /** Returns what a port would do with a file, without the findings that are suppressed. */
  Optional<LiveTree.Answer> answer(String path) {
    return answer(path, () -> false);
  }

  /**
   * The same until nobody needs it any more.
   *
   * @param isCancelled whether nobody does; asked often
   * @throws java.util.concurrent.CancellationException if nobody does
   */
  Optional<LiveTree.Answer> answer(String path, BooleanSupplier isCancelled) {
    return Optional.ofNullable(tree)
        .flatMap(t -> t.answer(path, isCancelled))
        .map(this::withoutSuppressed);
  }

  /** The same as far as the tokens of a text show it; {@link #put} must follow. */
  Optional<LiveTree.Answer> preview(String path, byte[] bytes) {
    open.put(path, bytes);
    return Optional.ofNullable(tree)
        .flatMap(t -> t.preview(path, bytes))
        .map(this::withoutSuppressed);
  }

  private LiveTree.Answer withoutSuppressed(LiveTree.Answer answer) {
    List<Suppression> suppressions = setup().map(Setup::suppressions).orElse(List.of());
    FileResult r = answer.result();
    List<Finding> kept =
        r.findings().stream()
            .filter(f -> suppressions.stream().noneMatch(s -> s.covers(f)))
            .toList();
    return new LiveTree.Answer(r.with(kept, r.suppressed()), answer.source(), answer.fix());
  }
}
