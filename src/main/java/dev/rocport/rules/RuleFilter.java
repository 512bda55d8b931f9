package dev.rocport.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * {@code --only} and {@code --skip}: rule ids with {@code *} for any characters.
 *
 * @param only if not empty, only rules that one of these matches
 * @param skip rules that one of these matches are excluded
 */
public record RuleFilter(List<String> only, List<String> skip) {
  public static final RuleFilter ALL = new RuleFilter(List.of(), List.of());

  public boolean allows(String id) {
    return (only.isEmpty() || only.stream().anyMatch(p -> matches(p, id)))
        && skip.stream().noneMatch(p -> matches(p, id));
  }

  /** The same without a rule. */
  public RuleFilter without(String id) {
    List<String> more = new ArrayList<>(skip);
    more.add(id);
    return new RuleFilter(only, more);
  }

  private static boolean matches(String glob, String id) {
    int star = glob.indexOf('*');
    if (star < 0) {
      return glob.equals(id);
    }
    return star == glob.length() - 1
        ? id.startsWith(glob.substring(0, star))
        : Pattern.matches("\\Q" + glob.replace("*", "\\E.*\\Q") + "\\E", id);
  }
}
