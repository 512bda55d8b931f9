package dev.rocport.buildsystem.shared;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Recognises the language of a build file by its name, for languages that several classes share.
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

  /** Returns true for a CMake list file, module or template. */
  public static boolean isCMake(String path) {
    String name = name(path).toLowerCase(Locale.ROOT);
    return name.equals("cmakelists.txt") || name.endsWith(".cmake") || name.endsWith(".cmake.in");
  }

  /** Returns true for a makefile that is not an input of automake. */
  public static boolean isMakefile(String path) {
    String name = name(path);
    return MAKEFILE.matcher(name).matches()
        && !NO_MAKEFILE.matcher(name).matches()
        && !name.toLowerCase(Locale.ROOT).startsWith("makefile.am");
  }

  /** Returns true for file names of shell scripts. */
  public static boolean isShellScript(String path) {
    return SCRIPT.matcher(name(path)).matches();
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
