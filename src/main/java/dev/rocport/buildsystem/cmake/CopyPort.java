package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.shared.LibraryCopies.Copy;
import dev.rocport.buildsystem.shared.LibraryCopies.Use;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Leaves out the include folders of copies of NVIDIA libraries, and reports their projects. */
final class CopyPort {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)\\}");

  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;

  CopyPort(CMakeFile file, CMakeFacts facts, CMakeDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  /** Ports an include folder; returns whether it is that of a copy. */
  boolean include(Argument a) {
    Use use = Use.of(at(a), facts.isThrustOnHost());
    switch (use.kind()) {
      case NONE -> {
        return false;
      }
      case LEFT_OUT -> {
        draft.note(ListPort.VARIABLE, a.start(), a.end(), use.message(a.text()));
        draft.delete(a, ListPort.VARIABLE);
      }
      case FOR_HOST ->
          draft.doubt(ListPort.VARIABLE, a.start(), a.end(), use.message(a.text()), use.advice());
      case HIDES -> draft.problem(a.start(), a.end(), use.message(a.text()));
    }
    return true;
  }

  /** Reports a project of NVIDIA that the build adds. */
  void project(Argument a) {
    for (Copy copy : at(a)) {
      if (copy.isRepository()) {
        String message =
            "%s is a copy of %s, whose build is unchanged: %s in its place"
                .formatted(a.text(), copy.name(), "use " + copy.cmake());
        if (facts.isThrustOnHost()) {
          draft.doubt(
              ListPort.PACKAGE,
              a.start(),
              a.end(),
              message + ", except for backends that run on the host",
              "Keep this line for the backends OMP, TBB and CPP, which do not need CUDA.");
        } else {
          draft.problem(a.start(), a.end(), message);
        }
        return;
      }
    }
  }

  private List<Copy> at(Argument a) {
    if (facts.copies().isEmpty()) {
      return List.of(); // a value takes a pass over all lists
    }
    String path = a.text();
    Matcher m = VARIABLE.matcher(path);
    Optional<String> value = m.lookingAt() ? facts.value(m.group(1)) : Optional.empty();
    return facts
        .copies()
        .at(file.folder(), value.map(v -> v + path.substring(m.end())).orElse(path));
  }
}
