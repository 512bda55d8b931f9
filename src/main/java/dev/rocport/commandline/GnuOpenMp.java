package dev.rocport.commandline;

import java.util.List;
import java.util.regex.Pattern;

/**
 * GNU's OpenMP runtime among link flags. Clang links its own for {@code -fopenmp}, and a program
 * must have only one: each numbers only the threads that it has started.
 */
public final class GnuOpenMp {
  /** The flag that links it. */
  public static final String FLAG = "-lgomp";

  /** What clang links its own runtime for. */
  public static final String CLANG = "-fopenmp";

  static final String NAME = "gomp";
  static final String LEFT_OUT = "-fopenmp links the LLVM OpenMP runtime";

  private static final Pattern ASKED = Pattern.compile("(?<![\\w-])-fopenmp(?![\\w-])");

  private GnuOpenMp() {}

  /** Returns whether a word or text has {@code -fopenmp}, also as a value of {@code -Xcompiler}. */
  public static boolean isAsked(String text) {
    return ASKED.matcher(text).find();
  }

  /** Returns whether one of the words of a command line has {@code -fopenmp}. */
  static boolean isAsked(List<String> words) {
    return words.stream().anyMatch(GnuOpenMp::isAsked);
  }
}
