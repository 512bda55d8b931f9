package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.shared.LibraryCopies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Facts from all Meson files of a project. */
final class MesonFacts {
  static final Set<String> TARGETS =
      Set.of(
          "executable",
          "library",
          "static_library",
          "shared_library",
          "shared_module",
          "both_libraries",
          "build_target");
  private static final Set<String> ARGUMENTS =
      Set.of("add_project_arguments", "add_global_arguments");
  private static final Pattern CUDA_NAME = Pattern.compile("(?i)cuda|nvcc");
  private static final Pattern STANDARD = Pattern.compile("(cuda|cpp)_std=(\\S+)");

  private final List<MesonFile> files;
  private final LibraryCopies copies;
  private final Map<String, List<Value>> variables = new HashMap<>();

  private final Set<String> flags = new HashSet<>();
  private final Set<String> ofTargets = new HashSet<>();
  private final MesonSources sources = new MesonSources(variables);
  private final Map<String, Role> roles = new HashMap<>();
  private final Map<String, String> standards = new HashMap<>();
  private boolean cuda;
  private boolean required;
  private boolean cpp;
  private boolean rocm;
  private boolean relocatable;

  /** Content of a variable. */
  enum Role {
    NONE,
    /** The program nvcc. */
    NVCC,
    /** The compiler of the language CUDA. */
    COMPILER,
    /** Meson's module for CUDA. */
    MODULE,
    /** The toolkit as a dependency. */
    TOOLKIT,
    /** A generator that calls nvcc. */
    GENERATOR
  }

  /** Which of the sources in an expression are CUDA sources. */
  enum Sources {
    NONE,
    SOME,
    ALL,
    UNKNOWN
  }

  /** An expression that is assigned to a variable, or whose elements a loop assigns to it. */
  record Value(List<Part> parts, boolean element) {}

  /**
   * @param copies copies of libraries in the tree
   */
  MesonFacts(Collection<MesonFile> files, LibraryCopies copies) {
    this.files = List.copyOf(files);
    this.copies = copies;
    for (MesonFile f : files) {
      for (Statement s : f.statements()) {
        note(s);
      }
    }
    for (MesonFile f : files) {
      for (Statement s : f.statements()) {
        role(s);
      }
    }
    for (MesonFile f : files) {
      for (Statement s : f.statements()) {
        Call.in(s.parts()).forEach(this::call);
      }
    }
  }

  LibraryCopies copies() {
    return copies;
  }

  /** Returns whether the project uses Thrust with a backend that runs on the host. */
  boolean isThrustOnHost() {
    return files.stream().anyMatch(f -> LibraryCopies.selectsHost(f.text()));
  }

  /** Returns the string that a variable always holds; empty if there is none. */
  Optional<String> string(String variable) {
    List<Value> all = variables.getOrDefault(variable, List.of());
    return all.size() == 1 && !all.getFirst().element() && all.getFirst().parts().size() == 1
        ? Optional.of(all.getFirst().parts().getFirst())
            .filter(Part::isString)
            .map(p -> ((Token) p).value())
        : Optional.empty();
  }

  private void note(Statement s) {
    if (!s.assigned().isEmpty()) {
      add(s.assigned(), new Value(s.value(), false));
    }
    if (s.parts().getFirst().isName("foreach")) {
      int colon = 1;
      while (colon < s.parts().size() && !s.parts().get(colon).is(":")) {
        colon++;
      }
      for (Part p : s.parts().subList(1, Math.min(colon, s.parts().size()))) {
        if (p instanceof Token t && t.isName() && colon + 1 < s.parts().size()) {
          add(t.text(), new Value(s.parts().subList(colon + 1, s.parts().size()), true));
        }
      }
    }
  }

  private void add(String variable, Value value) {
    variables.computeIfAbsent(variable, v -> new ArrayList<>()).add(value);
  }

  private void role(Statement s) {
    Role role = s.assigned().isEmpty() ? Role.NONE : roleOf(s.value());
    if (role != Role.NONE) {
      roles.put(s.assigned(), role);
    }
  }

  /** Returns the CUDA-related content of an expression. */
  Role roleOf(List<Part> parts) {
    if (parts.size() == 1 && parts.getFirst() instanceof Token t && t.isName()) {
      return roles.getOrDefault(t.text(), Role.NONE);
    }
    List<Call> calls = Call.in(parts);
    Call whole = calls.isEmpty() ? null : calls.getFirst();
    for (Call c : calls) {
      // The last call of a chain determines the result.
      whole = c.end() == parts.getLast().end() && c.start() == parts.getFirst().start() ? c : whole;
    }
    return whole != null
            && whole.start() == parts.getFirst().start()
            && whole.end() == parts.getLast().end()
        ? role(whole)
        : Role.NONE;
  }

