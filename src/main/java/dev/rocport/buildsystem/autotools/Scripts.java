package dev.rocport.buildsystem.autotools;

import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.commandline.NvccWords;
import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The scripts of a project that call nvcc for libtool, and their hipcc counterparts. */
final class Scripts {
  private static final Pattern SHELL = Pattern.compile("#! ?\\S*/(?:env )?(ba|da|k|z)?sh\\b.*");
  private static final Pattern NVCC = Pattern.compile("nvcc|NVCC|-Xcompiler|--compiler-options");
  private static final Pattern HOST =
      Pattern.compile("(?:-Xcompiler|--compiler-options)[ =]+(\"[^\"]*\"|'[^']*'|[^\\s\"']+)");
  private static final Pattern FLAG =
      Pattern.compile("(?<![\\w$./-])--?[A-Za-z][\\w-]{3,}(?:=[^\\s\"']+)?(?![\\w])");

  private final ProjectFiles files;
  private final Map<String, List<String>> byName = new HashMap<>();
  private final Map<String, Ported> ported = new TreeMap<>();
  private boolean closed;

  Scripts(ProjectFiles files) {
    this.files = files;
    for (String path : files.paths()) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      byName.computeIfAbsent(name, n -> new ArrayList<>()).add(path);
    }
  }

  /** A ported script. */
  private record Ported(String content, String problem) {}

  /**
   * Returns the script that a word of a makefile names, if the script calls nvcc.
   *
   * @return its path in the tree
   */
  Optional<String> find(String makefile, String word) {
    String name = word.replaceAll("^[@+-]*[\"']?|[\"']$", "");
    String tail = name.replaceAll("^(\\$[({]\\w+[)}]/|\\./)+", "").replaceAll("^(\\.\\./)+", "");
    if (tail.isEmpty() || tail.contains("$") || tail.startsWith("-")) {
      return Optional.empty();
    }
    String last = tail.substring(tail.lastIndexOf('/') + 1);
    for (String path : byName.getOrDefault(last, List.of())) {
      if (path.equals(tail) || path.endsWith("/" + tail)) {
        Ported p = script(path);
        if (p != null) {
          return Optional.of(path);
        }
      }
    }
    return Optional.empty();
  }

  /** Limits later searches to scripts that were found in rules. */
  void called() {
    closed = true;
  }

  /** Returns why a script has no counterpart; empty if it has one. */
  String problem(String path) {
    Ported p = ported.get(path);
    return p == null ? "" : p.problem();
  }

  /** Returns the hipcc scripts by the path of the original. */
  SortedMap<String, String> contents() {
    SortedMap<String, String> contents = new TreeMap<>();
    ported.forEach(
        (path, p) -> {
          if (p.problem().isEmpty()) {
            contents.put(path, p.content());
          }
        });
    return contents;
  }

  private @Nullable Ported script(String path) {
    Ported known = ported.get(path);
    if (known != null) {
      return known;
    }
    if (closed || files.isSource(path) || path.endsWith(".am") || path.endsWith(".m4")) {
      return null;
    }
    SourceFile file = files.read(path);
    if (file == null || !file.encoding().isText()) {
      return null;
    }
    String text = file.text(0, file.length());
    if (!text.startsWith("#!") || !NVCC.matcher(text).find()) {
      return null;
    }
    Ported made = port(path, text);
    ported.put(path, made);
    return made;
  }

  private static Ported port(String path, String text) {
    String firstLine = text.lines().findFirst().orElse("");
    if (!SHELL.matcher(firstLine).matches()) {
      return new Ported("", path + " calls nvcc and is not a shell script");
    }
    StringBuilder out = new StringBuilder();
    List<String> problems = new ArrayList<>();
    String name = path.substring(path.lastIndexOf('/') + 1);
    String twin = Names.file(name);
    for (String line : text.split("(?<=\n)")) {
      String now = host(line);
      if (!now.stripLeading().startsWith("#")) {
        now = flags(now, problems);
      }
      now = now.replace(name, twin).replace("NVCC", "HIPCC").replaceAll("\\bnvcc\\b", "hipcc");
      out.append(now);
    }
    String problem =
        problems.isEmpty() ? "" : path + " calls nvcc with " + String.join(", ", problems);
    return new Ported(out.toString(), problem);
  }

  /** Passes flags for the host compiler directly to hipcc. */
  private static String host(String line) {
    Matcher m = HOST.matcher(line);
    StringBuilder s = new StringBuilder();
    while (m.find()) {
      String value = m.group(1).replaceAll("^[\"']|[\"']$", "").replace(',', ' ');
      m.appendReplacement(s, Matcher.quoteReplacement(value));
    }
    return m.appendTail(s).toString();
  }

  private static String flags(String line, List<String> problems) {
    Matcher m = FLAG.matcher(line);
    StringBuilder s = new StringBuilder();
    while (m.find()) {
      String now = m.group();
      String rest = line.substring(m.end()).strip();
      List<String> words = new ArrayList<>(List.of(m.group()));
      if (!rest.isEmpty()) {
        words.add(rest.split("\\s", 2)[0]);
      }
      for (NvccWords.Change c : NvccWords.changes(words)) {
        if (c.first() > 0) {
          continue;
        }
        if (!c.problem().isEmpty() || c.count() > 1) {
          problems.add(m.group());
        } else {
          now = String.join(" ", c.words());
        }
      }
      m.appendReplacement(s, Matcher.quoteReplacement(now));
    }
    return m.appendTail(s).toString();
  }
}
