package dev.rocport.build;

import dev.rocport.build.PortCheck.Judged;
import dev.rocport.build.check.CheckedUnit;
import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.build.check.Configurations;
import dev.rocport.build.check.StatedMacros;
import dev.rocport.build.plan.PlanException;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compiles units again with macros that no build defines for them. Units that need the macros of a
 * configuration, such as {@code GPU}, get these and those that others need, then only their own;
 * units with errors that nothing explains get the macros that CMake files state. A unit that macros
 * only give more errors is judged without them.
 */
final class MacroRounds {
  /** Compiles units. */
  interface Compilation {
    /**
     * Returns the verdicts.
     *
     * @param defines macros, such as {@code GPU} and {@code WIDTH=4}
     * @param units the paths of the sources
     */
    List<Judged> with(List<String> defines, Set<String> units)
        throws PlanException, IOException, InterruptedException, ToolchainException;
  }

  private final Configurations configurations;
  private final StatedMacros stated;
  private final Map<String, Set<String>> headers;
  private final Compilation compilation;

  /** The macros that units need, by path. */
  private final SequencedMap<String, Set<String>> needs = new LinkedHashMap<>();

  /** The macros with values that CMake files state for units, by path. */
  private final SequencedMap<String, List<String>> values = new LinkedHashMap<>();

  /** The macros that any unit needs. */
  private final SortedSet<String> macros = new TreeSet<>();

  /**
   * @param headers the headers that units read, by path
   */
  MacroRounds(
      Configurations configurations,
      StatedMacros stated,
      Map<String, Set<String>> headers,
      Compilation compilation) {
    this.configurations = configurations;
    this.stated = stated;
    this.headers = headers;
    this.compilation = compilation;
  }

  /**
   * Returns the verdicts on units.
   *
   * @param first the verdicts without macros
   */
  List<Judged> of(List<Judged> first)
      throws PlanException, IOException, InterruptedException, ToolchainException {
    List<Judged> checked = new ArrayList<>();
    Map<String, List<Judged>> without = new HashMap<>();
    for (Judged unit : first) {
      Judged alone = stated(unit);
      if (note(unit)) {
        without.computeIfAbsent(unit.unit().path(), p -> new ArrayList<>()).add(alone);
      } else {
        checked.add(alone);
      }
    }
    Set<String> paths = new LinkedHashSet<>(needs.keySet());
    paths.addAll(values.keySet());
    SequencedMap<List<String>, Set<String>> byDefines = new LinkedHashMap<>();
    SequencedMap<List<String>, Set<String>> byOwn = new LinkedHashMap<>();
    for (String path : paths) {
      List<String> own = own(path);
      List<String> defines = withOthers(path);
      byDefines.computeIfAbsent(defines, d -> new HashSet<>()).add(path);
      if (!own.equals(defines)) {
        byOwn.computeIfAbsent(own, d -> new HashSet<>()).add(path);
      }
    }
    Map<String, List<Judged>> second = again(byDefines);
    byOwn
        .values()
        .forEach(these -> these.removeIf(p -> silent(second.getOrDefault(p, List.of())) == 0));
    byOwn.values().removeIf(Set::isEmpty);
    Map<String, List<Judged>> third = again(byOwn);
    for (String path : paths) {
      List<Judged> alone = without.getOrDefault(path, List.of());
      List<Judged> all = second.getOrDefault(path, List.of());
      List<Judged> own = third.getOrDefault(path, List.of());
      List<Judged> with = !own.isEmpty() && silent(own) < silent(all) ? own : all;
      checked.addAll(!with.isEmpty() && addErrors(with, alone) ? alone : with);
    }
    return checked;
  }

  /** Notes the macros of a unit, and returns whether there are any. */
  private boolean note(Judged unit) throws IOException {
    String path = unit.unit().path();
    boolean compiles = unit.verdict().verdict() == Verdict.COMPILES;
    Set<String> needed = compiles ? Set.of() : configurations.macros(unit.unit(), read(path));
    List<String> more = isOpen(unit.verdict()) ? stated.defines(path, read(path)) : List.of();
    macros.addAll(needed);
    if (!needed.isEmpty()) {
      needs.computeIfAbsent(path, p -> new HashSet<>()).addAll(needed);
    }
    if (!more.isEmpty()) {
      values.put(path, more);
    }
    return !needed.isEmpty() || !more.isEmpty();
  }

  private Set<String> read(String path) {
    return headers.getOrDefault(path, Set.of());
  }

  private Judged stated(Judged unit) throws IOException {
    return new Judged(unit.unit(), stated.of(unit.verdict(), read(unit.unit().path())));
  }

  /** Returns the macros that a unit itself needs. */
  private List<String> own(String path) {
    return added(path, new TreeSet<>(needs.getOrDefault(path, Set.of())));
  }

  /** Returns the macros for a unit and those that other units need with them. */
  private List<String> withOthers(String path) throws IOException {
    Set<String> needed = needs.getOrDefault(path, Set.of());
    return added(
        path,
        needed.isEmpty() ? List.of() : configurations.defines(path, read(path), needed, macros));
  }

  /** Returns the macros with values for a unit, and others of other names. */
  private List<String> added(String path, Iterable<String> others) {
    List<String> defines = new ArrayList<>(values.getOrDefault(path, List.of()));
    Set<String> names =
        defines.stream().map(d -> d.replaceFirst("=(?s).*", "")).collect(Collectors.toSet());
    for (String macro : others) {
      if (!names.contains(macro)) {
        defines.add(macro);
      }
    }
    return defines;
  }

  /** Compiles units again, by the macros to define for them, and returns the verdicts by path. */
  private Map<String, List<Judged>> again(SequencedMap<List<String>, Set<String>> byDefines)
      throws PlanException, IOException, InterruptedException, ToolchainException {
    Map<String, List<Judged>> verdicts = new HashMap<>();
    for (Map.Entry<List<String>, Set<String>> same : byDefines.entrySet()) {
      for (Judged unit : compilation.with(same.getKey(), same.getValue())) {
        verdicts.computeIfAbsent(unit.unit().path(), p -> new ArrayList<>()).add(stated(unit));
      }
    }
    return verdicts;
  }

  /** Returns the number of errors that nothing explains. */
  private static long silent(List<Judged> units) {
    return units.stream()
        .filter(j -> j.verdict().verdict() == Verdict.SILENT)
        .mapToLong(j -> j.verdict().silent().size())
        .sum();
  }

  /** Returns whether a source has all its errors also with more macros, and others. */
  private static boolean addErrors(List<Judged> with, List<Judged> without) {
    Set<String> more = errors(with);
    Set<String> fewer = errors(without);
    return more.size() > fewer.size() && more.containsAll(fewer);
  }

  private static Set<String> errors(List<Judged> units) {
    return units.stream()
        .flatMap(j -> j.unit().findings().stream())
        .map(PortCheck::place)
        .collect(Collectors.toSet());
  }

  /** Returns whether a unit has errors that the lack of a macro may cause. */
  private static boolean isOpen(CheckedUnit unit) {
    boolean header = unit.reason().contains(" not found");
    return unit.verdict() == Verdict.SILENT || (unit.verdict() == Verdict.UNCHECKED && !header);
  }
}
