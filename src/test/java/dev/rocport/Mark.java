package dev.rocport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What an input of the tests expects of a rule in one of its lines: a comment at the end of the
 * line, such as {@code // want: W64-LOCK} or {@code # want: PY-NVML, PY-NVTX}. For files without
 * comments, and for lines that have no place for one, {@code wants.tsv} beside the file lists path,
 * line and rule.
 *
 * <p>The words are {@code want} for what a rule must act on, {@code ok} for what it must leave
 * alone, and {@code gap} for what it may find but need not.
 *
 * @param path path below the root of the tree, with {@code /}
 * @param line 1-based; 0 for the whole file
 * @param rule id of the rule
 */
public record Mark(String path, int line, String rule) {
  private static final String RULE = "[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+";
  private static final Pattern COMMENT =
      Pattern.compile("(?:#|//|/\\*|dnl) (\\w+): (" + RULE + "(?:,? " + RULE + ")*)");
  private static final Pattern BETWEEN = Pattern.compile(",? ");

  /**
   * Returns the marks with this word in a tree, or in one file, in order of their places.
   *
   * @throws IOException if a file cannot be read
   */
  public static List<Mark> in(Path root, String word) throws IOException {
    Path folder = Files.isDirectory(root) ? root : root.resolveSibling("");
    List<Mark> marks = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String path = folder.relativize(file).toString().replace('\\', '/');
        // Latin-1, since files of the tests can have any encoding.
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (file.endsWith(word + "s.tsv")) {
          listed(path.substring(0, path.lastIndexOf('/') + 1), text, marks);
        } else {
          inComments(path, text, word, marks);
        }
      }
    }
    return marks;
  }

  private static void listed(String folder, String text, List<Mark> to) {
    for (String row : text.lines().toList()) {
      String[] cells = row.split("\t", -1);
      to.add(new Mark(folder + cells[0], Integer.parseInt(cells[1]), cells[2]));
    }
  }

  private static void inComments(String path, String text, String word, List<Mark> to) {
    int line = 0;
    for (String content : text.split("\n", -1)) {
      line++;
      Matcher m = COMMENT.matcher(content);
      while (m.find()) {
        if (m.group(1).equals(word)) {
          for (String rule : BETWEEN.split(m.group(2))) {
            to.add(new Mark(path, line, rule));
          }
        }
      }
    }
  }

  @Override
  public String toString() {
    return path + ":" + line + " " + rule;
  }
}
