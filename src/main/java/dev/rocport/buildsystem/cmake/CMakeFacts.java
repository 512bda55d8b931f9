package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import dev.rocport.buildsystem.shared.LibraryCopies;
import dev.rocport.commandline.GnuOpenMp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Facts from all CMake files of a project. */
final class CMakeFacts {
  private static final Set<String> OPTIONS =
      Set.of("target_compile_options", "add_compile_options", "add_definitions");
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{(\\w+)\\}");
  private static final Pattern NAME =
      Pattern.compile("(?:CUDA|nvshmem)::\\w+|\\bCUDA_\\w+|\\bCUDAToolkit_\\w+");
  private static final Pattern CUDA_SOURCE = Pattern.compile("\\.cu(?![\\w])");

  private final List<CMakeFile> files;
  private final Set<CMakeFile> shared;
  private final LibraryCopies copies;

  /** Variables that the project sets. */
  private final Set<String> own = new HashSet<>();

  /** Functions, macros and targets that the project defines. */
  private final Set<String> functions = new HashSet<>();

  private final Set<String> targets = new HashSet<>();
  private final Set<String> libraries = new HashSet<>();
  private final Map<String, FlagText.Form> flags = new HashMap<>();

  /** Keywords after which a function of the project accepts nvcc flags. */
  private final Map<String, Set<String>> keywords = new HashMap<>();

  /** Indices of the parameters that accept nvcc flags. */
  private final Map<String, SortedSet<Integer>> parameters = new HashMap<>();

  /** ROCm packages that replace packages which the project finds. */
  private final Set<String> found = new HashSet<>(Set.of("hip"));

  private boolean enablesCuda;
  private boolean enablesHost;
  private boolean findsCuda;
  private boolean legacy;
  private boolean rocm;
  private boolean openMp;
  private boolean hostThrust;

  /**
   * @param project the files below the folder of the project
   * @param shared the files outside it that it includes
   * @param copies copies of libraries in the tree
   */
  CMakeFacts(Collection<CMakeFile> project, Set<CMakeFile> shared, LibraryCopies copies) {
    this.copies = copies;
    this.files = Stream.concat(project.stream(), shared.stream()).toList();
    this.shared = Set.copyOf(shared);
    this.files.forEach(f -> f.commands().forEach(this::note));
    boolean more = true;
    while (more) {
      Map<String, FlagText.Form> before = Map.copyOf(flags);
      this.files.forEach(this::noteFlags);
      more = !flags.equals(before);
    }
  }

  /**
   * Returns the facts for a file that the projects of other files include. Each project may be
   * configured alone, so the file cannot rely on a package that only some of them find.
   */
  static CMakeFacts ofShared(CMakeFile file, Collection<CMakeFile> readers, LibraryCopies copies) {
    CMakeFacts facts = new CMakeFacts(readers, Set.of(file), copies);
    facts.findsCuda = false;
    facts.found.clear();
    return facts;
  }

  private void note(CMakeCommand c) {
    List<Argument> a = c.arguments();
    if (a.isEmpty()) {
      return;
    }
    String first = a.getFirst().text();
    hostThrust |= a.stream().anyMatch(w -> LibraryCopies.selectsHost(w.text()));
    switch (c.name()) {
      case "thrust_create_target" ->
          hostThrust |= a.stream().anyMatch(w -> w.text().matches("CPP|OMP|TBB"));
      case "project", "enable_language" -> {
        enablesCuda |= a.stream().anyMatch(w -> w.is("CUDA"));
        rocm |= a.stream().anyMatch(w -> w.is("HIP"));
        enablesHost |= enablesHost(c);
      }
      case "find_package" -> {
        findsCuda |= first.equals("CUDA") || first.equals("CUDAToolkit");
        legacy |= first.equals("CUDA");
        rocm |= first.equalsIgnoreCase("hip");
        CMakeNames.of(Kind.PACKAGE, first).map(CMakeNames.Entry::rocm).ifPresent(found::add);
      }
      case "function", "macro" -> functions.add(first.toLowerCase(Locale.ROOT));
      case "add_library",
          "cuda_add_library",
          "python_add_library",
          "python2_add_library",
          "python3_add_library",
          "pybind11_add_module",
          "nanobind_add_module" -> {
        targets.add(first);
        libraries.add(first);
      }
      case "add_executable", "cuda_add_executable" -> targets.add(first);
      case "set", "option", "cmake_dependent_option", "foreach", "unset" -> own.add(first);
      case "find_library", "find_path", "find_file", "find_program" -> own.add(first);
      case "cuda_find_library_local_first" -> own.add(first);
      case "list" -> own.add(a.size() > 1 ? a.get(1).text() : "");
      default -> {}
    }
    Joined.of(c).map(Joined::variable).ifPresent(own::add);
  }

