package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Entry;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ports definitions that list files pass to another run of CMake: {@code -DCMAKE_CUDA_FLAGS=-G}.
 */
final class Definitions {
  /** Group 1 is the name, 2 the type, 3 the value. */
  private static final Pattern DEFINITION =
      Pattern.compile("(?s)-D((?:CMAKE_CUDA_|CUDA_|CUDAToolkit_)\\w+)(:\\w+)?=(.*)");

  private static final Pattern INNER = Pattern.compile("-DCMAKE_CUDA_\\w+[:=]");
  private static final Set<String> ADDERS =
      Set.of("externalproject_add", "fetchcontent_declare", "cpmaddpackage");
  private static final Set<String> LISTS = Set.of("set", "list", "execute_process");

  /** Keywords of a source that is not a folder of this tree. */
  private static final Set<String> ELSEWHERE =
      Set.of("URL", "GIT_REPOSITORY", "SVN_REPOSITORY", "HG_REPOSITORY", "DOWNLOAD_COMMAND");

  private static final Pattern INSIDE =
      Pattern.compile(
          "(\\$\\{(CMAKE_(CURRENT_)?|PROJECT_|\\w+_)SOURCE_DIR\\}|\\$\\{CMAKE_CURRENT_LIST_DIR\\}|\\.\\.?/).*");

  private static final String ARCHITECTURES = "hip_architectures";

  /** Commands that join the architectures to one argument, to pass them on. */
  private static final List<String> JOIN_ARCHITECTURES =
      List.of(
          "set(" + ARCHITECTURES + ")",
          "if(CMAKE_HIP_ARCHITECTURES)",
          "  list(JOIN CMAKE_HIP_ARCHITECTURES \"$<SEMICOLON>\" " + ARCHITECTURES + ")",
          "  set(%1$s \"-DCMAKE_HIP_ARCHITECTURES=${%1$s}\")".formatted(ARCHITECTURES),
          "endif()");

  private final CMakeDraft draft;
  private final boolean twin;

  /** Whether all projects that the file adds are in this tree, so they are ported too. */
  private final boolean local;

  Definitions(CMakeFile file, CMakeDraft draft, boolean twin) {
    this.draft = draft;
    this.twin = twin;
    List<CMakeCommand> adders =
        file.commands().stream().filter(c -> c.name().equals("externalproject_add")).toList();
    this.local = !adders.isEmpty() && adders.stream().allMatch(Definitions::isLocal);
  }

  private static boolean isLocal(CMakeCommand c) {
    List<Argument> a = c.arguments();
    for (int i = 0; i + 1 < a.size(); i++) {
      if (a.get(i).is("SOURCE_DIR")) {
        return INSIDE.matcher(a.get(i + 1).text()).matches()
            && a.stream().noneMatch(w -> !w.quoted() && ELSEWHERE.contains(w.text()));
      }
    }
    return false;
  }

  void port(CMakeCommand c) {
    boolean adds = ADDERS.contains(c.name());
    if (!adds && !LISTS.contains(c.name())) {
      return;
    }
    boolean handsOn = false;
    for (Argument a : c.arguments()) {
      Matcher m = DEFINITION.matcher(a.text());
      if (m.matches()) {
        // In other commands, such words may be preprocessor macros.
        if (adds || m.group(2) != null || m.group(1).startsWith("CMAKE_CUDA_")) {
          handsOn |= definition(a, m);
        }
      } else if (INNER.matcher(a.text()).find()) {
        problem(a);
      }
    }
    if (handsOn) {
      draft.before(c, JOIN_ARCHITECTURES, ListPort.ARCH);
    }
    if (twin && c.name().equals("externalproject_add") && isLocal(c)) {
      forRocm(c);
    }
  }

  /** Returns true if the architectures must be passed on. */
  private boolean definition(Argument a, Matcher m) {
    int name = a.start() + (a.quoted() ? 1 : 0) + m.start(1);
    int value = name + m.start(3) - m.start(1);
    Optional<Entry> known = CMakeNames.of(Kind.VARIABLE, m.group(1));
    Action action = local ? known.map(Entry::action).orElse(Action.REFUSE) : Action.REFUSE;
    boolean same = m.group(3).equals("${" + m.group(1) + "}");
    switch (action) {
      case RENAME -> rename(name, m.group(1), known.orElseThrow());
      case FLAGS -> {
        rename(name, m.group(1), known.orElseThrow());
        FlagText.Form form = a.quoted() ? FlagText.Form.QUOTED : FlagText.Form.SINGLE;
        draft.flags(value, value + m.group(3).length(), form, false);
      }
      case ARCH -> {
        if (same) {
          rename(name, m.group(1), known.orElseThrow());
          return false;
        }
        draft.note(
            ListPort.ARCH,
            a.start(),
            a.end(),
            "the other project gets the HIP architectures of this project");
        draft.replace(a.start(), a.end(), "${" + ARCHITECTURES + "}", ListPort.ARCH);
        return true;
      }
      case DROP -> {
        draft.note(
            ListPort.VARIABLE,
            a.start(),
            a.end(),
            m.group(1) + " is left out: " + known.orElseThrow().reason());
        draft.delete(a, ListPort.VARIABLE);
      }
      default -> problem(a);
    }
    return false;
  }

  private void rename(int at, String name, Entry to) {
    draft.replace(at, at + name.length(), to.rocm(), ListPort.VARIABLE);
  }

  private void problem(Argument a) {
    draft.problem(
        a.start(),
        a.end(),
        "this argument passes a CUDA setting to another project; port that project too");
  }

  /** Turns on the twins of the other project. */
  private void forRocm(CMakeCommand c) {
    for (Argument a : c.arguments()) {
      if (a.is("CMAKE_ARGS")) {
        draft.insert(a.end(), " -DUSE_ROCM=ON", ListPort.VARIABLE);
        return;
      }
    }
    draft.insert(c.end() - 1, " CMAKE_ARGS -DUSE_ROCM=ON", ListPort.VARIABLE);
  }
}
