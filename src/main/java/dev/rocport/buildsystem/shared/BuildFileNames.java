package dev.rocport.buildsystem.shared;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Tells the language of a build file by its name, for those languages that several classes ask
 * about.
 */
public final class BuildFileNames {
  private static final Pattern MAKEFILE =
      Pattern.compile(
          "(?i)(gnu)?makefile([._-].+)?|make\\.(inc|def|defs|config|conf|common|rules|sys|arch|macros)"
              + "|.+\\.(mk|mak|make)|makefile\\.inc");
  private static final Pattern NO_MAKEFILE =
      Pattern.compile("(?i).*\\.(am|in|nmake|vc|msvc|bak|orig|win|py|txt|md|cmake|sh|ac|m4|rej)");
  private static final Pattern SCRIPT = Pattern.compile("(?i).+\\.(sh|bash|ksh|zsh)");

  private BuildFileNames() {}

  /** True for a list, a module, or a template of CMake. */
  public static boolean isCMake(String path) {
    String name = name(path).toLowerCase(Locale.ROOT);
    return name.equals("cmakelists.txt") || name.endsWith(".cmake") || name.endsWith(".cmake.in");
  }

  /** True for a makefile, unless automake reads it. */
  public static boolean isMakefile(String path) {
    String name = name(path);
    return MAKEFILE.matcher(name).matches()
        && !NO_MAKEFILE.matcher(name).matches()
        && !name.toLowerCase(Locale.ROOT).startsWith("makefile.am");
  }

  /** True for the names that shell scripts have. */
  public static boolean isShellScript(String path) {
    return SCRIPT.matcher(name(path)).matches();
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