  /** Returns whether a command enables C or C++; a project without languages has both. */
  private static boolean enablesHost(CMakeCommand c) {
    List<Argument> a = c.arguments();
    boolean named = a.stream().anyMatch(w -> w.text().matches("CUDA|HIP|Fortran|ASM|NONE"));
    return a.stream().anyMatch(w -> w.is("C") || w.is("CXX"))
        || (c.name().equals("project") && !named);
  }

  /** Collects the variables whose flags only nvcc gets. */
  private void noteFlags(CMakeFile f) {
    Deque<Parsed> open = new ArrayDeque<>();
    for (CMakeCommand c : f.commands()) {
      List<Argument> a = c.arguments();
      if ((c.name().equals("function") || c.name().equals("macro")) && !a.isEmpty()) {
        List<String> parameters = a.stream().skip(1).map(Argument::text).toList();
        open.push(new Parsed(a.getFirst().text().toLowerCase(Locale.ROOT), parameters, ""));
      } else if ((c.name().equals("endfunction") || c.name().equals("endmacro"))
          && !open.isEmpty()) {
        open.pop();
      } else if (c.name().equals("cmake_parse_arguments") && !open.isEmpty() && !a.isEmpty()) {
        int prefix = a.getFirst().is("PARSE_ARGV") ? 2 : 0;
        open.push(open.pop().with(a.size() > prefix ? a.get(prefix).text() : ""));
      }
      if (a.isEmpty()) {
        continue;
      }
      String variable = assigned(c);
      Optional<Action> action =
          CMakeNames.of(Kind.VARIABLE, variable).map(CMakeNames.Entry::action);
      boolean list = action.filter(e -> e == Action.FLAGS).isEmpty();
      boolean isFlags =
          flags.containsKey(variable)
              || action.filter(e -> e == Action.FLAGS || e == Action.LIST_FLAGS).isPresent();
      FlagText.Form form =
          flags.getOrDefault(variable, list ? FlagText.Form.LIST : FlagText.Form.STRING);
      if (isFlags) {
        String text = f.text().substring(a.getFirst().end(), c.end());
        openMp |= GnuOpenMp.isAsked(text);
        noteReferences(text, form);
        noteKeywords(text, open.peek());
      }
      Joined.of(c)
          .filter(j -> flags.containsKey(j.variable()))
          .ifPresent(j -> j.references().forEach(t -> noteReferences(t, FlagText.Form.LIST)));
      if (c.name().startsWith("cuda_")) {
        // The options of FindCUDA's commands end with the command.
        a.stream()
            .filter(w -> w.is("OPTIONS"))
            .findFirst()
            .map(w -> f.text().substring(w.end(), c.end()))
            .ifPresent(text -> noteReferences(text, FlagText.Form.LIST));
      }
      for (CompilerCall call : CompilerCall.in(c)) {
        if (call.isPorted(c, this)) {
          call.words().forEach(w -> noteReferences(w.text(), FlagText.Form.LIST));
        }
      }
      for (int[] content : Genex.forCuda(f.text(), c.start(), c.end())) {
        String text = f.text().substring(content[0], content[1]);
        openMp |= GnuOpenMp.isAsked(text);
        noteReferences(text, FlagText.Form.LIST);
        noteKeywords(text, open.peek());
      }
    }
  }

  /**
   * A function and its arguments.
   *
   * @param parameters names of the positional parameters
   * @param prefix prefix of the variables that cmake_parse_arguments() sets; empty before its call
   */
  private record Parsed(String function, List<String> parameters, String prefix) {
    Parsed with(String name) {
      return new Parsed(function, parameters, name);
    }
  }

