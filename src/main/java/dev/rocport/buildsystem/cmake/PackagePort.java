package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Entry;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ports packages, modules, and libraries of NVIDIA. */
final class PackagePort {
  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;

  PackagePort(CMakeFile file, CMakeFacts facts, CMakeDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  void findPackage(CMakeCommand c) {
    List<Argument> a = c.arguments();
    Optional<Entry> known =
        a.isEmpty() ? Optional.empty() : CMakeNames.of(Kind.PACKAGE, a.getFirst().text());
    if (known.isEmpty()) {
      return;
    }
    if (known.get().action() == Action.REFUSE) {
      draft.problem(
          c.start(),
          c.end(),
          a.getFirst().text() + " is an NVIDIA package: " + known.get().reason());
      return;
    }
    draft.replace(a.getFirst().start(), a.getFirst().end(), known.get().rocm(), ListPort.PACKAGE);
    List<String> kept = new ArrayList<>();
    for (Argument word : a.subList(1, a.size())) {
      if (word.is("REQUIRED") || word.is("QUIET")) {
        kept.add(word.text());
      } else {
        draft.delete(word, ListPort.PACKAGE); // a CUDA version, or components
      }
    }
    String more = kept.isEmpty() ? "" : " " + String.join(" ", kept);
    boolean list = file.source().path().endsWith("CMakeLists.txt");
    if (known.get().rocm().equals("hip")) {
      for (String needed : facts.packages(list ? file.folder() : "")) {
        draft.after(c.name() + "(" + needed + more + ")", ListPort.PACKAGE);
      }
    }
    if (facts.isLegacy() && a.getFirst().text().equals("CUDA")) {
      if (kept.contains("REQUIRED")) {
        draft.after("enable_language(HIP)", ListPort.PACKAGE);
      } else {
        draft.after("if(hip_FOUND)", ListPort.PACKAGE);
        draft.after("  enable_language(HIP)", ListPort.PACKAGE);
        draft.after("endif()", ListPort.PACKAGE);
      }
    }
  }

  void include(CMakeCommand c) {
    if (!c.arguments().isEmpty()) {
      CMakeNames.of(Kind.MODULE, c.arguments().getFirst().text())
          .ifPresent(e -> draft.problem(c.start(), c.end(), e.cuda() + ": " + e.reason()));
    }
  }

  void libraries(CMakeCommand c) {
    List<String> found = new ArrayList<>();
    List<Argument> a = c.arguments();
    int from = c.name().equals("link_libraries") ? 0 : 1;
    for (Argument word : a.subList(Math.min(from, a.size()), a.size())) {
      Optional<Entry> e = facts.plainLibrary(word);
      if (e.isEmpty()) {
        if (facts.isOpenMp() && word.text().matches("(-l)?gomp")) {
          draft.doubt(
              ListPort.FLAG,
              word.start(),
              word.end(),
              word.text()
                  + " is the GNU OpenMP runtime, but HIP sources compiled with -fopenmp use the"
                  + " LLVM one; a program must have only one",
              "Remove it from targets with these sources, because -fopenmp links the LLVM"
                  + " runtime.");
        }
        continue;
      }
      switch (e.get().action()) {
        case RENAME -> {
          draft.replace(word.start(), word.end(), e.get().rocm(), ListPort.TARGET);
          boolean there = facts.findsCuda() || facts.finds(e.get().needs());
          if (!there && !found.contains(e.get().needs())) {
            found.add(e.get().needs());
          }
        }
        case DROP -> draft.delete(word, ListPort.TARGET);
        default -> draft.problem(word.start(), word.end(), word.text() + ": " + e.get().reason());
      }
    }
    draft.before(
        c, found.stream().map(p -> "find_package(" + p + " REQUIRED)").toList(), ListPort.TARGET);
  }

  void findLibrary(CMakeCommand c) {
    List<Argument> a = c.arguments();
    for (Argument word : a.subList(Math.min(1, a.size()), a.size())) {
      Optional<Entry> e = CMakeNames.library(word.text());
      if (e.isPresent()) {
        String instead =
            e.get().rocm().isEmpty()
                ? e.get().reason()
                : "link %s of find_package(%s)".formatted(e.get().rocm(), e.get().needs());
        draft.problem(c.start(), c.end(), word.text() + " is an NVIDIA library: " + instead);
        return;
      }
    }
  }

  /** Ports the macro of FindCUDA that sets a variable to the file of a library. */
  void findLocalLibrary(CMakeCommand c, Entry macro) {
    List<Argument> a = c.arguments();
    boolean plain = a.size() == 3 && !a.get(1).text().matches("(?s).*[$;].*");
    Optional<Entry> library = plain ? facts.plainLibrary(a.get(1)) : Optional.empty();
    if (!plain || library.filter(e -> e.action() == Action.REFUSE).isPresent()) {
      String reason = library.map(Entry::reason).orElse(macro.reason());
      draft.problem(c.start(), c.end(), c.name() + "(): " + reason);
      return;
    }
    String variable = a.getFirst().text();
    if (library.isEmpty()) {
      draft.replace(c.start(), c.start() + c.name().length(), "find_library", ListPort.LEGACY);
      draft.insert(a.get(2).start(), "DOC ", ListPort.LEGACY);
      return;
    }
    String value = library.get().action() == Action.DROP ? "\"\"" : library.get().rocm();
    draft.replace(c.start(), c.end(), "set(%s %s)".formatted(variable, value), ListPort.LEGACY);
    String needs = library.get().needs();
    if (!needs.isEmpty() && !facts.findsCuda() && !facts.finds(needs)) {
      draft.before(c, List.of("find_package(" + needs + " REQUIRED)"), ListPort.LEGACY);
    }
  }
}