  Role role(Call c) {
    List<Item> p = c.arguments().positional();
    String first = p.isEmpty() ? "" : p.getFirst().string().map(Token::value).orElse("");
    return switch (c.name().text()) {
      case "find_program" ->
          p.stream().anyMatch(i -> i.string().filter(x -> isNvcc(x.value())).isPresent())
              ? Role.NVCC
              : Role.NONE;
      case "get_compiler" -> first.equals("cuda") ? Role.COMPILER : Role.NONE;
      case "import" -> first.matches("(unstable[-_])?cuda") ? Role.MODULE : Role.NONE;
      case "dependency" -> Toolkit.isOne(first) ? Role.TOOLKIT : Role.NONE;
      case "generator" ->
          !p.isEmpty() && roleOf(p.getFirst().parts()) == Role.NVCC ? Role.GENERATOR : Role.NONE;
      default -> Role.NONE;
    };
  }

  static boolean isNvcc(String word) {
    return word.equals("nvcc") || word.endsWith("/nvcc");
  }

  private void call(Call c) {
    List<Item> p = c.arguments().positional();
    cuda |= role(c) != Role.NONE || languages(c).contains("cuda");
    switch (c.name().text()) {
      case "subdir" -> rocm |= !p.isEmpty() && is(p.getFirst(), "rocport");
      case "project" -> project(c);
      case "add_languages" -> {
        cuda |= p.stream().anyMatch(i -> is(i, "cuda"));
        cpp |= p.stream().anyMatch(i -> is(i, "cpp"));
      }
      case "find_program" -> {
        rocm |= p.stream().anyMatch(i -> is(i, "hipcc"));
        cuda |=
            p.stream()
                .flatMap(i -> i.string().stream())
                .anyMatch(t -> MesonNames.of(MesonNames.Kind.PROGRAM, t.value()).isPresent());
      }
      case "dependency" -> rocm |= !p.isEmpty() && is(p.getFirst(), "hip");
      case "add_project_arguments", "add_global_arguments" -> {
        if (languages(c).contains("cuda")) {
          p.forEach(i -> noteFlags(i.parts()));
          relocatable |= p.stream().anyMatch(i -> isRelocatable(i.parts()));
        }
      }
      case "generator", "custom_target", "run_command", "run_target" -> nvcc(c);
      default -> {
        if (TARGETS.contains(c.name().text())) {
          c.arguments().keyword("cuda_args").ifPresent(i -> noteFlags(i.parts()));
          p.stream().skip(1).forEach(i -> noteSources(i.parts()));
          c.arguments().keyword("sources").ifPresent(i -> noteSources(i.parts()));
        } else if (c.method() && c.name().text().matches("(has|get)_.*argument.*")) {
          p.forEach(i -> noteFlags(i.parts()));
        }
      }
    }
  }

  private void project(Call c) {
    List<Item> p = c.arguments().positional();
    List<String> languages =
        p.stream().skip(1).flatMap(i -> strings(i.parts()).stream()).map(Token::value).toList();
    cuda |= languages.contains("cuda");
    required |= languages.contains("cuda");
    cpp |= languages.contains("cpp");
    c.arguments()
        .keyword("default_options")
        .ifPresent(
            i -> {
              for (Token t : strings(i.parts())) {
                Matcher m = STANDARD.matcher(t.value());
                if (m.matches()) {
                  standards.put(m.group(1), m.group(2));
                }
              }
            });
  }

  /** Collects flags in commands that call nvcc. */
  private void nvcc(Call c) {
    for (Item i : c.arguments().items()) {
      if (i.keyword().equals("command") || i.keyword().equals("arguments")) {
        boolean calls =
            i.keyword().equals("arguments")
                ? role(c) == Role.GENERATOR
                : i.parts().stream().anyMatch(this::callsNvcc);
        if (calls) {
          noteFlags(i.parts());
          relocatable |= isRelocatable(i.parts());
        }
      }
    }
  }

  /** Returns whether a list has nvcc as its first item. */
  boolean callsNvcc(Part p) {
    return p instanceof Group g
        && g.open() == '['
        && !g.items().isEmpty()
        && (roleOf(g.items().getFirst().parts()) == Role.NVCC
            || g.items().getFirst().string().filter(t -> isNvcc(t.value())).isPresent());
  }

