package dev.rocport.buildsystem.autotools;

import dev.rocport.buildsystem.shared.LibraryCopies;
import dev.rocport.buildsystem.shared.LibraryCopies.Use;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The include folders in a project's makefiles that lead to copies of NVIDIA libraries. */
final class AutotoolsCopies {
  private static final Pattern FLAG = Pattern.compile("[\"']?(?:-I|-isystem|-idirafter)(.*)");
  private static final Pattern TOP =
      Pattern.compile("(?:\\$[({]|@)(?:abs_)?top_(?:src|build)dir[)}@]/?");
  private static final Pattern HERE = Pattern.compile("(?:\\$[({]|@)(?:abs_)?srcdir[)}@]/?");
  private static final Pattern VARIABLE = Pattern.compile("\\$[({](\\w+)[)}]");

  private final LibraryCopies copies;
  private final String root;
  private final boolean isOnHost;

  /** The values of variables that one line sets. */
  private final Map<String, String> values = new HashMap<>();

  private final Set<String> several = new HashSet<>();

  /**
   * @param root the folder of {@code configure.ac}, with a slash at the end; empty for the root of
   *     the tree
   * @param texts the files of the build
   */
  AutotoolsCopies(LibraryCopies copies, String root, List<String> texts) {
    this.copies = copies;
    this.root = root;
    this.isOnHost = texts.stream().anyMatch(LibraryCopies::selectsHost);
  }

  /** Notes what a line of a makefile sets a variable to. */
  void set(String name, String value) {
    if (!copies.isEmpty() && values.putIfAbsent(name, value.strip()) != null) {
      several.add(name);
    }
  }

  /**
   * Returns the number of words of a flag with an include folder; 0 for other words.
   *
   * @param i the index of the first one
   */
  int words(List<Words.Word> words, int i) {
    Matcher flag = FLAG.matcher(words.get(i).text());
    if (copies.isEmpty() || !flag.matches()) {
      return 0;
    }
    return flag.group(1).isEmpty() ? (i + 1 < words.size() ? 2 : 0) : 1;
  }

  /**
   * Returns how the build uses the headers in the folder of a flag.
   *
   * @param path the makefile
   * @param flag its words, joined
   */
  Use use(String path, String flag) {
    Matcher m = FLAG.matcher(flag);
    String folder = m.matches() ? m.group(1).replaceAll("[\"']", "") : flag;
    Matcher variable = VARIABLE.matcher(folder);
    if (variable.lookingAt()
        && values.containsKey(variable.group(1))
        && !several.contains(variable.group(1))) {
      folder = values.get(variable.group(1)) + folder.substring(variable.end());
    }
    String here = path.substring(0, path.lastIndexOf('/') + 1);
    Matcher top = TOP.matcher(folder);
    Matcher source = HERE.matcher(folder);
    if (top.lookingAt()) {
      return Use.of(copies.at(root, folder.substring(top.end())), isOnHost);
    }
    String below = source.lookingAt() ? folder.substring(source.end()) : folder;
    return Use.of(copies.at(here, below), isOnHost);
  }
}
