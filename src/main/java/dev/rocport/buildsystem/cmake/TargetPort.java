package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports targets with CUDA sources and the commands of FindCUDA. */
final class TargetPort {
  /** A flag whose value is in quotes, which the shell removes that starts nvcc. */
  private static final Pattern QUOTED_VALUE = Pattern.compile("(-[\\w-]+=)\"([^\"\\\\\\s;]+)\"");

  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;

  TargetPort(CMakeFile file, CMakeFacts facts, CMakeDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  void sources(CMakeCommand c) {
    List<Argument> a = c.arguments();
    if (!facts.isCuda()
        || a.isEmpty()
        || a.stream().anyMatch(w -> w.is("IMPORTED") || w.is("ALIAS"))) {
      return;
    }
    setLanguage(c, a.subList(1, a.size()));
  }

  /**
   * Sets the language of CUDA sources to HIP, because CMake selects the language by the extension.
   */
  private void setLanguage(CMakeCommand c, List<Argument> words) {
    String where =
        c.name().equals("target_sources")
            ? " TARGET_DIRECTORY " + c.arguments().getFirst().text()
            : "";
    List<String> known = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (Argument word : words) {
      String text = word.text();
      if (text.matches("\\$\\{\\w+\\}")) {
        switch (facts.sources(text.substring(2, text.length() - 1))) {
          case ALL -> known.add(text);
          case SOME -> open.add(text);
          case NONE -> {}
        }
      } else if (text.endsWith(".cu") && !text.contains("$<")) {
        known.add(word.quoted() ? "\"" + text + "\"" : text);
      } else if (text.contains(".cu") && text.contains("$<") && !text.contains(".cuh")) {
        draft.problem(
            word.start(),
            word.end(),
            "the sources of this expression are not known; set the property LANGUAGE of the CUDA"
                + " sources to HIP");
      }
    }
    String language = where + " PROPERTIES LANGUAGE HIP)";
    if (!known.isEmpty()) {
      draft.after(
          "set_source_files_properties(" + String.join(" ", known) + language, ListPort.SOURCE);
    }
    if (!open.isEmpty()) {
      draft.after("set(hip_sources " + String.join(" ", open) + ")", ListPort.SOURCE);
      draft.after("list(FILTER hip_sources INCLUDE REGEX \"\\\\.cu$\")", ListPort.SOURCE);
      draft.after("set_source_files_properties(${hip_sources}" + language, ListPort.SOURCE);
    }
  }

  void legacy(CMakeCommand c, Entry e) {
    int end = c.start() + c.name().length();
    switch (e.cuda()) {
      case "cuda_add_executable", "cuda_add_library" -> {
        List<Argument> a = c.arguments();
        int options = 0;
        while (options < a.size() && !a.get(options).is("OPTIONS")) {
          options++;
        }
        for (Argument option : a.subList(options, a.size())) {
          if (hasQuotes(option) && !QUOTED_VALUE.matcher(option.text()).matches()) {
            draft.problem(
                c.start(),
                c.end(),
                "%s(): the option %s has quotes inside; port the call by hand"
                    .formatted(c.name(), option.text()));
            return;
          }
        }
        draft.replace(c.start(), end, e.cuda().substring("cuda_".length()), ListPort.LEGACY);
        setLanguage(c, a.subList(Math.min(1, a.size()), options));
        String target = a.isEmpty() ? "" : a.getFirst().text();
        if (options < a.size()) {
          optionsOf(target, a.subList(options, a.size()));
        }
        draft.after(
            "target_link_libraries(%s %ship::host)".formatted(target, keyword()), ListPort.LEGACY);
      }
      case "cuda_add_cublas_to_target", "cuda_add_cufft_to_target" -> {
        draft.replace(c.start(), end, "target_link_libraries", ListPort.LEGACY);
        draft.replace(c.end() - 1, c.end(), " " + keyword() + e.rocm() + ")", ListPort.LEGACY);
      }
      default -> {
        if (e.action() == Action.RENAME) {
          draft.replace(c.start(), end, e.rocm(), ListPort.LEGACY);
        } else {
          draft.problem(c.start(), c.end(), c.name() + "(): " + e.reason());
        }
      }
    }
  }

  /**
   * Returns the link keyword. FindCUDA links with or without one, and CMake requires the same form
   * for all links of a target.
   */
  private String keyword() {
    return facts.isOwn("CUDA_LINK_LIBRARIES_KEYWORD") ? "${CUDA_LINK_LIBRARIES_KEYWORD} " : "";
  }

  private void optionsOf(String target, List<Argument> options) {
    int from = options.getFirst().end();
    int to = options.getLast().end();
    FlagText flags = FlagText.of(withoutInnerQuotes(options), from, to, FlagText.Form.LIST, false);
    draft.report(flags);
    if (!flags.left().isEmpty()) {
      draft.after(
          "target_compile_options(%s PRIVATE $<$<COMPILE_LANGUAGE:HIP>:%s>)"
              .formatted(target, String.join(";", flags.left())),
          ListPort.LEGACY);
    }
    options.forEach(o -> draft.delete(o, ListPort.LEGACY));
    draft.cover(from, to);
  }

  /** Returns whether an argument without quotes around it has some inside. */
  private static boolean hasQuotes(Argument a) {
    return !a.quoted() && a.text().indexOf('"') >= 0;
  }

  /**
   * Returns the text of the file, of the same length, with quoted values of flags as plain ones.
   */
  private String withoutInnerQuotes(List<Argument> options) {
    StringBuilder text = new StringBuilder(file.text());
    for (Argument option : options) {
      Matcher m = QUOTED_VALUE.matcher(option.text());
      if (hasQuotes(option) && m.matches()) {
        text.replace(option.start(), option.end(), m.group(1) + m.group(2) + "  ");
      }
    }
    return text.toString();
  }
}
