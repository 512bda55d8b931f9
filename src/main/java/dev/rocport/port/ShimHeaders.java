package dev.rocport.port;

import dev.rocport.core.source.SourceTree;
import dev.rocport.io.PathText;
import dev.rocport.lang.python.RuntimeModules;
import dev.rocport.singlesource.CompatHeader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files that a ported tree needs in addition to the ported files, collected during the port:
 * rocport's headers, which go into the folder {@code rocport} of the output, and files that a build
 * requires.
 */
public final class ShimHeaders {
  /** Name of the folder in the output and in includes. */
  static final String FOLDER = "rocport";

  private static final String PYTHON = ".py";

  private static final Pattern INCLUDE =
      Pattern.compile("^\\s*#\\s*include\\s*[\"<](?:rocport/)?([\\w./-]+)[\">]", Pattern.MULTILINE);

  private final Path headers;
  private final SortedSet<String> needed = new ConcurrentSkipListSet<>();
  private final SortedSet<String> recorded = new ConcurrentSkipListSet<>();
  private final Map<String, byte[]> made = new ConcurrentHashMap<>();
  private final SortedMap<String, AddedFile> others = new ConcurrentSkipListMap<>();

  /**
   * Creates a collection for a folder of headers.
   *
   * @param headers the folder that holds them
   */
  public ShimHeaders(Path headers) {
    this.headers = headers;
  }

  /** Creates a collection for rocport's own headers. */
  public static ShimHeaders ofHome() {
    String home = System.getProperty("rocport.home", ".");
    return new ShimHeaders(Path.of(home, "hip-runtime", "include", "rocport"));
  }

  /** Returns the path of a header or a module in the ported tree. */
  static String place(String name) {
    return isModule(name) ? name : FOLDER + "/" + name;
  }

  /** Adds a header that is generated for this port. */
  void provide(String name, String content) {
    made.put(name, content.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Keeps the names that other files use in the compatibility header, and the headers that they
   * include, if this run processed only a part of the tree.
   *
   * @param output the root of the ported tree
   */
  void keepNames(Path output, Manifest manifest, SourceTree tree) throws IOException {
    manifest.all().forEach(k -> recorded.addAll(k.shims()));
    byte[] now = made.get(CompatHeader.NAME);
    Path present = output.resolve(FOLDER).resolve(CompatHeader.NAME);
    if (now == null || !Files.isRegularFile(present)) {
      return;
    }
    Set<String> seen = new HashSet<>();
    tree.entries().forEach(e -> seen.add(e.path()));
    boolean partly =
        manifest.all().stream()
            .anyMatch(
                k ->
                    k.shims().contains(CompatHeader.NAME)
                        && !seen.contains(k.source())
                        && Files.exists(PathText.resolve(tree.root(), k.source())));
    if (partly) {
      String both =
          CompatHeader.merge(Files.readString(present), new String(now, StandardCharsets.UTF_8));
      provide(CompatHeader.NAME, both);
      need(List.of(CompatHeader.NAME));
    }
  }

  /** Adds a file with its own path. */
  void add(String path, AddedFile file) {
    others.put(path, file);
  }

  /**
   * Returns all files of the output that are not ported files, by path.
   *
   * @throws IOException if a header is missing from the installation
   */
  SortedMap<String, AddedFile> files() throws IOException {
    SortedMap<String, AddedFile> files = new TreeMap<>(others);
    SortedMap<String, byte[]> contents = contents(needed);
    if (contents.containsKey(RunTimeHeaders.USER)) {
      Set<String> all = new HashSet<>(needed);
      recorded.stream().filter(n -> Files.isRegularFile(headers.resolve(n))).forEach(all::add);
      String text = RunTimeHeaders.text(contents(all));
      contents.put(RunTimeHeaders.NAME, text.getBytes(StandardCharsets.UTF_8));
    }
    contents.forEach((name, c) -> files.put(FOLDER + "/" + name, new AddedFile(c, null)));
    for (String path : needed) {
      if (isModule(path)) {
        files.put(path, new AddedFile(RuntimeModules.read(module(path)), null));
      }
    }
    return files;
  }

  /**
   * Returns the file of the installation that a file of the output is a copy of, if there is one.
   */
  Optional<Path> installed(String path) {
    String prefix = FOLDER + "/";
    return path.startsWith(prefix)
        ? Optional.of(headers.resolve(path.substring(prefix.length()))).filter(Files::isRegularFile)
        : Optional.empty();
  }

  private static boolean isModule(String name) {
    return name.endsWith(PYTHON);
  }

  private static String module(String path) {
    return path.substring(path.lastIndexOf('/') + 1, path.length() - PYTHON.length());
  }

  void need(Collection<String> names) {
    needed.addAll(names);
  }

  /**
   * Returns contents by name: these headers and the headers that they include.
   *
   * @throws IOException if one is missing from the installation
   */
  private SortedMap<String, byte[]> contents(Collection<String> names) throws IOException {
    SortedMap<String, byte[]> contents = new TreeMap<>();
    Deque<String> open = new ArrayDeque<>(names);
    while (!open.isEmpty()) {
      String name = open.pop();
      if (contents.containsKey(name) || isModule(name)) {
        continue;
      }
      byte[] own = made.get(name);
      byte[] content = own == null ? Files.readAllBytes(headers.resolve(name)) : own;
      contents.put(name, content);
      Matcher include = INCLUDE.matcher(new String(content, StandardCharsets.UTF_8));
      while (include.find()) {
        if (Files.isRegularFile(headers.resolve(include.group(1)))) {
          open.push(include.group(1));
        }
      }
    }
    return contents;
  }
}
