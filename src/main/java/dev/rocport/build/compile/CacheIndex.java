package dev.rocport.build.compile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds objects in the cache without running the preprocessor. The key of a request (compiler,
 * flags, source) maps to the sets of files that such compiles have read, each with its hash. A set
 * is valid if all its files are unchanged and no new header shadows one of them.
 */
public final class CacheIndex {
  private static final int SETS_KEPT = 8;

  private final ObjectCache cache;
  private final FileHashes hashes;

  public CacheIndex(ObjectCache cache, FileHashes hashes) {
    this.cache = cache;
    this.hashes = hashes;
  }

  /**
   * @param folders absolute include folders that the compiler searches before its own
   */
  Optional<ObjectCache.Entry> find(String request, Path directory, List<Path> folders) {
    for (Map.Entry<String, List<String>> set : sets(cache.lines(request)).entrySet()) {
      Optional<String> key = key(request, directory, set.getValue(), folders);
      if (key.isPresent() && key.get().equals(set.getKey())) {
        Optional<ObjectCache.Entry> found = cache.object(key.get());
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Stores the output of a compile, unless it depends on the time or a file changed during the
   * compile.
   *
   * @param started start of the compile, in milliseconds since the epoch
   */
  void store(
      String request, Path directory, List<Path> folders, long started, ObjectCache.Entry entry)
      throws IOException {
    for (String dep : entry.dependencies()) {
      Optional<FileHashes.Facts> facts = hashes.of(directory.resolve(dep));
      if (facts.isEmpty() || (facts.get().timed() && isProject(dep, directory, folders))) {
        return;
      }
      if (facts.get().modified() >= started) {
        return;
      }
    }
    Optional<String> key = key(request, directory, entry.dependencies(), folders);
    if (key.isEmpty()) {
      return;
    }
    cache.putObject(key.get(), entry);
    List<String> lines = new ArrayList<>();
    lines.add("set " + key.get());
    entry.dependencies().forEach(d -> lines.add("dep " + d));
    int kept = 1;
    for (Map.Entry<String, List<String>> old : sets(cache.lines(request)).entrySet()) {
      if (!old.getKey().equals(key.get()) && kept++ < SETS_KEPT) {
        lines.add("set " + old.getKey());
        old.getValue().forEach(d -> lines.add("dep " + d));
      }
    }
    cache.putLines(request, lines);
  }

  private Optional<String> key(
      String request, Path directory, List<String> dependencies, List<Path> folders) {
    TextsHash key = new TextsHash().add(request);
    Set<String> names = new LinkedHashSet<>();
    for (String dep : dependencies) {
      Path file = directory.resolve(dep);
      Optional<FileHashes.Facts> facts = hashes.of(file);
      if (facts.isEmpty()) {
        return Optional.empty();
      }
      key.add(dep).add(facts.get().hash());
      names.addAll(facts.get().probes());
      spellings(file, names);
    }
    for (Path folder : folders) {
      for (String name : names) {
        if (Files.isRegularFile(folder.resolve(name))) {
          key.add(folder.equals(directory) ? "" : directory.relativize(folder).toString())
              .add(name);
        }
      }
    }
    return Optional.of(key.hex());
  }

  /** Adds possible spellings of a file in includes: its name with up to two parent folders. */
  private static void spellings(Path file, Set<String> names) {
    int n = file.getNameCount();
    for (int k = 1; k <= 3 && k <= n; k++) {
      names.add(file.subpath(n - k, n).toString());
    }
  }

  private static boolean isProject(String dep, Path directory, List<Path> folders) {
    Path file = directory.resolve(dep).normalize();
    return file.startsWith(directory) || folders.stream().anyMatch(file::startsWith);
  }

  private static Map<String, List<String>> sets(List<String> lines) {
    Map<String, List<String>> sets = new LinkedHashMap<>();
    List<String> current = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("set ")) {
        current = new ArrayList<>();
        sets.put(line.substring(4), current);
      } else if (line.startsWith("dep ")) {
        current.add(line.substring(4));
      }
    }
    return sets;
  }
}
