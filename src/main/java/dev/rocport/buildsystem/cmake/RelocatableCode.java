package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Writes the options for relocatable device code of CMake targets. */
final class RelocatableCode {
  private static final String ALWAYS = "ON";
  private static final Set<String> ON = Set.of("ON", "TRUE", "1", "YES", "Y");

  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;

  RelocatableCode(CMakeFile file, CMakeFacts facts, CMakeDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  /**
   * Returns the generator expression with the flag for relocatable device code.
   *
   * @param test COMPILE_LANGUAGE or LINK_LANGUAGE
   * @param when a CMake value that turns the flag on
   */
  static String flag(String test, String when) {
    String hip = "$<" + test + ":HIP>";
    boolean always = ON.contains(when.toUpperCase(Locale.ROOT));
    String condition = always ? hip : "$<AND:%s,$<BOOL:%s>>".formatted(hip, when);
    return "$<%s:-fgpu-rdc>".formatted(condition);
  }

  /** Adds the compile and link options for relocatable device code to targets. */
  void add(CMakeCommand c, String when, boolean instead) {
    List<Argument> a = c.arguments();
    int from = c.name().equals("set_property") ? 1 : 0;
    List<String> lines = new ArrayList<>();
    for (Argument target : a.subList(from, a.size())) {
      if (target.is("PROPERTIES") || target.is("PROPERTY") || target.is("APPEND")) {
        break;
      }
      lines.add(
          "target_compile_options(%s PRIVATE %s)"
              .formatted(target.text(), flag("COMPILE_LANGUAGE", when)));
      // Targets that link an archive of such objects also link its device code.
      lines.add(
          "target_link_options(%s %s %s)"
              .formatted(
                  target.text(),
                  facts.isLibrary(target.text()) ? "PUBLIC" : "PRIVATE",
                  flag("LINK_LANGUAGE", when)));
    }
    if (instead) {
      String nl = file.source().newline() + file.indentation(c);
      draft.replace(c.start(), c.end(), String.join(nl, lines), ListPort.RDC);
      draft.cover(c.start(), c.end());
    } else {
      lines.forEach(line -> draft.after(line, ListPort.RDC));
    }
  }

  void link(String target, String scope) {
    draft.after(
        "target_link_options(%s %s %s)".formatted(target, scope, flag("LINK_LANGUAGE", ALWAYS)),
        ListPort.RDC);
  }
}
