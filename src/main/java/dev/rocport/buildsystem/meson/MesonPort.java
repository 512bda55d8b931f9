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

/** Ports one {@code meson.build}. */
final class MesonPort {
  private final MesonFile file;
  private final MesonFacts facts;
  private final CallDraft draft;
  private final FlagList flags;
  private final MesonLanguages languages;
  private final MesonPackages packages;
  private final MesonCommands commands;
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
    this.languages = new MesonLanguages(file, facts, draft);
    this.packages = new MesonPackages(file, facts, draft);
    this.commands = new MesonCommands(facts, draft, flags);
    this.here = here;
  }

  void port() {
    new MesonCopies(file, facts, draft).port();
    for (Statement s : file.statements()) {
      for (Call c : Call.in(s.parts())) {
        call(s, c);
      }
      words(s.parts());
      if (facts.isFlags(s.assigned()) && facts.sources().of(termOf(s)) == Sources.NONE) {
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
      case "project" -> languages.project(s, c);
      case "add_languages" -> languages.addLanguages(s, c);
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
              "Meson's CUDA module is not assigned to a variable; assign it and use the"
                  + " variable");
        }
      }
      case "dependency" -> packages.dependency(c);
      case "find_library" -> packages.findLibrary(c);
      case "find_program" -> commands.findProgram(c);
      case "add_project_arguments", "add_global_arguments" -> arguments(s, c);
      case "add_project_link_arguments", "add_global_link_arguments" -> linkArguments(c);
      case "add_project_dependencies" -> languages.language(c);
      case "generator", "custom_target", "run_command", "run_target" -> commands.commands(c);
      case "has_header", "check_header" -> packages.header(c);
      case "process" -> {
        if (isOf(c, Role.GENERATOR)) {
          c.arguments().keyword("extra_args").ifPresent(i -> flags.port(i.parts()));
        }
      }
      default -> other(c);
    }
  }

  /**
   * Ports arguments of all targets. Arguments that are only for CUDA go to the variable for HIP.
   */
  private void arguments(Statement s, Call c) {
    List<String> of = MesonFacts.languages(c);
    if (!of.contains("cuda")) {
      return;
    }
    if (of.size() > 1) {
      languages.language(c);
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
      languages.language(c);
    }
  }

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
          .filter(i -> facts.sources().of(i) != Sources.NONE)
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
