package dev.rocport.build.unit;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Finds origins by comparing a ported file with its original, and rules by porting the original
 * again. Reads a file only on demand.
 */
public final class PortedOrigins implements OriginMap {
  private final Path root;
  private final Function<String, Optional<Original>> originals;
  private final CudaPorter porter;
  private final Map<String, Optional<Known>> known = new HashMap<>();

  /**
   * The original of a ported file.
   *
   * @param rules rules that may have edited it; empty if unknown
   */
  public record Original(SourceFile file, Optional<Set<String>> rules) {}

  private record Known(String path, LineMap lines, SortedMap<Integer, SortedSet<String>> rules) {}

  /**
   * @param root root of the ported tree
   * @param originals returns the original of a ported file by its path in the ported tree
   */
  public PortedOrigins(
      Path root, Function<String, Optional<Original>> originals, CudaPorter porter) {
    this.root = root;
    this.originals = originals;
    this.porter = porter;
  }

  @Override
  public synchronized Optional<Origin> at(String path, int line) {
    return known
        .computeIfAbsent(path, this::compare)
        .map(
            k -> {
              int before = k.lines().before(line);
              return new Origin(k.path(), before, k.rules().getOrDefault(before, new TreeSet<>()));
            });
  }

  private Optional<Known> compare(String path) {
    Optional<Original> original = originals.apply(path);
    if (original.isEmpty()) {
      return Optional.empty();
    }
    try {
      SourceFile before = original.get().file();
      SourceFile after = new SourceFile(path, Files.readAllBytes(root.resolve(path)));
      LineMap lines = LineMap.of(lines(before), lines(after));
      SortedMap<Integer, SortedSet<String>> rules = rules(before);
      original.get().rules().ifPresent(r -> rules.values().forEach(s -> s.retainAll(r)));
      return Optional.of(new Known(before.path(), lines, rules));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static List<String> lines(SourceFile file) {
    return file.text(0, file.length()).lines().toList();
  }

  private SortedMap<Integer, SortedSet<String>> rules(SourceFile original) {
    SortedMap<Integer, SortedSet<String>> rules = new TreeMap<>();
    if (!original.encoding().isText()) {
      return rules;
    }
    for (Edit e : porter.port(original, ProjectIndex.EMPTY).edits().sorted()) {
      int last = original.line(Math.max(e.start(), e.end() - 1));
      for (int line = original.line(e.start()); line <= last; line++) {
        rules.computeIfAbsent(line, k -> new TreeSet<>()).add(e.rule());
      }
    }
    return rules;
  }
}
