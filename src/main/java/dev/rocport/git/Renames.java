package dev.rocport.git;

import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.TreeEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jgit.diff.SimilarityIndex;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.jspecify.annotations.Nullable;

/**
 * Finds new files that a commit has under another name: those with the same content, then the most
 * similar pairs, from half of the content on, as git does.
 */
final class Renames {
  private static final int LEAST = 50;

  /** With more pairs, only equal contents count; git has a limit, too. */
  private static final long MOST_PAIRS = 250_000;

  private static final long LARGEST = 8 << 20;

  private final ObjectReader reader;
  private final Map<String, ObjectId> gone;
  private final Map<TreeEntry, ObjectId> found = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  private record Pair(TreeEntry entry, String old, int score, boolean sameName) {}

  /**
   * @param gone files of the commit that are no longer there, by path
   */
  Renames(ObjectReader reader, Map<String, ObjectId> gone) {
    this.reader = reader;
    this.gone = gone;
  }

  /** Returns the old contents of those files that were renamed. */
  Map<TreeEntry, ObjectId> of(List<TreeEntry> fresh) throws IOException {
    if (gone.isEmpty()) {
      return found;
    }
    Map<TreeEntry, SimilarityIndex> open = new HashMap<>();
    List<TreeEntry> order = new ArrayList<>();
    for (TreeEntry e : fresh) {
      byte[] bytes = read(e);
      if (bytes != null && !same(e, bytes)) {
        SimilarityIndex index = index(bytes);
        if (index != null) {
          open.put(e, index);
          order.add(e);
        }
      }
    }
    if ((long) order.size() * gone.size() <= MOST_PAIRS) {
      similar(order, open);
    }
    return found;
  }

  private static byte @Nullable [] read(TreeEntry e) {
    if (e.kind() == FileKind.UNREADABLE || e.size() > LARGEST || e.size() == 0) {
      return null;
    }
    try {
      return Files.readAllBytes(e.file());
    } catch (IOException x) {
      return null; // the audit reports it
    }
  }

  private boolean same(TreeEntry e, byte[] bytes) {
    ObjectInserter.Formatter formatter = new ObjectInserter.Formatter();
    ObjectId raw = formatter.idFor(Constants.OBJ_BLOB, bytes);
    ObjectId plain = formatter.idFor(Constants.OBJ_BLOB, Comparison.text(bytes));
    for (Map.Entry<String, ObjectId> g : gone.entrySet()) {
      ObjectId id = g.getValue();
      if ((id.equals(raw) || id.equals(plain)) && taken.add(g.getKey())) {
        found.put(e, id);
        return true;
      }
    }
    return false;
  }

  private void similar(List<TreeEntry> order, Map<TreeEntry, SimilarityIndex> open)
      throws IOException {
    List<Pair> pairs = new ArrayList<>();
    for (Map.Entry<String, ObjectId> g : gone.entrySet()) {
      if (order.isEmpty() || taken.contains(g.getKey())) {
        continue;
      }
      ObjectLoader loader = reader.open(g.getValue());
      SimilarityIndex old =
          loader.getSize() > LARGEST ? null : index(Comparison.text(loader.getBytes()));
      for (TreeEntry e : order) {
        SimilarityIndex now = open.get(e);
        int score = old == null || now == null ? 0 : old.score(now, 100);
        if (score >= LEAST) {
          pairs.add(new Pair(e, g.getKey(), score, name(e.path()).equals(name(g.getKey()))));
        }
      }
    }
    pairs.sort(
        Comparator.comparingInt(Pair::score)
            .thenComparing(Pair::sameName)
            .reversed()
            .thenComparing(Pair::old)
            .thenComparing(p -> p.entry().path()));
    for (Pair p : pairs) {
      ObjectId id = gone.get(p.old());
      if (id != null && !found.containsKey(p.entry()) && taken.add(p.old())) {
        found.put(p.entry(), id);
      }
    }
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static @Nullable SimilarityIndex index(byte[] bytes) throws IOException {
    try {
      return SimilarityIndex.create(
          new ObjectLoader.SmallObject(Constants.OBJ_BLOB, Comparison.text(bytes)));
    } catch (SimilarityIndex.TableFullException e) {
      return null; // too many different lines
    }
  }
}