  private void noteFlags(List<Part> parts) {
    for (Token name : names(parts)) {
      if (variables.containsKey(name.text())
          && roles.getOrDefault(name.text(), Role.NONE) == Role.NONE
          && flags.add(name.text())) {
        variables.get(name.text()).forEach(v -> noteFlags(v.parts()));
      }
    }
  }

  /** Returns the names of variables in an expression. */
  static List<Token> names(List<Part> parts) {
    List<Token> names = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof Group g) {
        g.items().forEach(item -> names.addAll(names(item.parts())));
      } else if (parts.get(i) instanceof Token t
          && t.isName()
          && !(i > 0 && parts.get(i - 1).is("."))
          && !(i + 1 < parts.size() && parts.get(i + 1) instanceof Group g && g.open() == '(')) {
        names.add(t);
      }
    }
    return names;
  }

  /** Returns all strings in an expression. */
  static List<Token> strings(List<Part> parts) {
    List<Token> strings = new ArrayList<>();
    for (Part p : parts) {
      switch (p) {
        case Group g -> g.items().forEach(item -> strings.addAll(strings(item.parts())));
        case Token t when t.isString() -> strings.add(t);
        case Token t -> {}
      }
    }
    return strings;
  }

  /** Returns all strings that are assigned to a variable. */
  List<Token> strings(String variable) {
    return variables.getOrDefault(variable, List.of()).stream()
        .flatMap(v -> strings(v.parts()).stream())
        .toList();
  }

  static boolean is(Item i, String value) {
    return i.string().filter(t -> t.value().equals(value)).isPresent();
  }

  /** Returns the languages of a call. */
  static List<String> languages(Call c) {
    return c.arguments()
        .keyword("language")
        .map(i -> strings(i.parts()).stream().map(Token::value).toList())
        .orElse(List.of());
  }

  static boolean takesArguments(Call c) {
    return ARGUMENTS.contains(c.name().text());
  }

  boolean isCuda() {
    return cuda
        || files.stream()
            .flatMap(f -> f.statements().stream())
            .flatMap(s -> strings(s.parts()).stream())
            .anyMatch(t -> t.value().endsWith(".cu"));
  }

  /** Returns whether the project already builds for ROCm. */
  boolean isForRocm() {
    return rocm;
  }

  /** Returns whether the project cannot be configured without CUDA. */
  boolean isRequired() {
    return required;
  }

  boolean hasCpp() {
    return cpp;
  }

  /** Returns the default standard of a language, {@code cuda} or {@code cpp}. */
  Optional<String> standard(String language) {
    return Optional.ofNullable(standards.get(language)).filter(s -> !s.equals("none"));
  }

  /** Returns whether a variable names sources of targets, directly or through other variables. */
  boolean isOfTargets(String variable) {
    return ofTargets.contains(variable);
  }

  private void noteSources(List<Part> parts) {
    for (Token name : names(parts)) {
      if (variables.containsKey(name.text()) && ofTargets.add(name.text())) {
        variables.get(name.text()).forEach(v -> noteSources(v.parts()));
      }
    }
  }

  MesonSources sources() {
    return sources;
  }

  boolean isFlags(String variable) {
    return flags.contains(variable);
  }

  /** Returns whether all device code is relocatable. */
  boolean isRelocatable() {
    return relocatable;
  }

  /** Returns whether nvcc flags request relocatable device code. */
  boolean isRelocatable(List<Part> parts) {
    return isRelocatable(parts, new HashSet<>());
  }

  private boolean isRelocatable(List<Part> parts, Set<String> seen) {
    return strings(parts).stream()
            .map(Token::value)
            .anyMatch(v -> v.matches("-dc|--device-c|(-rdc|--relocatable-device-code)(=true)?"))
        || names(parts).stream()
            .filter(n -> seen.add(n.text()))
            .flatMap(n -> variables.getOrDefault(n.text(), List.of()).stream())
            .anyMatch(v -> isRelocatable(v.parts(), seen));
  }

  /** Returns whether it is part of a concatenated string: {@code name + '.cu'}. */
  static boolean isText(Item i) {
    return i.parts().size() > 1
        && i.parts().getLast() instanceof Token t
        && t.isString()
        && (t.value().startsWith(".") || t.value().startsWith("_"))
        && i.parts().get(i.parts().size() - 2).is("+");
  }

  static boolean isCudaName(String name) {
    return CUDA_NAME.matcher(name).find();
  }
}
