package dev.rocport.port;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The headers of rocport that a ported tree needs, collected while files are ported; they go into
 * the folder {@code rocport} of the output.
 */
public final class ShimHeaders {
  /** The folder in the output, and what includes say. */
  static final String FOLDER = "rocport";

  private static final Pattern INCLUDE =
      Pattern.compile("^\\s*#\\s*include\\s*[\"<](?:rocport/)?([\\w./-]+)[\">]", Pattern.MULTILINE);

  private final Path headers;
  private final SortedSet<String> needed = new ConcurrentSkipListSet<>();

  /**
   * The headers of a folder.
   *
   * @param headers the folder that holds them
   */
  public ShimHeaders(Path headers) {
    this.headers = headers;
  }

  /** The headers that rocport comes with. */
  public static ShimHeaders ofHome() {
    String home = System.getProperty("rocport.home", ".");
    return new ShimHeaders(Path.of(home, "hip-runtime", "include", "rocport"));
  }

  void need(Collection<String> names) {
    needed.addAll(names);
  }

  /**
   * Content by name: what was asked for, and what that includes in turn.
   *
   * @throws IOException if one is missing from the installation
   */
  SortedMap<String, byte[]> contents() throws IOException {
    SortedMap<String, byte[]> contents = new TreeMap<>();
    Deque<String> open = new ArrayDeque<>(needed);
    while (!open.isEmpty()) {
      String name = open.pop();
      if (contents.containsKey(name)) {
        continue;
      }
      byte[] content = Files.readAllBytes(headers.resolve(name));
      contents.put(name, content);
      Matcher include =
          INCLUDE.matcher(new String(content, java.nio.charset.StandardCharsets.UTF_8));
      while (include.find()) {
        if (Files.isRegularFile(headers.resolve(include.group(1)))) {
          open.push(include.group(1));
        }
      }
    }
    return contents;
  }
}
