package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Ports what functions get: flags for those of the project, sources for those of others. */
final class FunctionArguments {
  private static final Pattern KEYWORD = Pattern.compile("[A-Z][A-Z0-9_]*");

  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;

  FunctionArguments(CMakeFile file, CMakeFacts facts, CMakeDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  /** Ports an argument that must remain a single argument. */
  private void parameter(Argument word) {
    FlagText flags = FlagText.of(file.text(), word.start(), word.end(), FlagText.Form.LIST, false);
    if (word.quoted()) {
      draft.flags(word.start(), word.end(), FlagText.Form.STRING, false);
    } else if (flags.changes().isEmpty() || flags.left().size() == 1) {
      draft.flags(word.start(), word.end(), FlagText.Form.LIST, false);
    } else if (flags.left().isEmpty()) {
      draft.report(flags);
      draft.replace(word.start(), word.end(), "\"\"", ListPort.FLAG);
    } else {
      draft.problem(
          word.start(),
          word.end(),
          word.text()
              + " translates to several clang flags where the function accepts one: "
              + String.join(" ", flags.left()));
    }
  }

  /** Reports CUDA sources that are passed to functions of other projects. */
  void foreign(CMakeCommand c) {
    boolean own =
        CMakeNames.of(Kind.COMMAND, c.name()).isPresent()
            || c.name()
                .matches(
                    "(?:install|file|configure_file|source_group|message|list|if|elseif|foreach)");
    for (Argument word : own ? List.<Argument>of() : c.arguments()) {
      if (facts.isCuda() && word.text().endsWith(".cu")) {
        draft.problem(
            word.start(),
            word.end(),
            c.name()
                + "() is not defined in this project; check that it compiles this source as HIP"
                + " (source property LANGUAGE)");
      }
    }
  }

  /** Ports flags that a function of the project gets after a keyword or as a parameter. */
  void keywords(CMakeCommand c) {
    for (int i : facts.flagParameters(c.name())) {
      if (i < c.arguments().size()) {
        parameter(c.arguments().get(i));
      }
    }
    Set<String> keywords = facts.flagKeywords(c.name());
    List<Argument> a = c.arguments();
    int i = 0;
    while (i < a.size()) {
      boolean flags = !a.get(i).quoted() && keywords.contains(a.get(i).text());
      int from = ++i;
      while (flags
          && i < a.size()
          && !(!a.get(i).quoted() && KEYWORD.matcher(a.get(i).text()).matches())) {
        i++;
      }
      if (flags && i > from) {
        draft.flags(a.get(from).start(), a.get(i - 1).end(), FlagText.Form.LIST, false);
      }
    }
  }
}