  private void noteKeywords(String text, @Nullable Parsed in) {
    if (in == null) {
      return;
    }
    Matcher m = REFERENCE.matcher(text);
    while (m.find()) {
      int at = in.parameters().indexOf(m.group(1));
      if (at >= 0) {
        parameters.computeIfAbsent(in.function(), f -> new TreeSet<>()).add(at);
      }
      if (!in.prefix().isEmpty() && m.group(1).startsWith(in.prefix() + "_")) {
        keywords
            .computeIfAbsent(in.function(), f -> new TreeSet<>())
            .add(m.group(1).substring(in.prefix().length() + 1));
        flags.merge(m.group(1), FlagText.Form.LIST, FlagText.Form::and);
      }
    }
  }

  /** Copies of libraries in the tree. */
  LibraryCopies copies() {
    return copies;
  }

  /** Returns whether the project uses Thrust with a backend that runs on the host. */
  boolean isThrustOnHost() {
    return hostThrust;
  }

  /** Returns the value of a variable that has only one; otherwise, empty. */
  Optional<String> value(String variable) {
    Set<String> all = new HashSet<>();
    for (CMakeFile f : files) {
      for (CMakeCommand c : f.commands()) {
        List<Argument> values = values(c, variable);
        if (!values.isEmpty()) {
          all.add(values.size() == 1 ? values.getFirst().text() : "");
        }
      }
    }
    return all.size() == 1
        ? Optional.of(all.iterator().next()).filter(v -> !v.isEmpty())
        : Optional.empty();
  }

  /** Returns whether nvcc passes {@code -fopenmp} to the host compiler. */
  boolean isOpenMp() {
    return openMp;
  }

  /** Returns the indices of the arguments of a function that are nvcc flags. */
  Set<Integer> flagParameters(String function) {
    return parameters.getOrDefault(function, Collections.emptySortedSet());
  }

  /** Returns the keywords of a function after which nvcc flags follow. */
  Set<String> flagKeywords(String function) {
    return keywords.getOrDefault(function, Set.of());
  }

  private void noteReferences(String text, FlagText.Form form) {
    Matcher m = REFERENCE.matcher(text);
    while (m.find()) {
      String name = m.group(1);
      if (own.contains(name) && CMakeNames.of(Kind.VARIABLE, name).isEmpty()) {
        flags.merge(name, form, FlagText.Form::and);
      }
    }
  }

  /** Returns the variable that a command sets or appends to; empty for others. */
  static String assigned(CMakeCommand c) {
    List<Argument> a = c.arguments();
    return switch (c.name()) {
      case "set" -> a.isEmpty() ? "" : a.getFirst().text();
      case "list", "string" ->
          a.size() > 1 && (a.getFirst().is("APPEND") || a.getFirst().is("PREPEND"))
              ? a.get(1).text()
              : "";
      default -> "";
    };
  }

  /** Returns true for commands whose arguments are compiler options. */
  static boolean takesOptions(CMakeCommand c) {
    return OPTIONS.contains(c.name());
  }

  /** Returns whether the project compiles CUDA, with the CMake language or FindCUDA. */
  boolean isCuda() {
    return enablesCuda || legacy;
  }

  /** Returns whether it also compiles C or C++. */
  boolean compilesForHost() {
    return enablesHost;
  }

  /** Returns whether it does so only with FindCUDA. */
  boolean isLegacy() {
    return legacy && !enablesCuda;
  }

  /** Returns whether it finds the CUDA libraries. */
  boolean findsCuda() {
    return findsCuda;
  }

  /** Returns whether it finds the package that this ROCm package replaces. */
  boolean finds(String rocmPackage) {
    return found.contains(rocmPackage);
  }

  /** Returns whether the project already builds for ROCm. */
  boolean isForRocm() {
    return rocm;
  }

  boolean isOwn(String variable) {
    return own.contains(variable);
  }

  boolean isFunction(String command) {
    return functions.contains(command);
  }

  boolean isLibrary(String target) {
    return libraries.contains(target);
  }

  /**
   * Returns the form in which a variable of the project holds nvcc flags; null if it holds none.
   */
  FlagText.@Nullable Form flags(String variable) {
    return flags.get(variable);
  }

  /** Returns the ROCm packages that files below a folder link and that are not found yet. */
  SortedSet<String> packages(String folder) {
    SortedSet<String> needed = new TreeSet<>();
    for (CMakeFile f : files) {
      if (!f.folder().startsWith(folder) && !shared.contains(f)) {
        continue;
      }
      for (CMakeCommand c : f.commands()) {
        for (Argument a : c.arguments()) {
          packages(c, a, needed);
        }
      }
    }
    needed.removeAll(found);
    return needed;
  }

