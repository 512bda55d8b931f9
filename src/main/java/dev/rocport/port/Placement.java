package dev.rocport.port;

import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.Checksum;
import dev.rocport.io.PathText;
import dev.rocport.io.Sha256;
import dev.rocport.port.KnownFile.Made;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes new content where the output of an earlier port, manual edits or a foreign file may exist.
 * Manual edits are never overwritten: they are merged, or the new port is placed next to the file.
 */
final class Placement {
  private static final String STRANGER =
      "the output contains a file that rocport did not write; the file was left unchanged";
  static final String KEPT = "edited by hand since the last port: kept";
  private static final String CONTRADICTION =
      "the same lines were changed in the original and in the ported file, so the ported file was"
          + " left unchanged";

  /** Prefix of a symbolic link in the state; its target follows. */
  static final String LINK = "link:";

  private static final String OTHER = "other";

  private final TreeWriter writer;
  private final StateFolder state;

  Placement(TreeWriter writer, StateFolder state) {
    this.writer = writer;
    this.state = state;
  }

  /**
   * The outcome of a placement.
   *
   * @param made the last port, for the state
   * @param pending the port to merge by hand, after a conflict
   * @param message the message for the user; empty for the normal case
   */
  record Outcome(Made made, @Nullable Made pending, String message) {
    boolean isConflict() {
      return pending != null;
    }
  }

  Path target(String path) {
    return PathText.resolve(writer.root(), path);
  }

  /** Returns the entry of a file; it counts as merged if a person has deleted its conflict file. */
  @Nullable KnownFile find(String path) {
    KnownFile known = state.manifest().find(path);
    return known != null && known.pending() != null && !Files.exists(state.conflict(path))
        ? known.settled()
        : known;
  }

  /** Returns what is in the output, in the form in which the state records this file. */
  @Nullable String standing(String path) throws IOException {
    KnownFile known = state.manifest().find(path);
    return standing(path, known == null ? "" : known.made().output());
  }

  /**
   * Returns what is in the output: the hash of a file, {@code link:} and the target of a symbolic
   * link, {@code other} for folders and other kinds; null if nothing exists.
   *
   * @param like a hash of the same kind
   */
  @Nullable String standing(String path, String like) throws IOException {
    Path target = target(path);
    if (Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
      return Checksum.is(like) ? Checksum.of(target) : Sha256.of(target);
    }
    if (Files.isSymbolicLink(target)) {
      return LINK + Files.readSymbolicLink(target);
    }
    return Files.exists(target, LinkOption.NOFOLLOW_LINKS) ? OTHER : null;
  }

  /** Returns whether the output is what the last port wrote. */
  private boolean isUntouched(String path, @Nullable KnownFile known) throws IOException {
    return known != null && known.made().output().equals(standing(path, known.made().output()));
  }

  private static boolean isFile(String standing) {
    return !standing.startsWith(LINK) && !standing.equals(OTHER);
  }

  /**
   * Writes content from memory.
   *
   * @param path place in the output
   * @param made original, content and key as hashes
   * @param like file whose permissions the new one gets
   */
  Outcome place(String path, byte[] content, Made made, @Nullable Path like) throws IOException {
    KnownFile known = find(path);
    String standing = standing(path, made.output());
    if (made.output().equals(standing)) {
      state.store().put(made.output(), content);
      return new Outcome(made, null, "");
    }
    if (standing == null || isUntouched(path, known)) {
      state.store().put(made.output(), content);
      writer.write(target(path), content, like);
      return new Outcome(made, null, "");
    }
    String before = known == null ? "" : known.made().output();
    if (before.equals(Checksum.is(before) ? Checksum.of(content) : made.output())) {
      return new Outcome(made, null, KEPT);
    }
    if (known != null && state.store().has(known.made().output()) && isFile(standing)) {
      byte[] base = state.store().get(known.made().output());
      byte[] mine = Files.readAllBytes(target(path));
      Optional<byte[]> merged = ThreeWayMerge.merge(base, mine, content);
      if (merged.isPresent()) {
        state.store().put(made.output(), content);
        writer.write(target(path), merged.get(), target(path));
        return new Outcome(made, null, "ported again and merged with the edits made by hand");
      }
    }
    return conflict(path, content, made, known);
  }

  private Outcome conflict(String path, byte[] content, Made made, @Nullable KnownFile known)
      throws IOException {
    state.store().put(made.output(), content);
    Path beside = state.conflict(path);
    writer.write(beside, content, null);
    return conflict(beside, made, known);
  }

  private Outcome conflict(Path beside, Made made, @Nullable KnownFile known) {
    String why = known == null ? STRANGER : CONTRADICTION;
    Made before = known == null ? new Made("", "", "") : known.made();
    return new Outcome(before, made, why + waiting(beside));
  }

  private String waiting(Path beside) {
    return "; the new port is in "
        + writer.root().relativize(beside)
        + ": merge what you need and delete that file";
  }

  /**
   * Copies a file of any size. Manual edits are kept, but there is no merge.
   *
   * @param content the bytes of the file if they have been read; null for a large file
   */
  Outcome copy(String path, Path from, byte @Nullable [] content, Made made) throws IOException {
    KnownFile known = find(path);
    String standing = standing(path, made.output());
    if (made.output().equals(standing)) {
      return new Outcome(made, null, "");
    }
    if (standing == null || isUntouched(path, known)) {
      copy(from, content, target(path));
      return new Outcome(made, null, "");
    }
    String before = known == null ? "" : known.made().output();
    if (before.equals(Checksum.is(before) ? made.output() : Sha256.of(from))) {
      return new Outcome(made, null, KEPT);
    }
    Path beside = state.conflict(path);
    copy(from, content, beside);
    return conflict(beside, made, known);
  }

  private void copy(Path from, byte @Nullable [] content, Path target) throws IOException {
    if (content == null) {
      writer.copy(from, target);
    } else {
      writer.write(target, content, from);
    }
  }
}
