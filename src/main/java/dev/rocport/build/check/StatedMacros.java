package dev.rocport.build.check;

import dev.rocport.build.check.CMakeDefinitions.Definition;
import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Selects the macros of CMake files that a unit uses and no file of it defines. A macro in code
 * must be defined; one that is only in conditions may be.
 */
public final class StatedMacros {
  /** The start of the reason if the original has the same errors. */
  public static final String SAME_ERRORS = "the compiler reports the same errors for the original";

  private final Path root;
  private final CMakeDefinitions cmake;
  private final Map<String, Uses> files = new HashMap<>();

  /**
   * What a file does with macros of CMake files.
   *
   * @param code those in code or in the values of macros
   * @param conditions those in conditions
   * @param always those that it defines
   * @param defaults those that it defines if they are not defined
   */
  private record Uses(
      Set<String> code, Set<String> conditions, Set<String> always, Set<String> defaults) {}

  /**
   * @param root the ported tree
   */
  public StatedMacros(Path root, CMakeDefinitions cmake) {
    this.root = root;
    this.cmake = cmake;
  }

  /**
   * Returns definitions such as {@code WIDTH=64} to compile a unit with, in the order of the names.
   *
   * @param unit the path of the unit
   * @param read the headers that it reads, relative to the root
   */
  public List<String> defines(String unit, Collection<String> read) throws IOException {
    Uses uses = uses(unit, read);
    List<String> defines = new ArrayList<>();
    for (String macro : new TreeSet<>(cmake.macros())) {
      boolean code = uses.code().contains(macro);
      if (uses.always().contains(macro) || !(code || uses.conditions().contains(macro))) {
        continue;
      }
      List<Definition> all = cmake.of(macro, unit);
      boolean certain = all.stream().allMatch(d -> d.certain() && d.isFor(unit));
      if (certain || (code && !uses.defaults().contains(macro))) {
        CMakeDefinitions.value(all).ifPresent(v -> defines.add(macro + "=" + v));
      }
    }
    return defines;
  }

  /**
   * Returns the verdict on a unit: one with errors that nothing explains, or that its original has
   * too, is not checked if its code uses a macro whose value the CMake files do not state.
   */
  public CheckedUnit of(CheckedUnit unit, Collection<String> read) throws IOException {
    boolean same = unit.reason().startsWith(SAME_ERRORS);
    if (unit.verdict() != Verdict.SILENT && !same) {
      return unit;
    }
    Uses uses = uses(unit.path(), read);
    for (String macro : new TreeSet<>(cmake.macros())) {
      List<Definition> all = cmake.of(macro, unit.path());
      boolean needed =
          uses.code().contains(macro)
              && !uses.always().contains(macro)
              && !uses.defaults().contains(macro);
      if (needed && CMakeDefinitions.value(all).isEmpty()) {
        return unit.unchecked(
            "it uses the macro %s, whose value depends on the configuration of CMake; see %s"
                .formatted(macro, CMakeDefinitions.places(all)));
      }
    }
    return unit;
  }

  private Uses uses(String unit, Collection<String> read) throws IOException {
    Uses all = new Uses(new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashSet<>());
    if (cmake.macros().isEmpty()) {
      return all;
    }
    Set<String> paths = new TreeSet<>(read);
    paths.add(unit);
    for (String path : paths) {
      Uses one = uses(path);
      all.code().addAll(one.code());
      all.conditions().addAll(one.conditions());
      all.always().addAll(one.always());
      all.defaults().addAll(one.defaults());
    }
    return all;
  }

  private Uses uses(String path) throws IOException {
    Uses known = files.get(path);
    if (known == null) {
      known = new Uses(new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashSet<>());
      Path file = root.resolve(path);
      if (Files.isRegularFile(file)) {
        read(Lexer.lex(new SourceFile(path, Files.readAllBytes(file))), known);
      }
      files.put(path, known);
    }
    return known;
  }

  private void read(Tokens t, Uses uses) {
    Set<String> names = cmake.macros();
    for (int i = 0; i < t.count(); i++) {
      if (t.isIdentifier(i) && !t.inDirective(i) && names.contains(t.text(i))) {
        uses.code().add(t.text(i));
      }
    }
    Optional<Directive> before = Optional.empty();
    for (Directive d : t.directives()) {
      boolean define = d.name().equals("define") && d.body() < d.last();
      if (define && names.contains(t.text(d.body()))) {
        String name = t.text(d.body());
        (isDefault(t, before, name) ? uses.defaults() : uses.always()).add(name);
      }
      for (int i = d.body() + (define ? 1 : 0); i < d.last(); i++) {
        if (t.isIdentifier(i) && names.contains(t.text(i))) {
          (d.isCondition() ? uses.conditions() : uses.code()).add(t.text(i));
        }
      }
      before = Optional.of(d);
    }
  }

  /** Returns whether the directive before a definition asks for the same macro. */
  private static boolean isDefault(Tokens t, Optional<Directive> before, String name) {
    return before
        .filter(d -> d.name().equals("ifndef") || d.name().equals("if"))
        .filter(
            d -> {
              for (int i = d.body(); i < d.last(); i++) {
                if (t.is(i, name)) {
                  return true;
                }
              }
              return false;
            })
        .isPresent();
  }
}
