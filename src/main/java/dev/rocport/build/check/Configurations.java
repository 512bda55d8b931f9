package dev.rocport.build.check;

import dev.rocport.build.run.UnitResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.condition.Condition;
import dev.rocport.lang.cuda.condition.Condition.Macro;
import dev.rocport.lang.cuda.condition.Regions;
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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds macros that select a configuration of a project: the headers declare some names only if
 * such a macro is defined, as in {@code #ifdef GPU}.
 */
public final class Configurations {
  private static final Pattern GPU =
      Pattern.compile(
          "hip[A-Z_]\\w*|__(?:global|device|shared|constant)__|(?:hip|roc)[a-z]+[A-Z_]\\w*");

  private static final Pattern GPU_HEADER = Pattern.compile("hip|roc|thrust/");

  private final Path root;
  private final Predicate<String> isOfProject;
  private final Predicate<String> isOfBuild;
  private final Map<String, Header> headers = new HashMap<>();

  /**
   * What a header says about names.
   *
   * @param always names outside conditions on one macro
   * @param conditional a macro for each name that only stands in code that the macro turns on
   * @param libraries a macro for each library header that the macro turns on, such as {@code
   *     hipblas}
   * @param defined macros that the header defines
   * @param switched a macro for each of these whose definitions it turns on
   * @param left a macro for each header that is not included if the macro is defined
   * @param gpu macros whose definition excludes GPU code
   * @param conditions the names in its conditions
   */
  private record Header(
      Set<String> always,
      Map<String, String> conditional,
      Map<String, String> libraries,
      Set<String> defined,
      Map<String, String> switched,
      Map<String, String> left,
      Set<String> gpu,
      Set<String> conditions) {}

  /**
   * @param root the tree with the headers
   * @param isOfProject whether a macro belongs to the project, not to a compiler or system
   * @param isOfBuild whether a build file defines a macro, other than those of copies of other
   *     projects in the tree
   */
  public Configurations(Path root, Predicate<String> isOfProject, Predicate<String> isOfBuild) {
    this.root = root;
    this.isOfProject = isOfProject;
    this.isOfBuild = isOfBuild;
  }

  /**
   * Returns the macros that a unit with errors needs. A unit outside copies of other projects needs
   * no macro that only files of such copies use.
   *
   * @param read the headers that the unit reads, relative to the root
   */
  public Set<String> macros(UnitResult unit, Collection<String> read) throws IOException {
    Set<String> macros = new HashSet<>();
    for (Finding error : unit.findings()) {
      Optional<String> missing = Explanations.missing(error);
      if (missing.isPresent() && error.message().contains("file not found")) {
        without(missing.get(), unit.path(), read).ifPresent(macros::add);
      } else if (missing.isPresent()) {
        // A header that names a missing base does not declare it.
        List<String> others = read.stream().filter(p -> !p.equals(error.path())).toList();
        boolean base = error.message().startsWith("expected class name");
        macro(missing.get(), base ? others : read).ifPresent(macros::add);
      }
    }
    Set<String> files = files(unit.path(), read);
    Set<String> ofCopies = new HashSet<>();
    for (String macro : macros) {
      if (!Copies.has(unit.path()) && isOfCopies(macro, files)) {
        ofCopies.add(macro);
      }
    }
    macros.removeAll(ofCopies);
    return macros;
  }

  /** Returns whether only copies of other projects in the tree use a macro. */
  private boolean isOfCopies(String macro, Collection<String> files) throws IOException {
    if (isOfBuild.test(macro)) {
      return false;
    }
    for (String path : files) {
      if (!Copies.has(path) && header(path).conditions().contains(macro)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the macro of the build with which no file of a unit includes a header. */
  private Optional<String> without(String include, String unit, Collection<String> read)
      throws IOException {
    Set<String> files = files(unit, read);
    for (String path : files) {
      String off = header(path).left().get(include);
      if (off != null && isOfBuild.test(off) && !excludesGpuCode(off, files)) {
        return Optional.of(off);
      }
    }
    return Optional.empty();
  }

  /** Returns a unit and the headers that it reads. */
  private static Set<String> files(String unit, Collection<String> read) {
    Set<String> files = new TreeSet<>(read);
    files.add(unit);
    return files;
  }

  private boolean excludesGpuCode(String macro, Collection<String> files) throws IOException {
    for (String path : files) {
      if (header(path).gpu().contains(macro)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the macros to compile a unit with: its own, and those of others that do not exclude its
   * GPU code.
   *
   * @param read the headers that the unit reads, relative to the root
   * @param own the macros that the unit needs
   * @param all the macros that any unit needs
   */
  public List<String> defines(
      String unit, Collection<String> read, Set<String> own, SortedSet<String> all)
      throws IOException {
    Set<String> files = files(unit, read);
    List<String> defines = new ArrayList<>();
    for (String macro : all) {
      if (own.contains(macro) || !excludesGpuCode(macro, files)) {
        defines.add(macro);
      }
    }
    return List.copyOf(defines);
  }

  /**
   * Returns the macro without which a unit lacks a name; empty if there is none, or if a header has
   * the name in other code as well.
   */
  private Optional<String> macro(String name, Collection<String> read) throws IOException {
    Optional<String> macro = definition(name, read);
    boolean isMacro = macro.isPresent(); // other headers may use it without a condition
    Set<String> defined = new HashSet<>();
    for (String path : read) {
      Header header = header(path);
      if (!isMacro && header.always().contains(name)) {
        return Optional.empty();
      }
      macro =
          macro
              .or(() -> Optional.ofNullable(header.conditional().get(name)))
              .or(() -> library(name, header));
      defined.addAll(header.defined());
    }
    return macro.filter(m -> !defined.contains(m));
  }

  /** Returns the macro that turns on all definitions of a macro of this name. */
  private Optional<String> definition(String name, Collection<String> read) throws IOException {
    Optional<String> macro = Optional.empty();
    for (String path : read) {
      Header header = header(path);
      if (header.defined().contains(name)) {
        String here = header.switched().get(name);
        if (here == null) {
          return Optional.empty();
        }
        macro = macro.or(() -> Optional.of(here));
      }
    }
    return macro;
  }

  /** Returns the macro of the library header whose names begin like this one. */
  private static Optional<String> library(String name, Header header) {
    return header.libraries().entrySet().stream()
        .filter(e -> e.getKey().length() > 2)
        .filter(e -> name.toLowerCase(Locale.ROOT).startsWith(e.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private Header header(String path) throws IOException {
    Header known = headers.get(path);
    if (known == null) {
      Path file = root.resolve(path);
      known =
          Files.isRegularFile(file)
              ? read(new SourceFile(path, Files.readAllBytes(file)))
              : new Header(
                  Set.of(), Map.of(), Map.of(), Set.of(), Map.of(), Map.of(), Set.of(), Set.of());
      headers.put(path, known);
    }
    return known;
  }

  private Header read(SourceFile file) {
    Set<String> always = new HashSet<>();
    Map<String, String> conditional = new HashMap<>();
    Map<String, String> libraries = new TreeMap<>();
    Set<String> defined = new HashSet<>();
    Map<String, String> switched = new HashMap<>();
    Set<String> unconditional = new HashSet<>();
    Tokens t = Lexer.lex(file);
    String[] macros = new String[t.count()];
    Map<String, String> left = new HashMap<>();
    Set<String> gpu = new HashSet<>();
    for (Regions.Chain chain : Regions.of(t).chains()) {
      left.putAll(left(t, chain));
      gpu.addAll(gpu(t, chain));
      for (Regions.Branch branch : chain.branches()) {
        Optional<String> macro = switchedOnBy(t, branch.directive());
        for (int i = branch.from(); macro.isPresent() && i < branch.to(); i++) {
          macros[i] = macros[i] == null ? macro.get() : macros[i];
        }
      }
    }
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || t.inDirective(i)) {
        continue;
      }
      if (macros[i] == null) {
        always.add(t.text(i));
      } else {
        conditional.putIfAbsent(t.text(i), macros[i]);
      }
    }
    Set<String> conditions = new HashSet<>();
    for (Directive d : t.directives()) {
      for (int i = d.body(); d.isCondition() && i < d.last(); i++) {
        if (t.isIdentifier(i)) {
          conditions.add(t.text(i));
        }
      }
      if (d.name().equals("define") && d.body() < d.last()) {
        String name = t.text(d.body());
        defined.add(name);
        String macro = macros[d.first()];
        if (macro == null) {
          always.add(name);
          unconditional.add(name);
        } else {
          conditional.putIfAbsent(name, macro);
          switched.putIfAbsent(name, macro);
        }
      }
      if (d.isInclude() && d.body() < d.last() && macros[d.first()] != null) {
        libraries.put(stem(t.included(d)), macros[d.first()]);
      }
    }
    conditional.keySet().removeAll(always);
    switched.keySet().removeAll(unconditional);
    return new Header(always, conditional, libraries, defined, switched, left, gpu, conditions);
  }

  /** Returns the headers that one macro alone excludes by {@code #else} or a condition. */
  private Map<String, String> left(Tokens t, Regions.Chain chain) {
    Regions.Branch last = chain.branches().getLast();
    Directive first = chain.branches().getFirst().directive();
    Optional<String> macro =
        switch (chain.branches().size()) {
          case 1 -> switchedOnBy(t, first, false);
          case 2 -> chain.hasElse() ? switchedOnBy(t, first, true) : Optional.empty();
          default -> Optional.empty();
        };
    Map<String, String> left = new HashMap<>();
    macro.ifPresent(m -> included(t, last.from(), last.to()).forEach(i -> left.put(i, m)));
    return left;
  }

  /** Returns the headers that are included from one token up to, not including, another. */
  private static Stream<String> included(Tokens t, int from, int to) {
    return t.directives().stream()
        .filter(d -> d.isInclude() && d.first() >= from && d.first() < to)
        .map(t::included);
  }

  /** Returns the macro, if any, whose definition excludes branches of a chain with GPU code. */
  private Set<String> gpu(Tokens t, Regions.Chain chain) {
    List<Regions.Branch> branches = chain.branches();
    Directive first = branches.getFirst().directive();
    int from = branches.get(branches.size() > 1 ? 1 : 0).from();
    Optional<String> macro = switchedOnBy(t, first, branches.size() > 1);
    if (macro.isEmpty()) {
      return Set.of();
    }
    boolean isGpu =
        IntStream.range(from, chain.to())
                .anyMatch(i -> t.isIdentifier(i) && GPU.matcher(t.text(i)).matches())
            || included(t, from, chain.to()).anyMatch(h -> GPU_HEADER.matcher(h).lookingAt());
    return isGpu ? Set.of(macro.get()) : Set.of();
  }

  /** Returns the start of the names in a header: {@code hipblas} for {@code hipblas/hipblas.h}. */
  private static String stem(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.replaceAll("\\.\\w+$|_v2\\.h$", "").toLowerCase(Locale.ROOT);
  }

  /** Returns the macro of the project whose definition alone makes a condition true. */
  private Optional<String> switchedOnBy(Tokens t, Directive condition) {
    return switchedOnBy(t, condition, true);
  }

  /** Returns the macro of the project whose definition alone decides a condition this way. */
  private Optional<String> switchedOnBy(Tokens t, Directive condition, boolean value) {
    for (int i = condition.body(); condition.isCondition() && i < condition.last(); i++) {
      if (t.isIdentifier(i) && !t.is(i, "defined") && isOfProject.test(t.text(i))) {
        String name = t.text(i);
        Boolean with = Condition.evaluate(t, condition, m -> value(m, name));
        Boolean without = Condition.evaluate(t, condition, m -> new Macro.Undefined());
        if (Boolean.valueOf(value).equals(with) && Boolean.valueOf(!value).equals(without)) {
          return Optional.of(name);
        }
      }
    }
    return Optional.empty();
  }

  private static Macro value(String macro, String defined) {
    return macro.equals(defined) ? new Macro.Value(1) : new Macro.Undefined();
  }
}
