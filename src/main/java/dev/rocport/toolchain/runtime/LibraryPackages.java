package dev.rocport.toolchain.runtime;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import dev.rocport.toolchain.Library;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which Debian packages hold AMD's libraries, from {@code rules/conformance/libraries.tsv}.
 *
 * @param common packages that each of them needs: the C library that they are linked with
 * @param entries of the libraries
 */
record LibraryPackages(List<String> common, Map<Library, LibraryPackages.Entry> entries) {
  static final String HEADER = "library\tentry\tvalue";
  private static final String EVERY = "all";

  /**
   * One library.
   *
   * @param packages with the library and those that it is linked with
   * @param preloads libraries of the HIP runtime that programs load first, relative to the runtime
   * @param variables that it needs on the device
   * @param obstacle why it cannot be used; empty if it can
   */
  record Entry(
      List<String> packages,
      List<String> preloads,
      SortedMap<String, String> variables,
      Optional<String> obstacle) {
    /** No packages. */
    static Entry without(Optional<String> obstacle) {
      return new Entry(new ArrayList<>(), new ArrayList<>(), new TreeMap<>(), obstacle);
    }
  }

  LibraryPackages {
    common = List.copyOf(common);
    entries = Map.copyOf(entries);
  }

  /** The table that rocport comes with. */
  static LibraryPackages builtIn() {
    return of(BuiltInText.table("conformance/libraries.tsv", HEADER));
  }

  static LibraryPackages of(TsvTable table) {
    List<String> common = new ArrayList<>();
    Map<Library, Entry> entries = new EnumMap<>(Library.class);
    for (TsvTable.Row row : table.rows()) {
      String value = row.cell(2);
      if (row.cell(0).equals(EVERY) && row.cell(1).equals("package")) {
        common.add(value);
        continue;
      }
      Library library =
          named(row.cell(0))
              .orElseThrow(() -> new InvalidFileException(row.where() + ": no such library"));
      Entry entry = entries.computeIfAbsent(library, l -> Entry.without(Optional.empty()));
      int equals = value.indexOf('=');
      switch (row.cell(1)) {
        case "package" -> entry.packages().add(value);
        case "preload" -> entry.preloads().add(value);
        case "obstacle" -> entries.put(library, Entry.without(Optional.of(value)));
        case "variable" ->
            entry.variables().put(value.substring(0, equals), value.substring(equals + 1));
        default -> throw new InvalidFileException(row.where() + ": no such entry: " + row.cell(1));
      }
    }
    return new LibraryPackages(common, entries);
  }

  private static Optional<Library> named(String linkName) {
    return Arrays.stream(Library.values()).filter(l -> l.linkName().equals(linkName)).findFirst();
  }

  /** Whether a library can be used. */
  boolean has(Library library) {
    Entry entry = entries.get(library);
    return entry != null && entry.obstacle().isEmpty();
  }

  /** Why a library cannot be used; empty if it can, or needs no packages. */
  Optional<String> obstacle(Library library) {
    return Optional.ofNullable(entries.get(library)).flatMap(Entry::obstacle);
  }

  /** All packages for some libraries, each once. */
  SequencedSet<String> packages(Collection<Library> libraries) {
    SequencedSet<String> all = new LinkedHashSet<>(common);
    libraries.forEach(l -> all.addAll(entry(l).packages()));
    return all;
  }

  /** What programs with some libraries load first, relative to the HIP runtime. */
  List<String> preloads(Collection<Library> libraries) {
    return libraries.stream().flatMap(l -> entry(l).preloads().stream()).distinct().toList();
  }

  /** The variables that some libraries need. */
  SortedMap<String, String> variables(Collection<Library> libraries) {
    SortedMap<String, String> all = new TreeMap<>();
    libraries.forEach(l -> all.putAll(entry(l).variables()));
    return all;
  }

  private Entry entry(Library library) {
    return entries.getOrDefault(library, Entry.without(Optional.empty()));
  }
}
