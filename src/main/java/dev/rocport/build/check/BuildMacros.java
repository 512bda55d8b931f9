package dev.rocport.build.check;

import dev.rocport.core.result.FileResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The macros that the build files of a tree define, and the standard of C++ that they select. */
public final class BuildMacros {
  /**
   * Comments of make, CMake, shells, Python, Meson and Bazel, and those of M4. Possessive, because
   * Java repeats groups by recursion otherwise, and lines can be long.
   */
  private static final Pattern COMMENT =
      Pattern.compile(
          "#\\[(=*)\\[(?s:.*?)\\]\\1\\]|(?m:^|(?<=\\s))(?:#|dnl\\s)(?:\\\\\\R|[^\\r\\n])*+");

  private static final Pattern DEFINE = Pattern.compile("(?<![\\w-])-D\\s?([A-Za-z_]\\w*)");

  /** The macros of an extension in {@code setup.py}: {@code define_macros=[("NAME", None)]}. */
  private static final Pattern LISTED = Pattern.compile("define_macros\\s*=\\s*\\[([^\\]]*)\\]");

  private static final Pattern FIRST = Pattern.compile("\\(\\s*[\"']([A-Za-z_]\\w*)[\"']");

  /** The first part of a name such as {@code _GEM_USE_CUDA}, alone or after {@code -D}. */
  private static final Pattern PREFIX = Pattern.compile("(?:(?<!\\w)|(?<=-D))_[A-Za-z0-9]+_");

  /** A standard of C++. */
  private static final Pattern STANDARD =
      Pattern.compile(
          "(?:(?:CXX|CUDA|HIP)_STANDARD\\s+|c(?:xx|uda)_std_|-std[= ](?:c|gnu)\\+\\+"
              + "|cpp_std=(?:c|gnu)\\+\\+)(1[1-7a-z]|2[036ab])\\b");

  /** The standard for which a build needs no flag here. */
  private static final String DEFAULT = "17";

  private final Set<String> macros = new HashSet<>();

  /** The macros that files outside copies of other projects define. */
  private final Set<String> own = new HashSet<>();

  private String standard = "";
  private String ofCopies = "";
  private final Set<String> prefixes = new HashSet<>();

  /**
   * @param root the ported tree
   * @param ported the results of the port
   * @param name the path in the ported tree of a file of the original
   */
  public BuildMacros(Path root, Collection<FileResult> ported, UnaryOperator<String> name)
      throws IOException {
    for (FileResult file : ported) {
      Path path = root.resolve(name.apply(file.path()));
      boolean setup = file.path().endsWith("setup.py");
      if ((setup || file.language().equals("build")) && Files.isRegularFile(path)) {
        String text = Files.readString(path, StandardCharsets.ISO_8859_1);
        String code = COMMENT.matcher(text).replaceAll("");
        Set<String> here = new HashSet<>();
        DEFINE.matcher(code).results().forEach(m -> here.add(m.group(1)));
        LISTED
            .matcher(setup ? code : "")
            .results()
            .flatMap(m -> FIRST.matcher(m.group(1)).results())
            .forEach(m -> here.add(m.group(1)));
        macros.addAll(here);
        String newest = newest(code);
        if (Copies.has(file.path())) {
          ofCopies = later(ofCopies, newest);
        } else {
          own.addAll(here);
          standard = later(standard, newest);
        }
        PREFIX.matcher(code).results().forEach(m -> prefixes.add(m.group()));
      }
    }
  }

  /** Returns the newest standard of C++ in a build file; empty if it names none. */
  private static String newest(String code) {
    return STANDARD
        .matcher(code)
        .results()
        .map(m -> m.group(1).replaceFirst("1[a-z]", "17").replace('a', '0').replace('b', '3'))
        .reduce("", BuildMacros::later);
  }

  private static String later(String a, String b) {
    return a.compareTo(b) < 0 ? b : a;
  }

  /**
   * Returns whether a macro belongs to the project. Compilers and systems reserve a leading
   * underscore, so build files must have such a macro, or one that begins like it.
   */
  public boolean isOfProject(String macro) {
    return !macro.startsWith("_") || prefixes.stream().anyMatch(macro::startsWith);
  }

  /** Returns whether a build file defines a macro, for whatever unit. */
  public boolean defines(String name) {
    return macros.contains(name);
  }

  /** Returns the same for the build files that are not part of a copy of another project. */
  public boolean definesItself(String name) {
    return own.contains(name);
  }

  /**
   * Returns the newest standard of C++ that a build file selects, if it is newer than C++17. Those
   * in folders of copies count only if no other file selects one.
   */
  public Optional<String> standard() {
    String selected = standard.isEmpty() ? ofCopies : standard;
    return selected.compareTo(DEFAULT) <= 0 ? Optional.empty() : Optional.of("gnu++" + selected);
  }
}
