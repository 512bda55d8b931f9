package dev.rocport.toolchain.packages;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import dev.rocport.toolchain.ToolchainException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/** The packages of a provisioned toolchain, from {@code rules/toolchain/debian.tsv}. */
public record PackageList(List<Wanted> wanted, Map<PackageList.Group, List<List<String>>> suites) {
  static final String HEADER = "entry\tgroup\tname\tneed";

  /**
   * What a package is for; the table names them all.
   *
   * @param name in small letters
   */
  public record Group(String name) {
    public static final Group HIP = new Group("hip");
    public static final Group COMPILER = new Group("compiler");
    public static final Group SYSROOT = new Group("sysroot");
    public static final Group OPENMP = new Group("openmp");
  }

  /**
   * One package.
   *
   * @param name package name; ending in {@code -*} for the highest number that fits the compiler
   */
  record Wanted(Group group, String name, boolean required) {
    boolean numbered() {
      return name.endsWith("-*");
    }

    String prefix() {
      return name.substring(0, name.length() - 1);
    }
  }

  public PackageList {
    wanted = List.copyOf(wanted);
    suites = Collections.unmodifiableMap(new LinkedHashMap<>(suites));
  }

  /** The list that rocport comes with. */
  public static PackageList builtIn() {
    return of(BuiltInText.table("toolchain/debian.tsv", HEADER));
  }

  /** Groups of packages, all of them required, from the first of some suites that has them. */
  public static PackageList required(
      SequencedMap<Group, ? extends Collection<String>> packages, List<String> suites) {
    List<Wanted> wanted = new ArrayList<>();
    Map<Group, List<List<String>>> places = new LinkedHashMap<>();
    packages.forEach(
        (group, names) -> {
          places.put(group, List.of(suites));
          names.forEach(name -> wanted.add(new Wanted(group, name, true)));
        });
    return new PackageList(wanted, places);
  }

  static PackageList of(TsvTable table) {
    List<Wanted> found = new ArrayList<>();
    Map<Group, List<List<String>>> suites = new LinkedHashMap<>();
    for (TsvTable.Row row : table.rows()) {
      Group group = new Group(row.cell(1));
      String name = row.cell(2);
      switch (row.cell(0)) {
        case "suites" ->
            suites.computeIfAbsent(group, g -> new ArrayList<>()).add(List.of(name.split(",")));
        case "package" -> {
          if (!suites.containsKey(group)) {
            throw new InvalidFileException(
                row.where() + ": no suites for the group: " + group.name());
          }
          found.add(new Wanted(group, name, row.cell(3).equals("required")));
        }
        default -> throw new InvalidFileException(row.where() + ": no such entry: " + row.cell(0));
      }
    }
    return new PackageList(found, suites);
  }

  /** All groups, in the order in which the table names their suites. */
  public List<Group> groups() {
    return List.copyOf(suites.keySet());
  }

  /** The ways to get a group, the preferred one first: each a list of suites to look in. */
  List<List<String>> generations(Group group) {
    return suites.getOrDefault(group, List.of());
  }

  /** Every suite that these groups may come from. */
  List<String> suitesOf(Collection<Group> groups) {
    return groups.stream()
        .flatMap(g -> generations(g).stream())
        .flatMap(List::stream)
        .distinct()
        .toList();
  }

  List<Wanted> of(Group group) {
    return wanted.stream().filter(w -> w.group().equals(group)).toList();
  }

  /**
   * Why packages of a group are older than they would be if every suite could be used; empty when
   * they are not.
   *
   * @param usable the suites whose lists can be read
   * @param chosen what {@link #choose} gave
   */
  Optional<String> downgrade(
      Group group, int generation, Set<String> usable, List<PackageIndex.Entry> chosen) {
    List<String> preferred = generations(group).get(generation);
    for (PackageIndex.Entry e : chosen) {
      boolean first = of(group).getFirst().name().equals(e.name());
      int at = preferred.indexOf(e.suite());
      List<String> passed =
          preferred.subList(0, Math.max(at, 0)).stream().filter(s -> !usable.contains(s)).toList();
      if (first && !passed.isEmpty()) {
        return Optional.of(
            "using %s %s of %s, which may be older, because the package lists of %s cannot be used"
                .formatted(e.name(), e.version(), e.suite(), String.join(", ", passed)));
      }
    }
    return Optional.empty();
  }

  /**
   * The packages of a group in these suites.
   *
   * @param compilerMajor limit of numbered packages
   * @throws ToolchainException when a required one is in none of them
   */
  List<PackageIndex.Entry> choose(
      Group group, PackageIndex index, List<String> suites, int compilerMajor)
      throws ToolchainException {
    List<PackageIndex.Entry> chosen = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (Wanted w : of(group)) {
      var hit =
          w.numbered()
              ? index.pickNumbered(w.prefix(), compilerMajor, suites)
              : index.pick(w.name(), suites);
      hit.ifPresent(chosen::add);
      if (hit.isEmpty() && w.required()) {
        absent.add(w.name());
      }
    }
    if (!absent.isEmpty()) {
      throw new ToolchainException(
          "the Debian archive has no "
              + String.join(", ", absent)
              + " in "
              + String.join(", ", suites));
    }
    return List.copyOf(chosen);
  }
}
