package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds the members that classes declare for the device without defining them: another file may
 * define them, and name fewer execution spaces there.
 */
public final class MemberSpaces {
  private static final String BOTH = "both ";
  private static final String DEVICE = "device ";
  private static final Set<String> ACCESS = Set.of("public", "private", "protected");
  private static final Set<String> OTHERS =
      Set.of("template", "friend", "operator", "typedef", "using", "__global__", "=");

  private MemberSpaces() {}

  /** Returns the entries of a file for the index of the project. */
  static SortedSet<String> in(Tokens t) {
    SortedSet<String> entries = new TreeSet<>();
    if (!t.mentions("__device__")) {
      return entries;
    }
    for (int i = 0; i < t.count(); i++) {
      if ((t.is(i, "struct") || t.is(i, "class")) && !t.inDirective(i)) {
        int open = InitializedClasses.body(t, i);
        if (open > 0) {
          members(t, open, t.text(InitializedClasses.name(t, i, open)), entries);
        }
      }
    }
    return entries;
  }

  /**
   * Returns whether all members of this name and number of parameters that classes of this name
   * declare for the device are also for the host.
   *
   * @param shared the entries of all files
   * @param member class, name and number of parameters, as in {@code Ellipse::grow/1}
   */
  public static boolean areForBoth(Collection<String> shared, String member) {
    return shared.contains(BOTH + member) && !shared.contains(DEVICE + member);
  }

  private static void members(Tokens t, int open, String type, Set<String> entries) {
    int close = t.match(open);
    int start = open + 1;
    for (int i = start; i < close; i = t.after(i)) {
      if (t.is(i, ';')) {
        declaration(t, start, i, type, entries);
      }
      boolean access = t.is(i, ':') && ACCESS.contains(t.text(i - 1));
      start = t.is(i, ';') || access ? i + 1 : t.is(i, '{') ? t.after(i) : start;
    }
  }

  private static void declaration(Tokens t, int start, int end, String type, Set<String> entries) {
    boolean host = false;
    boolean device = false;
    int open = -1;
    for (int i = start; i < end; i = t.after(i)) {
      if (t.inDirective(i) || OTHERS.contains(t.text(i))) {
        return;
      }
      host |= t.is(i, "__host__");
      device |= t.is(i, "__device__");
      open = open < 0 && t.is(i, '(') ? i : open;
    }
    if (device && open > start && t.isIdentifier(open - 1) && !t.is(open - 2, '~')) {
      int parameters = Arguments.of(t, open).size();
      entries.add((host ? BOTH : DEVICE) + type + "::" + t.text(open - 1) + "/" + parameters);
    }
  }
}
