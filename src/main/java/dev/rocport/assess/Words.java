package dev.rocport.assess;

import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.Globs;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.Sha256;
import dev.rocport.rules.PhaseTable.Sign;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Searches files for the words of signs: a cheap search by lines, without syntax. */
final class Words {
  /** Sources are smaller; larger files are data. */
  private static final long LARGEST = 4 << 20;

  private static final Pattern C_FILE = Pattern.compile(".*\\.(cuh?|hip|[ch](h|c|pp|xx)?)");

  private Words() {}

  /**
   * Occurrences of words.
   *
   * @param count the number of occurrences
   * @param files the number of files with one
   * @param example the first place: {@code path:line}, or {@code path} if files count by name
   */
  record Hits(int count, int files, String example) {
    static final Hits NONE = new Hits(0, 0, "");

    private static final Pattern LINE = Pattern.compile("(\\d{1,9}) (\\d{1,9}) (.*)");

    Hits and(Hits more) {
      return new Hits(
          count + more.count, files + more.files, example.isEmpty() ? more.example : example);
    }

    /** Returns the hits of some signs as lines; empty if a name does not fit into a line. */
    static String write(List<Hits> hits, List<Sign> signs) {
      StringBuilder text = new StringBuilder(Sha256.fingerprint(signs.toString()));
      for (Hits h : hits) {
        if (h.example.indexOf('\n') >= 0 || h.example.indexOf('\t') >= 0) {
          return "";
        }
        text.append('\n').append(h.count).append(' ').append(h.files).append(' ').append(h.example);
      }
      return text.toString();
    }

    /** Reads the hits of the same signs; empty if the text is of others. */
    static Optional<List<Hits>> read(String text, List<Sign> signs) {
      String[] lines = text.split("\n", -1);
      if (lines.length != signs.size() + 1
          || !lines[0].equals(Sha256.fingerprint(signs.toString()))) {
        return Optional.empty();
      }
      List<Hits> hits = new ArrayList<>();
      for (String line : List.of(lines).subList(1, lines.length)) {
        Matcher m = LINE.matcher(line);
        if (!m.matches()) {
          return Optional.empty();
        }
        hits.add(new Hits(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)), m.group(3)));
      }
      return Optional.of(hits);
    }
  }

  /** Returns the hits of all signs in a tree, in their order. */
  static List<Hits> of(List<Sign> signs, SourceTree tree) {
    List<Globs> globs = signs.stream().map(s -> Globs.of(s.files())).toList();
    List<List<Hits>> files =
        tree.entries().parallelStream()
            .filter(Words::isFile)
            .map(e -> of(signs, globs, e))
            .toList();
    List<Hits> hits = new ArrayList<>(Collections.nCopies(signs.size(), Hits.NONE));
    for (List<Hits> file : files) {
      for (int i = 0; i < file.size(); i++) {
        hits.set(i, hits.get(i).and(file.get(i)));
      }
    }
    return List.copyOf(hits);
  }

  /** Returns the hits of all signs in one file; none at all if no sign is about such files. */
  private static List<Hits> of(List<Sign> signs, List<Globs> globs, TreeEntry entry) {
    Hits[] hits = new Hits[signs.size()];
    String text = "";
    boolean named = false;
    boolean read = false;
    for (int i = 0; i < hits.length; i++) {
      hits[i] = Hits.NONE;
      if (!globs.get(i).matches(entry.path())) {
        continue;
      }
      named = true;
      if (signs.get(i).words().isEmpty()) {
        hits[i] = new Hits(1, 1, entry.path());
        continue;
      }
      text = read ? text : text(entry);
      read = true;
      hits[i] = in(entry.path(), text, signs.get(i).words());
    }
    return named ? List.of(hits) : List.of();
  }

  /** Returns the hits of some words in one file. */
  static Hits in(String path, String text, List<String> words) {
    int count = 0;
    int first = Integer.MAX_VALUE;
    for (String word : words) {
      boolean open = word.endsWith("*");
      String letters = open ? word.substring(0, word.length() - 1) : word;
      for (int at = text.indexOf(letters); at >= 0; at = text.indexOf(letters, at + 1)) {
        if (isWhole(text, at, at + letters.length(), open) && !isComment(path, text, at)) {
          count++;
          first = Math.min(first, at);
        }
      }
    }
    return count == 0 ? Hits.NONE : new Hits(count, 1, path + ":" + line(text, first));
  }

  static boolean isFile(TreeEntry entry) {
    FileKind kind = entry.kind();
    return kind != FileKind.LINK && kind != FileKind.SKIPPED && kind != FileKind.UNREADABLE;
  }

  /** Returns the content with one character per byte; empty if it cannot be read, or is data. */
  static String text(TreeEntry entry) {
    if (entry.size() > LARGEST || entry.kind() == FileKind.LINK) {
      return "";
    }
    try {
      return new String(Files.readAllBytes(entry.file()), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      // The port fails in the same way and reports it.
      return "";
    }
  }

  private static boolean isWhole(String text, int start, int end, boolean open) {
    boolean left = start == 0 || !isLetter(text.charAt(start)) || !isLetter(text.charAt(start - 1));
    boolean right =
        open
            || end == text.length()
            || !isLetter(text.charAt(end - 1))
            || !isLetter(text.charAt(end));
    return left && right;
  }

  private static boolean isLetter(char c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }

  /** Returns whether the line begins like a comment in the language of the file. */
  private static boolean isComment(String path, String text, int at) {
    int start = text.lastIndexOf('\n', at - 1) + 1;
    while (start < at && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    boolean c = C_FILE.matcher(path).matches();
    return c
        ? text.startsWith("//", start) || text.startsWith("* ", start)
        : text.startsWith("#", start) || text.startsWith("\"#", start);
  }

  private static int line(String text, int at) {
    int line = 1;
    for (int i = 0; i < at; i++) {
      line += text.charAt(i) == '\n' ? 1 : 0;
    }
    return line;
  }
}
