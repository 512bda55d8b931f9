package dev.rocport.build.plan;

import dev.rocport.build.link.LinkResolver;
import dev.rocport.build.plan.ScannedFile.Include;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Finds headers and include folders in a tree without build files. */
final class IncludeFinder {
  private final SortedMap<String, ScannedFile> files;
  private final Predicate<String> isForeign;
  private final ComputedIncludes computed;
  private final Map<String, List<String>> byName = new HashMap<>();

  /**
   * Resolved includes of one unit.
   *
   * @param quoted folders for quoted includes, relative to the root; empty for the root
   * @param all folders for all includes
   * @param reached files of the tree that it includes
   * @param notes choices that may be wrong
   */
  record Found(
      Set<String> quoted, Set<String> all, SortedSet<String> reached, List<String> notes) {}

  /**
   * @param isForeign whether the compiler finds a header without flags
   */
  IncludeFinder(SortedMap<String, ScannedFile> files, Predicate<String> isForeign) {
    this.files = files;
    this.isForeign = isForeign;
    this.computed = new ComputedIncludes(files.values());
    files.keySet().forEach(p -> byName.computeIfAbsent(name(p), k -> new ArrayList<>()).add(p));
  }

  Found follow(String unit) {
    Set<String> quoted = new LinkedHashSet<>();
    Set<String> all = new LinkedHashSet<>();
    SortedSet<String> reached = new TreeSet<>();
    List<String> notes = new ArrayList<>();
    ArrayDeque<String> queue = new ArrayDeque<>(List.of(unit));
    while (!queue.isEmpty()) {
      String from = queue.remove();
      ScannedFile file = files.get(from);
      for (Include include : file == null ? List.<Include>of() : includes(file)) {
        Optional<String> header = resolve(from, include, quoted, all, notes);
        if (header.isPresent() && reached.add(header.get())) {
          queue.add(header.get());
        }
      }
    }
    return new Found(quoted, all, reached, notes);
  }

  /** Returns the headers that a file names, also those that macros name. */
  private List<Include> includes(ScannedFile file) {
    if (file.computed().isEmpty()) {
      return file.includes();
    }
    List<Include> all = new ArrayList<>(file.includes());
    file.computed().forEach(m -> all.addAll(computed.of(m)));
    return all;
  }

  private Optional<String> resolve(
      String from, Include include, Set<String> quoted, Set<String> all, List<String> notes) {
    if (include.quoted()) {
      Optional<String> sibling = existing(join(folder(from), include.name()));
      if (sibling.isPresent()) {
        return sibling;
      }
    }
    for (String folder : include.quoted() ? both(quoted, all) : all) {
      Optional<String> known = existing(join(folder, include.name()));
      if (known.isPresent()) {
        return known;
      }
    }
    if (isForeign.test(include.name())) {
      return Optional.empty();
    }
    String wanted = join("", include.name());
    // For ../common/x.h, searches for common/x.h.
    while (wanted.startsWith("../")) {
      wanted = wanted.substring(3);
    }
    String suffix = wanted;
    List<String> candidates =
        byName.getOrDefault(name(suffix), List.of()).stream()
            .filter(p -> p.equals(suffix) || p.endsWith("/" + suffix))
            .filter(p -> !p.equals(from))
            .toList();
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    String best = LinkResolver.nearest(from, candidates);
    if (candidates.size() > 1) {
      notes.add(
          "%s: %s may be %s; using %s"
              .formatted(from, include.name(), String.join(" or ", candidates), best));
    }
    if (!suffix.equals(include.name()) && include.name().startsWith("../")) {
      notes.add("%s: %s does not exist; using %s".formatted(from, include.name(), best));
    }
    String folder = best.substring(0, best.length() - suffix.length());
    (include.quoted() ? quoted : all)
        .add(folder.endsWith("/") ? folder.substring(0, folder.length() - 1) : folder);
    return Optional.of(best);
  }

  private static Set<String> both(Set<String> first, Set<String> second) {
    Set<String> all = new LinkedHashSet<>(first);
    all.addAll(second);
    return all;
  }

  private Optional<String> existing(String path) {
    return files.containsKey(path) ? Optional.of(path) : Optional.empty();
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String folder(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  /** Joins and normalizes a path; a path out of the tree keeps its {@code ..}. */
  static String join(String folder, String name) {
    List<String> parts = new ArrayList<>();
    for (String part : (folder.isEmpty() ? name : folder + "/" + name).split("/")) {
      if (part.equals("..") && !parts.isEmpty() && !parts.getLast().equals("..")) {
        parts.removeLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return String.join("/", parts);
  }
}