  private void packages(CMakeCommand c, Argument a, Set<String> needed) {
    if (c.name().equals("target_link_libraries")
        || c.name().equals("link_libraries")
        || c.name().equals("cuda_find_library_local_first")) {
      plainLibrary(a).map(CMakeNames.Entry::needs).filter(p -> !p.isEmpty()).ifPresent(needed::add);
    }
    boolean named = a.text().contains("CUDA") || a.text().contains("nvshmem");
    Matcher m = NAME.matcher(named ? a.text() : "");
    while (m.find()) {
      String name = m.group();
      if (!own.contains(name)) {
        Kind kind = name.contains("::") ? Kind.TARGET : Kind.LIBRARY;
        CMakeNames.of(kind, name)
            .filter(e -> e.action() == Action.RENAME)
            .map(CMakeNames.Entry::needs)
            .ifPresent(needed::add);
      }
    }
    CMakeNames.of(Kind.COMMAND, c.name())
        .map(CMakeNames.Entry::needs)
        .filter(p -> !p.isEmpty())
        .ifPresent(needed::add);
  }

  /** Returns whether it is an NVIDIA library that is linked by its plain name. */
  Optional<CMakeNames.Entry> plainLibrary(Argument a) {
    String name = a.text().startsWith("-l") ? a.text().substring(2) : a.text();
    return a.text().contains("::") || targets.contains(name)
        ? Optional.empty()
        : CMakeNames.library(name);
  }

  /** Known content of a variable with sources. */
  enum Sources {
    NONE,
    SOME,
    ALL
  }

  /** Returns which of the sources in a variable are CUDA sources. */
  Sources sources(String variable) {
    return sources(variable, new HashSet<>());
  }

  private Sources sources(String variable, Set<String> seen) {
    if (!seen.add(variable)) {
      return Sources.NONE;
    }
    boolean any = false;
    boolean all = true;
    boolean known = false;
    for (CMakeFile f : files) {
      for (CMakeCommand c : f.commands()) {
        List<Argument> values = values(c, variable);
        known |= !values.isEmpty() || assigned(c).equals(variable);
        for (Argument a : values) {
          Sources s = sources(a, seen);
          any |= s != Sources.NONE;
          all &= s == Sources.ALL;
        }
      }
    }
    return !known ? Sources.SOME : !any ? Sources.NONE : all ? Sources.ALL : Sources.SOME;
  }

  private Sources sources(Argument a, Set<String> seen) {
    if (CUDA_SOURCE.matcher(a.text()).find()) {
      return Sources.ALL;
    }
    Matcher m = REFERENCE.matcher(a.text());
    if (m.matches()) {
      return sources(m.group(1), seen);
    }
    return isGlobOfCuda(a.text()) ? Sources.SOME : Sources.NONE;
  }

  /** Returns whether a pattern such as {@code *.c*} also finds CUDA sources. */
  private static boolean isGlobOfCuda(String text) {
    String extension = text.substring(Math.max(text.lastIndexOf('.'), text.lastIndexOf('/')) + 1);
    return extension.matches("[\\w*?]*[*?][\\w*?]*")
        && "cu".matches(extension.replace("?", ".").replace("*", ".*"));
  }

  /** Returns the values that a command assigns to a variable. */
  private static List<Argument> values(CMakeCommand c, String variable) {
    List<Argument> a = c.arguments();
    if (assigned(c).equals(variable)) {
      int from = c.name().equals("set") ? 1 : 2;
      List<Argument> values = new ArrayList<>();
      for (Argument v : a.subList(from, a.size())) {
        if (v.is("CACHE") || v.is("PARENT_SCOPE")) {
          break;
        }
        values.add(v);
      }
      return values;
    }
    boolean glob =
        c.name().equals("file")
            && a.size() > 2
            && a.getFirst().text().startsWith("GLOB")
            && a.get(1).text().equals(variable);
    return glob
        ? a.subList(2, a.size()).stream()
            .filter(v -> !v.is("CONFIGURE_DEPENDS") && !v.is("RELATIVE"))
            .toList()
        : List.of();
  }
}
