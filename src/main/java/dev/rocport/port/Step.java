package dev.rocport.port;

import dev.rocport.rules.Rule;

/** The steps of a port that is written as a series of commits, in order. */
public enum Step {
  /** Headers, modules and build files that have no original; nothing uses them yet. */
  ADDED("Add the files that the port uses"),
  GUARDS("Port conditions on CUDA macros"),
  NAMES("Port CUDA names and calls"),
  LAUNCHES("Port kernel launches"),
  WARPS("Port code that depends on the warp size"),
  PTX("Port inline PTX"),
  BUILDS("Port the builds"),
  LANGUAGES("Port Python and Java");

  private final String title;

  Step(String title) {
    this.title = title;
  }

  /** Returns the title of the commit. */
  public String title() {
    return title;
  }

  /**
   * Returns the step of an edit or a finding.
   *
   * @param language of the file, as {@link dev.rocport.core.source.TreeEntry} has it
   */
  public static Step of(String language, Rule rule) {
    Step step = of(language);
    return step == NAMES ? ofSource(rule) : rule.family().startsWith("ptx/") ? PTX : step;
  }

  /** Returns the step of an edit that no rule counts. */
  static Step of(String language) {
    return switch (language) {
      case "python", "java" -> LANGUAGES;
      case "cuda", "c++", "c" -> NAMES;
      default -> BUILDS;
    };
  }

  private static Step ofSource(Rule rule) {
    if (rule.id().startsWith("W64-")) {
      return WARPS;
    }
    String family = rule.family();
    return switch (family.substring(0, Math.max(0, family.indexOf('/')))) {
      case "guards" -> GUARDS;
      case "warp" -> WARPS;
      case "ptx" -> PTX;
      default -> family.equals("cuda/launches") ? LAUNCHES : NAMES;
    };
  }
}
