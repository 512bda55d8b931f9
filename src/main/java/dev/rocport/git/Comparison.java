package dev.rocport.git;

import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.jspecify.annotations.Nullable;

/** Compares the files of a tree with a commit. */
final class Comparison {
  /** A larger file counts as changed in every line. */
  private static final long LARGEST = 32 << 20;

  private final GitFolder git;
  private final @Nullable ObjectId commit;
  private final String prefix;

  /** The files of the commit, and the commits of its submodules, by their path in the work tree. */
  private final Map<String, ObjectId> files = new HashMap<>();

  private final SortedMap<String, ObjectId> modules = new TreeMap<>();
  private final SortedMap<String, BitSet> changed = new TreeMap<>();

  /**
   * @param commit null for no files
   * @param prefix what to put before the path of an entry to get its path in the work tree
   */
  Comparison(GitFolder git, @Nullable ObjectId commit, String prefix) {
    this.git = git;
    this.commit = commit;
    this.prefix = prefix;
  }

  ChangedLines of(List<TreeEntry> entries) throws IOException {
    try (ObjectReader reader = git.repository().newObjectReader()) {
      if (commit != null) {
        read(commit, reader);
      }
      StagedFiles staged = StagedFiles.read(git.repository());
      Map<String, List<TreeEntry>> inModules = new TreeMap<>();
      List<TreeEntry> added = new ArrayList<>();
      for (TreeEntry e : entries) {
        if (e.kind() == FileKind.LINK || e.kind() == FileKind.SKIPPED) {
          continue;
        }
        String path = prefix + e.path();
        ObjectId old = files.get(path);
        String module = module(path);
        if (module != null) {
          inModules.computeIfAbsent(module, m -> new ArrayList<>()).add(e);
        } else if (old == null) {
          added.add(e);
        } else if (!staged.isSame(path, old, e.file())) {
          compare(e, reader, old);
        }
      }
      added(added, staged, reader);
      for (Map.Entry<String, List<TreeEntry>> m : inModules.entrySet()) {
        module(m.getKey(), m.getValue());
      }
    }
    return new ChangedLines(changed);
  }

  private void read(ObjectId id, ObjectReader reader) throws IOException {
    try (RevWalk commits = new RevWalk(reader);
        TreeWalk walk = new TreeWalk(reader)) {
      walk.addTree(commits.parseCommit(id).getTree());
      walk.setRecursive(true);
      while (walk.next()) {
        String path = PathText.of(walk.getRawPath());
        if (walk.getFileMode(0) == FileMode.GITLINK) {
          modules.put(path, walk.getObjectId(0));
        } else {
          files.put(path, walk.getObjectId(0));
        }
      }
    }
  }

  /** Returns the path of the submodule that a file is in; null if in none. */
  private @Nullable String module(String path) {
    if (modules.isEmpty()) {
      return null;
    }
    for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (modules.containsKey(path.substring(0, end))) {
        return path.substring(0, end);
      }
    }
    return null;
  }

  /** Compares the files of a submodule with the commit that the outer one names. */
  private void module(String path, List<TreeEntry> entries) throws IOException {
    Path top = PathText.resolve(git.root(), path);
    if (!GitFolder.isTop(top)) {
      // The submodule was replaced by files.
      entries.forEach(e -> changed.put(e.path(), ChangedLines.all()));
      return;
    }
    String below = path + "/";
    List<TreeEntry> inner = new ArrayList<>();
    for (TreeEntry e : entries) {
      String name = (prefix + e.path()).substring(below.length());
      inner.add(new TreeEntry(e.file(), name, e.kind(), e.language(), e.size(), e.note()));
    }
    String id = Objects.requireNonNull(modules.get(path)).name();
    try (GitFolder module = GitFolder.open(top)) {
      ChangedLines lines = module.since(id, top, inner);
      lines.lines().forEach((p, l) -> changed.put((below + p).substring(prefix.length()), l));
    } catch (GitException e) {
      throw new GitException(
          "submodule %s: %s; update it, or exclude it (--exclude %s)"
              .formatted(path, e.getMessage(), path),
          e);
    }
  }

  private void added(List<TreeEntry> added, StagedFiles staged, ObjectReader reader)
      throws IOException {
    if (!staged.isRead()) {
      // Ignored files may be staged, and files that are not there may be left out.
      added.forEach(e -> changed.put(e.path(), ChangedLines.all()));
      return;
    }
    Ignored ignored = new Ignored(git);
    List<TreeEntry> fresh = new ArrayList<>();
    for (TreeEntry e : added) {
      String path = prefix + e.path();
      if (staged.holds(path) || !ignored.holds(path)) {
        fresh.add(e);
      }
    }
    if (fresh.isEmpty()) {
      return;
    }
    Map<String, ObjectId> gone = new TreeMap<>();
    for (Map.Entry<String, ObjectId> f : files.entrySet()) {
      if (!Files.exists(PathText.resolve(git.root(), f.getKey()))
          && !staged.isLeftOut(f.getKey())) {
        gone.put(f.getKey(), f.getValue());
      }
    }
    Map<TreeEntry, ObjectId> renamed = new Renames(reader, gone).of(fresh);
    for (TreeEntry e : fresh) {
      ObjectId old = renamed.get(e);
      if (old == null) {
        changed.put(e.path(), ChangedLines.all());
      } else {
        compare(e, reader, old);
      }
    }
  }

  private void compare(TreeEntry entry, ObjectReader reader, ObjectId old) throws IOException {
    ObjectLoader loader = reader.open(old);
    if (entry.kind() == FileKind.UNREADABLE
        || loader.getSize() > LARGEST
        || entry.size() > LARGEST) {
      changed.put(entry.path(), ChangedLines.all());
      return;
    }
    byte[] now;
    try {
      now = text(Files.readAllBytes(entry.file()));
    } catch (IOException e) {
      changed.put(entry.path(), ChangedLines.all()); // the audit reports it
      return;
    }
    byte[] before = text(loader.getBytes());
    if (!Arrays.equals(before, now)) {
      changed.put(entry.path(), lines(before, now));
    }
  }

  private static BitSet lines(byte[] before, byte[] now) {
    BitSet lines = new BitSet();
    var edits =
        new HistogramDiff().diff(RawTextComparator.DEFAULT, new RawText(before), new RawText(now));
    for (Edit e : edits) {
      lines.set(e.getBeginB() + 1, e.getEndB() + 1);
    }
    return lines;
  }

  /** Returns a text with line feeds as its line ends, because git may convert them. */
  static byte[] text(byte[] bytes) {
    byte[] text = new SourceFile("", bytes).withLineFeeds().bytes();
    int length = 0;
    byte[] plain = new byte[text.length];
    for (int i = 0; i < text.length; i++) {
      boolean isReturn = text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n';
      if (!isReturn) {
        plain[length++] = text[i];
      }
    }
    return length == text.length ? text : Arrays.copyOf(plain, length);
  }
}
