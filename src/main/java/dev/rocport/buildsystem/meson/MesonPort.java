package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.FlagList;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.meson.MesonFacts.Role;
import dev.rocport.buildsystem.meson.MesonFacts.Sources;
import dev.rocport.buildsystem.meson.MesonNames.Action;
import dev.rocport.buildsystem.meson.MesonNames.Entry;
import dev.rocport.buildsystem.meson.MesonNames.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Ports one {@code meson.build}. */
final class MesonPort {
  private static final String ROCM_LIBRARIES = "hip_libraries";

  private final MesonFile file;
  private final MesonFacts facts;
  private final CallDraft draft;
  private final FlagList flags;
  private final String here;

  MesonPort(MesonFile file, MesonFacts facts, CallDraft draft) {
    this(file, facts, draft, "");
  }

  /**
   * @param here relative path to the folder of the file from where it is read; empty if they are
   *     the same
   */
  MesonPort(MesonFile file, MesonFacts facts, CallDraft draft, String here) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
    this.flags = new FlagList(file.text(), draft, MesonBuild.FLAGS);
    this.here = here;
  }

  void port() {
    for (Statement s : file.statements()) {
      for (Call c : Call.in(s.parts())) {
        call(s, c);
      }
      words(s.parts());
      if (facts.isFlags(s.assigned()) && facts.sources(termOf(s)) == Sources.NONE) {
        flags.port(s.value());
      }
    }
    MesonTargets targets = new MesonTargets(file, facts, draft, here);
    file.statements().forEach(targets::port);
  }

  private static Item termOf(Statement s) {
    return new Item(s.start(), s.end(), "", s.value());
  }

  private void call(Statement s, Call c) {
    switch (c.name().text()) {
      case "project" -> project(s, c);
      case "add_languages" -> addLanguages(s, c);
      case "get_compiler" -> {
        if (facts.role(c) == Role.COMPILER) {
          Item language = c.arguments().positional().getFirst();
          draft.replace(language.start(), language.end(), "'cpp'", MesonBuild.LANGUAGE);
        }
      }
      case "import" -> {
        boolean whole = s.call().filter(c::equals).isPresent() && !s.assigned().isEmpty();
        if (facts.role(c) == Role.MODULE && whole) {
          draft.replace(s.start(), end(s), "", MesonBuild.ARCH);
        } else if (facts.role(c) == Role.MODULE) {
          draft.problem(
              c.start(),
              c.end(),
              "the CUDA module of Meson is not assigned to a variable; assign it and use the"
                  + " variable");
        }
      }
      case "dependency" -> dependency(c);
      case "find_library" -> findLibrary(c);
      case "find_program" -> findProgram(c);
      case "add_project_arguments", "add_global_arguments" -> arguments(s, c);
      case "add_project_link_arguments", "add_global_link_arguments" -> linkArguments(c);
      case "add_project_dependencies" -> language(c);
      case "generator", "custom_target", "run_command", "run_target" -> commands(c);
      case "has_header", "check_header" -> header(c);
      case "process" -> {
        if (isOf(c, Role.GENERATOR)) {
          c.arguments().keyword("extra_args").ifPresent(i -> flags.port(i.parts()));
        }
      }
      default -> other(c);
    }
  }

  // Languages

  private void project(Statement s, Call c) {
    List<Item> items = c.arguments().items();
    List<String> languages =
        c.arguments().positional().stream()
            .skip(1)
            .flatMap(i -> MesonFacts.strings(i.parts()).stream())
            .map(Token::value)
            .toList();
    boolean cpp = languages.contains("cpp");
    for (Item item : c.arguments().positional()) {
      boolean list = item.parts().size() == 1 && item.parts().getFirst() instanceof Group;
      Group group = list ? (Group) item.parts().getFirst() : c.arguments();
      if (!list && !MesonFacts.is(item, "cuda")) {
        continue;
      }
      SortedSet<Integer> deleted = new TreeSet<>();
      for (int i = list ? 0 : 1; i < group.items().size(); i++) {
        Item language = group.items().get(i);
        if (language.keyword().isEmpty() && MesonFacts.is(language, "cuda")) {
          if (cpp) {
            deleted.add(i);
          } else {
            draft.replace(language.start(), language.end(), "'cpp'", MesonBuild.LANGUAGE);
          }
        }
      }
      draft.delete(group, deleted, MesonBuild.LANGUAGE);
    }
    if (!cpp && !languages.contains("cuda")) {
      draft.insert(items.getFirst().end(), ", 'cpp'", MesonBuild.LANGUAGE);
    }
    c.arguments().keyword("default_options").ifPresent(this::defaults);
    draft.insert(s.end(), file.source().newline() + "subdir('rocport')", MesonBuild.LANGUAGE);
  }

  /** Ports default options of the language CUDA. */
  private void defaults(Item options) {
    boolean own = facts.hasCpp();
    for (Part p : options.parts()) {
      if (p instanceof Group g) {
        SortedSet<Integer> deleted = new TreeSet<>();
        for (int i = 0; i < g.items().size(); i++) {
          Token t = MesonFacts.strings(g.items().get(i).parts()).stream().findFirst().orElse(null);
          if (t != null && option(t, own)) {
            deleted.add(i);
          }
        }
        draft.delete(g, deleted, MesonBuild.LANGUAGE);
      } else if (p instanceof Token t && t.isString() && option(t, own)) {
        draft.replace(t.start(), t.end(), "[]", MesonBuild.LANGUAGE);
      }
    }
  }

  /** Ports an option; returns true if it is deleted. */
  private boolean option(Token t, boolean own) {
    String text = t.value();
    String name = text.contains("=") ? text.substring(0, text.indexOf('=')) : text;
    Optional<Entry> e = MesonNames.of(Kind.OPTION, name);
    if (e.isEmpty()) {
      return false;
    }
    if (e.get().action() == Action.RENAME && !own) {
      String to = e.get().rocm() + text.substring(name.length());
      draft.replace(t.start(), t.end(), MesonBuild.quoted(to), MesonBuild.LANGUAGE);
      return false;
    }
    if (e.get().action() == Action.FLAGS) {
      draft.problem(
          t.start(), t.end(), "flags in default options; set them with add_project_arguments()");
      return false;
    }
    if (e.get().action() == Action.DROP) {
      draft.note(
          MesonBuild.LANGUAGE, t.start(), t.end(), name + " is left out: " + e.get().reason());
    }
    return true;
  }

  private void addLanguages(Statement s, Call c) {
    List<Item> p = c.arguments().positional();
    if (p.stream().noneMatch(i -> MesonFacts.is(i, "cuda"))) {
      return;
    }
    if (p.size() > 1) {
      SortedSet<Integer> deleted = new TreeSet<>();
      List<Item> items = c.arguments().items();
      p.stream().filter(i -> MesonFacts.is(i, "cuda")).forEach(i -> deleted.add(items.indexOf(i)));
      draft.delete(c.arguments(), deleted, MesonBuild.LANGUAGE);
      return;
    }
    boolean statement = s.start() == c.start() && s.end() == c.end();
    draft.replaceAll(
        c.start(),
        c.end(),
        statement ? "assert(hip_dep.found(), 'ROCm was not found')" : "hip_dep.found()",
        MesonBuild.LANGUAGE);
  }

  /** Ports the keyword {@code language} of a call. */
  private void language(Call c) {
    Optional<Item> language = c.arguments().keyword("language");
    if (language.isEmpty() || !MesonFacts.languages(c).contains("cuda")) {
      return;
    }
    boolean both = MesonFacts.languages(c).contains("cpp");
    for (Part p : language.get().parts()) {
      if (p instanceof Token t && t.isString()) {
        draft.replace(t.start(), t.end(), "'cpp'", MesonBuild.LANGUAGE);
      } else if (p instanceof Group g) {
        SortedSet<Integer> deleted = new TreeSet<>();
        for (int i = 0; i < g.items().size(); i++) {
          Item item = g.items().get(i);
          if (MesonFacts.is(item, "cuda")) {
            if (both) {
              deleted.add(i);
            } else {
              draft.replace(item.start(), item.end(), "'cpp'", MesonBuild.LANGUAGE);
            }
          }
        }
        draft.delete(g, deleted, MesonBuild.LANGUAGE);
      }
    }
  }

  /**
   * Ports arguments of all targets. Arguments that are only for CUDA go to the variable for HIP.
   */
  private void arguments(Statement s, Call c) {
    List<String> languages = MesonFacts.languages(c);
    if (!languages.contains("cuda")) {
      return;
    }
    if (languages.size() > 1) {
      language(c);
      return;
    }
    List<Item> p = c.arguments().positional();
    SortedSet<Integer> deleted = flags.port(c.arguments(), p);
    p.stream().filter(i -> i.parts().size() > 1).forEach(i -> flags.port(i.parts()));
    List<String> texts = new ArrayList<>();
    for (Item i : p) {
      if (!deleted.contains(c.arguments().items().indexOf(i))) {
        texts.add(draft.render(i.start(), i.end()));
      }
    }
    String list = String.join(", ", texts);
    boolean one = p.size() == 1 && p.getFirst().string().isEmpty();
    String value = one ? list : "[" + list + "]";
    if (s.start() == c.start() && s.end() == c.end()) {
      draft.replaceAll(c.start(), c.end(), "hip_args += " + value, MesonBuild.FLAG);
    } else {
      draft.problem(
          c.start(),
          c.end(),
          "these CUDA arguments are part of an expression; add them to hip_args in a statement of"
              + " its own");
    }
  }

  private void linkArguments(Call c) {
    if (MesonFacts.languages(c).contains("cuda")) {
      flags.port(c.arguments(), c.arguments().positional());
      language(c);
    }
  }

  // Dependencies, libraries, programs

  private void dependency(Call c) {
    List<Item> p = c.arguments().positional();
    if (facts.role(c) != Role.TOOLKIT) {
      return;
    }
    String name = p.getFirst().string().map(Token::value).orElse("");
    List<String> names = new ArrayList<>();
    if (!Toolkit.ofPackage(name).isEmpty()) {
      names.add(Toolkit.ofPackage(name));
    }
    Optional<Item> modules = c.arguments().keyword("modules");
    if (modules.isPresent()) {
      if (!MesonFacts.names(modules.get().parts()).isEmpty()) {
        draft.problem(
            modules.get().start(),
            modules.get().end(),
            "a variable names the CUDA modules; write the names in this call");
        return;
      }
      MesonFacts.strings(modules.get().parts()).forEach(t -> names.add(t.value()));
    }
    SortedSet<String> libraries = new TreeSet<>();
    for (String library : names) {
      Optional<Toolkit.Library> rocm = Toolkit.library(library);
      String problem = rocm.isEmpty() ? "the library is unknown" : rocm.get().problem();
      if (!problem.isEmpty()) {
        draft.problem(c.start(), c.end(), library + ": " + problem);
        return;
      }
      libraries.add(rocm.get().name());
    }
    libraries.removeAll(List.of("", "amdhip64"));
    draft.replaceAll(c.start(), c.end(), toolkit(c, libraries), MesonBuild.PACKAGE);
  }

  private String toolkit(Call c, SortedSet<String> libraries) {
    StringBuilder text = new StringBuilder();
    if (libraries.isEmpty()) {
      text.append("hip_dep");
    } else {
      text.append("declare_dependency(dependencies: [hip_dep");
      for (String library : libraries) {
        text.append(
            ", hip_compiler.find_library('%s', dirs: %s)".formatted(library, ROCM_LIBRARIES));
      }
      text.append("])");
    }
    Optional<Item> required = c.arguments().keyword("required");
    String value = required.map(r -> file.text(r.valueStart(), r.end())).orElse("true");
    if (facts.isRequired() || (libraries.isEmpty() && value.equals("false"))) {
      return text.toString();
    }
    return "hip_dep.found() ? %s : dependency('', required: %s)".formatted(text, value);
  }

  private void findLibrary(Call c) {
    List<Item> p = c.arguments().positional();
    Optional<Token> name = p.isEmpty() ? Optional.empty() : p.getFirst().string();
    Optional<Toolkit.Library> rocm = name.flatMap(n -> Toolkit.library(n.value()));
    if (rocm.isEmpty()) {
      return;
    }
    if (!rocm.get().problem().isEmpty()) {
      draft.problem(c.start(), c.end(), name.get().value() + ": " + rocm.get().problem());
      return;
    }
    if (rocm.get().name().isEmpty() || rocm.get().name().equals("amdhip64")) {
      draft.replaceAll(c.start(), c.end(), "hip_dep", MesonBuild.PACKAGE);
      return;
    }
    Optional<Item> required = c.arguments().keyword("required");
    String more = required.map(r -> ", " + file.text(r.start(), r.end())).orElse("");
    draft.replaceAll(
        c.start(),
        c.end(),
        "hip_compiler.find_library('%s', dirs: %s%s)"
            .formatted(rocm.get().name(), ROCM_LIBRARIES, more),
        MesonBuild.PACKAGE);
  }

  private void findProgram(Call c) {
    for (Item i : c.arguments().positional()) {
      i.string().ifPresent(t -> program(t.value(), i.start(), i.end()));
      boolean joined = i.parts().size() > 1 && i.parts().getLast().isString();
      if (joined && i.parts().getLast() instanceof Token t && !t.value().startsWith("/")) {
        program(t.value(), t.start(), t.end());
      }
    }
  }

  private void program(String path, int start, int end) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    Optional<Entry> e = MesonNames.of(Kind.PROGRAM, name);
    if (e.isEmpty()) {
      return;
    }
    if (e.get().action() == Action.REFUSE) {
      draft.problem(start, end, name + " is an NVIDIA program: " + e.get().reason());
      return;
    }
    String text =
        path.startsWith("/")
            ? "rocm / 'bin' / '" + e.get().rocm() + "'"
            : "'" + e.get().rocm() + "'";
    draft.replaceAll(start, end, text, MesonBuild.COMMAND);
  }

  private void header(Call c) {
    List<Item> p = c.arguments().positional();
    Optional<Token> name = p.isEmpty() ? Optional.empty() : p.getFirst().string();
    boolean of = name.filter(n -> n.value().matches("cuda(_runtime(_api)?)?\\.h")).isPresent();
    if (of) {
      draft.replace(
          p.getFirst().start(), p.getFirst().end(), "'hip/hip_runtime.h'", MesonBuild.PACKAGE);
    } else if (name.filter(n -> n.value().matches("(cu[a-z]+|nccl)(_v2|Lt)?\\.h")).isPresent()) {
      draft.problem(
          c.start(),
          c.end(),
          name.get().value() + " is an NVIDIA header; check for the header of the ROCm library");
    }
  }

  // Commands that call nvcc

  private void commands(Call c) {
    for (Item i : c.arguments().items()) {
      if (i.keyword().equals("arguments") && facts.role(c) == Role.GENERATOR) {
        boolean compiles = compiles(i.parts());
        flags.port(i.parts());
        draft.insert(
            i.valueStart(), (compiles ? "hip_args" : offload()) + " + ", MesonBuild.COMMAND);
      } else if (i.keyword().equals("command") || c.is("run_command")) {
        List<Part> parts = i.keyword().equals("command") ? i.parts() : List.of(c.arguments());
        command(c, parts);
        if (c.is("run_command")) {
          return;
        }
      }
    }
  }

  private void command(Call c, List<Part> parts) {
    for (Part p : parts) {
      if (p instanceof Group g && !g.items().isEmpty()) {
        Item first = g.items().getFirst();
        boolean named = first.string().filter(t -> MesonFacts.isNvcc(t.value())).isPresent();
        if (named) {
          program(first.string().get().value(), first.start(), first.end());
        }
        if (named || facts.roleOf(first.parts()) == Role.NVCC) {
          List<Item> rest = g.items().stream().skip(1).filter(i -> i.keyword().isEmpty()).toList();
          boolean compiles = compiles(parts);
          flags.port(g, rest);
          if (!c.is("run_command")) {
            String more = compiles ? "hip_args" : offload();
            draft.insert(first.end(), ", " + more, MesonBuild.COMMAND);
          }
          parts.stream()
              .filter(x -> x != p)
              .forEach(
                  x -> {
                    if (x instanceof Group more) {
                      flags.port(List.of(more));
                    }
                  });
          return;
        }
      }
    }
    for (Token t : MesonFacts.strings(parts)) {
      if (t.value().matches("(?s)(.*[\\s;&|(])?nvcc\\s.*")) {
        draft.problem(
            t.start(), t.end(), "this shell command calls nvcc; call hipcc with clang flags");
      }
    }
  }

  private boolean compiles(List<Part> parts) {
    return MesonFacts.strings(parts).stream().anyMatch(MesonPort::isCompiling)
        || MesonFacts.names(parts).stream()
            .flatMap(n -> facts.strings(n.text()).stream())
            .anyMatch(MesonPort::isCompiling);
  }

  private static boolean isCompiling(Token flag) {
    return flag.value().matches("-c|--compile|-dc|--device-c|-dw|-x");
  }

  /** Returns the flags for a command that also links. */
  private String offload() {
    return facts.isRelocatable() ? "hip_rdc_args" : "hip_offload";
  }

  // The rest

  private void other(Call c) {
    Optional<Entry> function = MesonNames.of(Kind.FUNCTION, c.name().text());
    if (c.method() && function.isPresent()) {
      Entry e = function.get();
      if (e.action() == Action.REFUSE) {
        draft.problem(c.start(), c.end(), c.name().text() + "(): " + e.reason());
      } else {
        draft.note(
            MesonBuild.ARCH, c.start(), c.end(), c.name().text() + "() is left out: " + e.reason());
        draft.replaceAll(c.start(), c.end(), e.rocm(), MesonBuild.ARCH);
      }
      return;
    }
    Optional<Entry> method = MesonNames.of(Kind.METHOD, c.name().text());
    if (c.method() && method.isPresent() && isCudaObject(c)) {
      draft.replaceAll(c.start(), c.end(), Toolkit.VERSION, MesonBuild.VERSION);
      draft.note(
          MesonBuild.VERSION,
          c.start(),
          c.end(),
          "the port follows the branch for CUDA " + Toolkit.VERSION.replace("'", ""));
    } else if (c.method() && c.name().text().equals("get_id") && isCudaObject(c)) {
      draft.doubt(
          MesonBuild.LANGUAGE,
          c.start(),
          c.end(),
          "for HIP, the compiler is clang",
          "Check that the condition is also right for clang.");
    } else if (c.method() && c.name().text().matches("(has|get)_.*argument.*") && isCudaObject(c)) {
      flags.port(c.arguments(), c.arguments().positional());
    } else if (c.is("declare_dependency")) {
      c.arguments()
          .keyword("sources")
          .filter(i -> facts.sources(i) != Sources.NONE)
          .ifPresent(
              i ->
                  draft.problem(
                      i.start(),
                      i.end(),
                      "the dependency provides CUDA sources; move them to a static library and link"
                          + " it"));
    } else if (c.is("structured_sources")
        && MesonFacts.strings(
                c.arguments().items().stream().flatMap(i -> i.parts().stream()).toList())
            .stream()
            .anyMatch(t -> t.value().endsWith(".cu"))) {
      draft.problem(
          c.start(), c.end(), "structured_sources() has CUDA sources; list them in the target");
    }
  }

  /** Returns whether the object of a method has this role. */
  private boolean isOf(Call c, Role role) {
    String object = object(c);
    return object.matches("\\w+")
        && facts.roleOf(List.of(new Token(Token.Kind.NAME, 0, 0, object))) == role;
  }

  private String object(Call c) {
    return file.text(c.start(), c.name().start()).replaceAll("\\s*\\.\\s*$", "");
  }

  /** Returns whether the object of a method is the CUDA compiler or toolkit. */
  private boolean isCudaObject(Call c) {
    String object = object(c);
    if (object.matches("\\w+")) {
      return isOf(c, Role.COMPILER) || isOf(c, Role.TOOLKIT);
    }
    return object.matches("(?s)meson\\s*\\.\\s*get_compiler\\(\\s*'cuda'.*");
  }

  /** Ports folders of the toolkit and its libraries in any string. */
  private void words(List<Part> parts) {
    for (int i = 0; i < parts.size(); i++) {
      Part p = parts.get(i);
      if (p instanceof Group g) {
        g.items().forEach(item -> words(item.parts()));
      } else if (p instanceof Token t && t.isString() && !t.isFormatted()) {
        word(t);
        boolean below = i > 1 && parts.get(i - 1).is("/") && parts.get(i - 2) instanceof Token;
        if (below
            && t.value().equals("lib64")
            && MesonFacts.isCudaName(((Token) parts.get(i - 2)).text())) {
          draft.replace(t.start(), t.end(), "'lib'", MesonBuild.PACKAGE);
        }
      }
    }
  }

  private void word(Token t) {
    Optional<String> rocm = Toolkit.folder(t.value());
    if (rocm.isPresent()) {
      draft.replace(t.start(), t.end(), rocm.get(), MesonBuild.PACKAGE);
    } else if (t.value().startsWith("-l")) {
      Optional<Toolkit.Library> library = Toolkit.library(t.value().substring(2));
      if (library.isPresent() && !library.get().problem().isEmpty()) {
        draft.problem(t.start(), t.end(), t.value() + ": " + library.get().problem());
      } else if (library.isPresent()) {
        String name = library.get().name().isEmpty() ? "amdhip64" : library.get().name();
        draft.replace(t.start(), t.end(), "'-l" + name + "'", MesonBuild.PACKAGE);
      }
    }
  }

  /**
   * Returns the offset after a statement, including the line end if nothing follows on the line.
   */
  private int end(Statement s) {
    int line = file.source().line(s.end() - 1);
    int to = file.source().lineEnd(line);
    boolean alone =
        s.indentation() == s.start() - file.source().lineStart(file.source().line(s.start()))
            && file.text(s.end(), to).isBlank();
    return alone && line < file.source().lines() ? file.source().lineStart(line + 1) : s.end();
  }
}
