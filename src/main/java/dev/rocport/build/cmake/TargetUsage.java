package dev.rocport.build.cmake;

import dev.rocport.build.cmake.CMakeTarget.Usage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What a target is compiled and linked with, its libraries' demands included. */
public final class TargetUsage {
  private final Map<String, CMakeTarget> targets;
  private final CMakeTarget target;
  private final List<CMakeTarget> used;
  private final List<String> libraries = new ArrayList<>();

  private TargetUsage(Map<String, CMakeTarget> targets, CMakeTarget target) {
    this.targets = targets;
    this.target = target;
    Set<CMakeTarget> all = new LinkedHashSet<>();
    collect(target.libraries.own, all);
    this.used = new ArrayList<>(all);
  }

  public static TargetUsage of(CMakeProject project, CMakeTarget target) {
    return new TargetUsage(project.targets(), target);
  }

  private void collect(List<String> names, Set<CMakeTarget> all) {
    for (String name : names) {
      String plain = name.replaceFirst("^\\$<LINK_ONLY:(.*)>$", "$1");
      CMakeTarget t = targets.get(plain);
      if (t == null) {
        libraries.add(plain);
      } else if (all.add(t)) {
        collect(t.libraries.passed, all);
        // A static library's own libraries come with it.
        if (t.kind() == CMakeTarget.Kind.STATIC || t.kind() == CMakeTarget.Kind.OBJECT) {
          collect(t.libraries.own, all);
        }
      }
    }
  }

  /** The targets it is linked with, in order. */
  public List<CMakeTarget> used() {
    return used;
  }

  /** The libraries it is linked with that are no targets of the project. */
  public List<String> libraries() {
    return libraries.stream().distinct().toList();
  }

  public List<String> includes() {
    return all(t -> t.includes);
  }

  public List<String> definitions() {
    return all(t -> t.definitions);
  }

  public List<String> options() {
    return all(t -> t.options);
  }

  public List<String> features() {
    return all(t -> t.features);
  }

  public List<String> linkOptions() {
    return all(t -> t.linkOptions);
  }

  private List<String> all(Function<CMakeTarget, Usage> property) {
    List<String> values = new ArrayList<>(property.apply(target).own);
    used.forEach(t -> values.addAll(property.apply(t).passed));
    return values;
  }

  /**
   * The values for one language, generator expressions evaluated.
   *
   * @param language {@code CUDA}, {@code CXX} or {@code C}
   * @throws IllegalStateException if there is one that was not checked when it was read
   */
  public static List<String> evaluate(List<String> entries, String language, String configuration) {
    try {
      return new GeneratorExpression(language, configuration).evaluate(entries);
    } catch (GeneratorExpression.Unknown e) {
      throw new IllegalStateException("not followed: " + e.getMessage(), e);
    }
  }
}
