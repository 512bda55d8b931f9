package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keeps what each step of a port changes, and writes nothing. */
public final class StepTarget extends OutputTarget {
  private final Path root;
  private final RuleCatalog catalog;
  private final Map<Step, SortedMap<String, Kept>> steps = new EnumMap<>(Step.class);

  /**
   * A file after a step.
   *
   * @param content null if the step removes the file
   * @param like path of the original with the same permissions; empty for the usual ones
   */
  @SuppressWarnings("ArrayRecordComponent") // handed to the writer, never compared
  public record Kept(byte @Nullable [] content, String like) {}

  /**
   * @param root of the tree
   */
  public StepTarget(Path root, ShimHeaders shims, OutputNames names, RuleCatalog catalog) {
    super(shims, names);
    this.root = root;
    this.catalog = catalog;
  }

  /** The files are in a folder that no other run reads, so that no facts about them are kept. */
  @Override
  public boolean takesParts() {
    return true;
  }

  @Override
  public boolean readsDisk() {
    return false;
  }

  @Override
  public FileResult ported(PortedFile file) {
    shims.need(file.shims());
    String old = file.entry().path();
    String now = names.of(file.entry());
    byte[] last = file.source().bytes();
    String at = old;
    Set<Step> own = own(file);
    if (!old.equals(now)) {
      own.add(Step.NAMES);
    }
    Step end = own.isEmpty() ? Step.ADDED : Collections.max(own);
    for (Step step : own) {
      byte[] content =
          step == end ? file.output() : file.partial().with(rule -> !isAfter(file, rule, step));
      content = content == null ? last : content;
      String to = step.compareTo(Step.NAMES) < 0 ? old : now;
      if (!to.equals(at)) {
        keep(step, at, new Kept(null, ""));
      }
      if (!to.equals(at) || !Arrays.equals(content, last)) {
        keep(step, to, new Kept(content, old));
      }
      at = to;
      last = content;
    }
    return file.result();
  }

  private Set<Step> own(PortedFile file) {
    Set<Step> own = EnumSet.noneOf(Step.class);
    if (file.isChanged()) {
      file.edits().keySet().forEach(rule -> own.add(step(file, rule)));
      if (own.isEmpty()) {
        own.add(Step.of(file.entry().language()));
      }
    }
    return own;
  }

  private boolean isAfter(PortedFile file, String rule, Step step) {
    return step(file, rule).compareTo(step) > 0;
  }

  private Step step(PortedFile file, String rule) {
    return Step.of(file.entry().language(), catalog.require(rule));
  }

  private synchronized void keep(Step step, String path, Kept kept) {
    steps.computeIfAbsent(step, s -> new TreeMap<>()).put(path, kept);
  }

  @Override
  public FileResult passed(int index, TreeEntry entry) {
    if (entry.kind() == FileKind.LINK) {
      String target = names.linkTarget(entry).toString();
      String now = names.of(entry);
      boolean isRenamed = !now.equals(entry.path());
      if (isRenamed) {
        keep(Step.NAMES, entry.path(), new Kept(null, ""));
      }
      if (isRenamed || !target.equals(entry.note())) {
        byte[] content = target.getBytes(StandardCharsets.UTF_8);
        keep(Step.NAMES, now, new Kept(content, entry.path()));
      }
    }
    return Results.of(entry);
  }

  /**
   * After the last file: returns the changes of each step, by path.
   *
   * @throws IOException if a header is missing from the installation
   */
  public Map<Step, SortedMap<String, Kept>> finish() throws IOException {
    for (Map.Entry<String, AddedFile> added : shims.files().entrySet()) {
      Path like = added.getValue().like();
      boolean isOriginal = like != null && like.startsWith(root) && Files.isRegularFile(like);
      String path = isOriginal ? root.relativize(like).toString() : "";
      keep(Step.ADDED, added.getKey(), new Kept(added.getValue().content(), path));
    }
    return steps;
  }
}
