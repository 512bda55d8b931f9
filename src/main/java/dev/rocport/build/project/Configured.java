package dev.rocport.build.project;

import dev.rocport.build.compile.TextsHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Pattern;

/**
 * Records the inputs of a configured copy of a tree, so it is configured again only if a build
 * file, a file name, an argument or a tool changed. Other changed files are only copied again.
 */
final class Configured {
  private static final Pattern BUILD_FILE =
      Pattern.compile("configure|configure\\.(?:ac|in)|.*\\.(?:m4|am|ac|in)");

  private final Mirror mirror;
  private final Path root;
  private final Path record;
  private final SortedMap<Path, BasicFileAttributes> files;

  /**
   * @param root the tree
   * @param out output folder of the build
   */
  Configured(Mirror mirror, Path root, Path out) throws IOException {
    this.mirror = mirror;
    this.root = root;
    this.record = out.resolve("configured.tsv");
    this.files = mirror.files(out);
  }

  /** Returns the hash of the inputs that affect the configuration. */
  String key(List<String> more) throws IOException {
    TextsHash key = new TextsHash().add("configured 1").add(more);
    for (Map.Entry<Path, BasicFileAttributes> e : files.entrySet()) {
      Path file = e.getKey();
      key.add(root.relativize(file).toString());
      boolean read = e.getValue().isRegularFile();
      if (read && BUILD_FILE.matcher(file.getFileName() + "").matches()) {
        key.add(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return key.hex();
  }

  /**
   * Copies files that changed since the copy was configured; returns false if it was not configured
   * with this key.
   */
  boolean refresh(String key) throws IOException {
    if (!Files.isRegularFile(record)
        || !Files.isRegularFile(mirror.folder().resolve("config.status"))) {
      return false;
    }
    List<String> lines = Files.readAllLines(record);
    if (lines.isEmpty() || !lines.getFirst().equals(key)) {
      return false;
    }
    Map<String, String> stamps = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int tab = line.indexOf('\t');
      stamps.put(line.substring(tab + 1), line.substring(0, tab));
    }
    for (Map.Entry<Path, BasicFileAttributes> e : files.entrySet()) {
      String name = root.relativize(e.getKey()).toString();
      if (!e.getValue().isDirectory() && !stamp(e.getValue()).equals(stamps.get(name))) {
        mirror.refresh(e.getKey());
      }
    }
    mirror.refreshAbove();
    keep(key);
    return true;
  }

  /** Records that the copy is configured. */
  void keep(String key) throws IOException {
    List<String> lines = new ArrayList<>(List.of(key));
    files.forEach(
        (file, a) -> {
          if (!a.isDirectory()) {
            lines.add(stamp(a) + "\t" + root.relativize(file));
          }
        });
    Files.write(record, lines);
  }

  /** Removes the record while the copy is being configured. */
  void forget() throws IOException {
    Files.deleteIfExists(record);
  }

  private static String stamp(BasicFileAttributes a) {
    return a.size() + "@" + a.lastModifiedTime().toMillis();
  }
}
