package dev.rocport.commandline;

import dev.rocport.commandline.NvccTables.Flag;
import dev.rocport.commandline.NvccTables.Value;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A word of an nvcc command line, with the next word if that is its value.
 *
 * @param flag its row; empty for inputs and for words that are not nvcc flags
 * @param spelled the flag as written, without its value
 * @param value empty if there is none
 * @param words number of words
 * @param plain the value is a separate word, or directly follows a short name, as other compilers
 *     accept it
 * @param missing whether a required value is missing
 */
record NvccArgument(
    Optional<Flag> flag, String spelled, String value, int words, boolean plain, boolean missing) {

  /**
   * Parses a word.
   *
   * @param next the word after it; null if it is the last
   */
  static NvccArgument of(String word, @Nullable String next) {
    if (!word.startsWith("-") || word.equals("-")) {
      return none(word);
    }
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    Optional<Flag> exact = NvccTables.flag(name);
    if (exact.isPresent() && exact.get().value() == Value.NONE) {
      return equals < 0 ? new NvccArgument(exact, word, "", 1, true, false) : none(word);
    }
    if (exact.isPresent()) {
      if (equals >= 0) {
        return new NvccArgument(exact, name, word.substring(equals + 1), 1, false, false);
      }
      return takesNext(exact.get(), next)
          ? new NvccArgument(exact, name, next == null ? "" : next, 2, true, false)
          : new NvccArgument(exact, name, "", 1, true, isNeeded(exact.get(), next));
    }
    for (Flag flag : NvccTables.flags()) {
      String prefix = "-" + flag.shortName();
      if (flag.value() == Value.JOINED
          && flag.shortName().length() == 1
          && word.startsWith(prefix)
          && !(flag.action().equals("drop") && !word.matches("-.\\d+"))) {
        String value = word.substring(prefix.length());
        return new NvccArgument(Optional.of(flag), prefix, value, 1, true, false);
      }
    }
    return none(word);
  }

  private static NvccArgument none(String word) {
    return new NvccArgument(Optional.empty(), word, "", 1, true, false);
  }

  private static boolean takesNext(Flag flag, @Nullable String next) {
    if (next == null) {
      return false;
    }
    return switch (flag.value()) {
      case NONE -> false;
      case BOOL -> next.equals("true") || next.equals("false");
      default -> !flag.action().equals("optimize") || next.matches("[0-4s]|max|min|fast");
    };
  }

  private static boolean isNeeded(Flag flag, @Nullable String next) {
    return next == null && flag.value() != Value.BOOL && !flag.action().equals("optimize");
  }
}
