package dev.rocport.port;

import dev.rocport.buildsystem.shared.BuildPort.Added;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.io.Sha256;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a port has found out about a tree as a whole, in the user's cache: a later run into another
 * folder need not find it out again if no file of the tree has another stamp.
 */
final class TreeRecord {
  private final CacheFile file;
  private final String tree;
  private final Map<String, String> stamps;

  private TreeRecord(CacheFile file, String tree, Map<String, String> stamps) {
    this.file = file;
    this.tree = tree;
    this.stamps = stamps;
  }

  /**
   * What was found out.
   *
   * @param key identifies the port of all files, see {@link PortKey#of}
   * @param ports for each ported file by its path, what identifies its port besides its content,
   *     see {@link PortKey#ofFile}
   * @param changed paths of the files that the port of the build changes
   * @param added files that the port of the build adds, by path
   * @param empty paths of files that are only copied, and hold nothing to report
   */
  record Kept(
      String key,
      Map<String, String> ports,
      Set<String> changed,
      SortedMap<String, Added> added,
      Set<String> empty) {}

  /**
   * Opens the record of a tree; empty if a file has just been written, or cannot be read.
   *
   * @param key identifies program, rules, options, paths and limits
   * @param start when the run began
   */
  static Optional<TreeRecord> open(
      CacheFile file, List<TreeEntry> entries, String key, Instant start) {
    StringBuilder text = new StringBuilder(key).append('\n');
    Map<String, String> stamps = new HashMap<>();
    for (TreeEntry entry : entries) {
      if (entry.kind() == FileKind.UNREADABLE) {
        return Optional.empty();
      }
      text.append(entry.path()).append('\t').append(entry.note()).append('\t');
      if (entry.kind() != FileKind.SKIPPED && entry.kind() != FileKind.LINK) {
        String stamp = FileStamp.textOf(entry.file(), start);
        if (stamp.isEmpty()) {
          return Optional.empty();
        }
        stamps.put(entry.path(), stamp);
        text.append(stamp);
      }
      text.append('\n');
    }
    return Optional.of(new TreeRecord(file, Sha256.fingerprint(text.toString()), stamps));
  }

  /** Returns the stamp of a regular file when this run began. */
  String stamp(TreeEntry entry) {
    return stamps.getOrDefault(entry.path(), "");
  }

  /** Returns what a run has found out about the same files. */
  Optional<Kept> find() {
    try {
      return file.packed().filter(in -> in.text().equals(tree)).map(TreeRecord::read);
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // missing or damaged
    }
  }

  private static Kept read(PackedReader in) {
    String key = in.text();
    Map<String, String> ports = new HashMap<>(in.map(in::text));
    Set<String> changed = Set.copyOf(in.list(in::text));
    SortedMap<String, Added> added = new TreeMap<>(in.map(() -> new Added(in.text(), in.text())));
    return new Kept(key, ports, changed, added, Set.copyOf(in.list(in::text)));
  }

  /** Notes that the record was used. */
  void use() {
    try {
      file.use();
    } catch (IOException e) {
      // It is deleted too early.
    }
  }

  /** Replaces the record; one that cannot be written is left out. */
  void save(Kept kept) {
    PackedWriter out = new PackedWriter();
    out.text(tree);
    out.text(kept.key());
    out.map(new TreeMap<>(kept.ports()), out::text);
    out.list(new TreeSet<>(kept.changed()), out::text);
    out.map(
        new LinkedHashMap<>(kept.added()),
        a -> {
          out.text(a.content());
          out.text(a.like());
        });
    out.list(new TreeSet<>(kept.empty()), out::text);
    try {
      file.write(out);
    } catch (IOException e) {
      // The next run finds out everything again.
    }
  }
}
