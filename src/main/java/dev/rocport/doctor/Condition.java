package dev.rocport.doctor;

import dev.rocport.io.InvalidFileException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** When a variable's value is worth a word: the column {@code when} of the table. */
@FunctionalInterface
interface Condition {
  Set<String> ON = Set.of("1", "true", "yes", "on", "y", "t");
  Set<String> OFF = Set.of("0", "false", "no", "off", "n", "f");

  /** Whether it holds for a variable of the machine. */
  boolean holds(String variable, Machine machine, Rocm rocm);

  /** Something about the value of a variable that is set. */
  @FunctionalInterface
  interface OfValue {
    boolean test(String value, Machine machine, Rocm rocm);
  }

  /**
   * Reads one.
   *
   * @param where file and line, for messages
   */
  static Condition of(String text, String where) {
    String[] words = text.split(" ", 2);
    String more = words.length == 2 ? words[1] : "";
    return switch (words[0]) {
      case "unset" -> (name, m, r) -> !m.isSet(name);
      case "set" -> value((v, m, r) -> !v.isEmpty());
      case "on" -> value((v, m, r) -> ON.contains(v.strip().toLowerCase(Locale.ROOT)));
      case "off" -> value((v, m, r) -> OFF.contains(v.strip().toLowerCase(Locale.ROOT)));
      case "is" -> matches(pattern(more, where));
      case "not" -> not(pattern(more, where));
      case "has" -> {
        Pattern p = pattern(more, where);
        yield value((v, m, r) -> p.matcher(v).find());
      }
      case "folder" -> value((v, m, r) -> !v.isEmpty() && !m.isFolder(v));
      case "gfx" -> value((v, m, r) -> isOther(v, r.architectures()));
      case "lacks-gfx" -> value((v, m, r) -> lacks(v, r.architectures()));
      case "differs" ->
          value((v, m, r) -> m.isSet(more) && !m.variable(more).strip().equals(v.strip()));
      default -> throw new InvalidFileException(where + ": no such condition: " + text);
    };
  }

  private static Condition value(OfValue test) {
    return (name, m, r) -> m.isSet(name) && test.test(m.variable(name), m, r);
  }

  private static Condition matches(Pattern p) {
    return value((v, m, r) -> p.matcher(v.strip()).matches());
  }

  private static Condition not(Pattern p) {
    return value((v, m, r) -> !v.isBlank() && !p.matcher(v.strip()).matches());
  }

  /** Does not hold if the GPUs of the machine are unknown: nothing indicates a problem there. */
  private static boolean isOther(String value, List<String> there) {
    Optional<String> named = Agents.gfxOfDotted(value);
    return !there.isEmpty() && !value.isBlank() && !named.map(there::contains).orElse(false);
  }

  private static boolean lacks(String value, List<String> there) {
    if (value.isBlank() || there.isEmpty()) {
      return false;
    }
    // A target may carry features: gfx90a:xnack+.
    List<String> named =
        Pattern.compile("[;, ]+")
            .splitAsStream(value.strip())
            .map(a -> a.replaceFirst(":.*", ""))
            .toList();
    return !named.containsAll(there);
  }

  private static Pattern pattern(String regex, String where) {
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new InvalidFileException(where + ": " + e.getDescription() + ": " + regex, e);
    }
  }
}
