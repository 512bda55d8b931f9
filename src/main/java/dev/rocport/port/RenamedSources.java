package dev.rocport.port;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.PathText;
import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code --rename-sources}: {@code .cu} files become {@code .hip} files, and includes and build
 * files that name them are updated. Headers keep their names. A file whose new name is already in
 * use keeps its old one.
 */
public final class RenamedSources {
  /** Renames nothing. */
  public static final RenamedSources NONE = new RenamedSources(new TreeMap<>(), false);

  private static final String RULE = "RENAME-SOURCES";
  private static final String OLD = ".cu";
  private static final String NEW = ".hip";
  private static final Pattern INCLUDE =
      Pattern.compile(
          "^[ \\t]*#[ \\t]*include[ \\t]*[\"<]([^\">\\r\\n]+)\\.cu[\">]", Pattern.MULTILINE);

  /** A word of a build file with this ending, and not with a longer one such as .cuh. */
  private static final Pattern WORD = Pattern.compile("([\\w./${}()@%*+~-]*)\\.cu(?![\\w])");

  private final SortedMap<String, String> names;
  private final Set<String> suffixes = new HashSet<>();
  private final boolean complete;

  private RenamedSources(SortedMap<String, String> names, boolean complete) {
    this.names = names;
    this.complete = complete;
    for (String path : names.keySet()) {
      suffixes.add(path);
      for (int i = path.indexOf('/'); i >= 0; i = path.indexOf('/', i + 1)) {
        suffixes.add(path.substring(i + 1));
      }
    }
  }

  /** Returns the new names for a tree. */
  public static RenamedSources of(SourceTree tree) {
    Set<String> taken = new HashSet<>();
    tree.entries().forEach(e -> taken.add(e.path()));
    SortedMap<String, String> names = new TreeMap<>();
    boolean complete = true;
    for (TreeEntry entry : tree.entries()) {
      String path = entry.path();
      if (path.endsWith(OLD) && (entry.isSource() || entry.kind() == FileKind.LINK)) {
        String renamed = path.substring(0, path.length() - OLD.length()) + NEW;
        if (taken.contains(renamed)) {
          complete = false;
        } else {
          names.put(path, renamed);
        }
      }
    }
    return new RenamedSources(names, complete);
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  /** New paths by old path. */
  public Map<String, String> names() {
    return names;
  }

  /** Adds edits that replace the old names in a file. */
  void fix(SourceFile file, FileKind kind, Changes changes) {
    if (names.isEmpty() || !changes.allows(RULE)) {
      return;
    }
    String text = new String(file.bytes(), StandardCharsets.ISO_8859_1);
    Matcher m = (kind == FileKind.BUILD ? WORD : INCLUDE).matcher(text);
    while (m.find()) {
      String stem = m.group(1);
      if (names(file.path(), stem + OLD) || (kind == FileKind.BUILD && isPattern(stem))) {
        int end = m.end(1);
        changes.edit(Edit.replace(end, end + OLD.length(), NEW, RULE));
      }
    }
  }

  /** Returns whether a path in a file refers to a renamed file. */
  private boolean names(String from, String path) {
    int slash = from.lastIndexOf('/');
    Path folder = Path.of(slash < 0 ? "" : from.substring(0, slash));
    String tail = path.substring(path.lastIndexOf('}') + 1);
    tail = tail.substring(tail.lastIndexOf(')') + 1);
    if (tail.startsWith("/") && tail.length() < path.length()) {
      tail = tail.substring(1); // the part after ${SOME_DIR}
    }
    return normal(folder, tail).filter(p -> names.containsKey(p)).isPresent()
        || normal(Path.of(""), tail)
            .filter(p -> suffixes.contains(p.replaceFirst("^(\\.\\./)+", "")))
            .isPresent();
  }

  private static Optional<String> normal(Path folder, String path) {
    return PathText.normalized(folder, path).map(Path::toString);
  }

  /** {@code *.cu}, {@code %.cu} and suffix rules: replaced if every such file has the new name. */
  private boolean isPattern(String stem) {
    return complete && (stem.isEmpty() || stem.endsWith("*") || stem.endsWith("%"));
  }

  @Override
  public String toString() {
    return names.toString();
  }
}
