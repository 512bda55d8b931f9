package dev.rocport.lang.cuda.guard;

import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.symbols.Definition;
import dev.rocport.lang.cuda.symbols.Definition.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a project maps CUDA names to HIP itself: a header with many {@code #define cudaX hipX}, and
 * a branch for HIP that has these definitions or includes files of the project. Both are passed on
 * to the files after them in a translation unit as definitions whose names are no identifiers.
 */
public final class OwnMapping {
  /** So many definitions are a mapping; fewer can be stand-ins for single names. */
  private static final int MANY = 10;

  private static final String MAPS = "#maps";
  private static final String HIP = "#hip ";
  private static final String VERSION = "#version";

  /** Macros that are defined where a project is built for HIP, its own ones too. */
  private static final Pattern MACRO = Pattern.compile("(?:.*_)?(?:HIP|HIPCC|HCC|ROCM)(?:_.*)?");

  private static final Pattern CUDA_NAME = Pattern.compile("(?:cu[a-z]|CU)\\w+");

  private OwnMapping() {}

  /** Returns what a file adds to the mapping of its project. */
  public static List<Definition> in(Tokens t, ApiTable api) {
    List<Definition> found = new ArrayList<>();
    if (maps(t, 0, t.count())) {
      found.add(new Definition(MAPS, 0, Reach.INCLUDE));
    }
    if (t.directives().stream().anyMatch(d -> !(positive(t, d) + negative(t, d)).isEmpty())) {
      for (Chain chain : Regions.of(t).chains()) {
        Branch hip = branch(t, chain);
        if (hip != null && (includesOwn(t, hip) || maps(t, hip.from(), hip.to()))) {
          found.add(
              new Definition(HIP + condition(t, chain), includes(t, chain.to()), Reach.INCLUDE));
        }
      }
    }
    if (t.directives().stream().anyMatch(d -> definesVersion(t, d, api))) {
      found.add(new Definition(VERSION, 0, Reach.INCLUDE));
    }
    return found;
  }

  /**
   * Returns the conditions under which the project itself maps CUDA names to HIP, sorted; none if
   * it has no mapping.
   *
   * @param own the project's own names that a file sees
   */
  static List<String> conditions(Set<String> own) {
    return own.contains(MAPS)
        ? own.stream()
            .filter(n -> n.startsWith(HIP))
            .map(n -> n.substring(HIP.length()))
            .sorted()
            .toList()
        : List.of();
  }

  /** Returns whether the project may define a macro for the version of CUDA. */
  static boolean definesVersion(Set<String> own) {
    return own.contains(VERSION);
  }

  /** Returns whether a name is a macro for HIP. */
  static boolean isMacro(String name) {
    return MACRO.matcher(name).matches();
  }

  private static boolean definesVersion(Tokens t, Directive d, ApiTable api) {
    ApiTable.Entry e =
        d.name().equals("define") && t.isIdentifier(d.body()) ? api.find(t, d.body()) : null;
    return e != null && e.guard != null && e.guard.isVersion();
  }

  /** Returns whether many CUDA names are defined as names of HIP between two tokens. */
  private static boolean maps(Tokens t, int from, int to) {
    return t.directives().stream()
            .filter(d -> from <= d.first() && d.first() < to && isMapping(t, d))
            .limit(MANY)
            .count()
        == MANY;
  }

  private static boolean isMapping(Tokens t, Directive d) {
    int value = d.body() + 1;
    return d.name().equals("define")
        && value + 1 == d.last()
        && t.isIdentifier(value)
        && (t.text(value).startsWith("hip") || t.text(value).startsWith("HIP"))
        && CUDA_NAME.matcher(t.text(d.body())).matches();
  }

  private static boolean includesOwn(Tokens t, Branch b) {
    return t.directives().stream()
        .anyMatch(
            d ->
                d.isInclude()
                    && b.from() <= d.first()
                    && d.first() < b.to()
                    && t.kind(d.body()) == Tokens.STRING);
  }

  private static int includes(Tokens t, int end) {
    return (int) t.directives().stream().filter(d -> d.isInclude() && d.first() < end).count();
  }

  /**
   * The branch that each build for HIP takes: the first one, or the second of two if the first one
   * is for all other builds. Null if there is none, or if that depends on other macros.
   */
  private static @Nullable Branch branch(Tokens t, Chain chain) {
    List<Branch> branches = chain.branches();
    Directive first = branches.getFirst().directive();
    if (!positive(t, first).isEmpty()) {
      return branches.getFirst();
    }
    return branches.size() == 2 && chain.hasElse() && !negative(t, first).isEmpty()
        ? branches.get(1)
        : null;
  }

  /** The condition under which {@link #branch} is compiled. */
  private static String condition(Tokens t, Chain chain) {
    Directive first = chain.branches().getFirst().directive();
    String positive = positive(t, first);
    return positive.isEmpty() ? negative(t, first) : positive;
  }

  /** The condition of a directive that needs macros for HIP and nothing else; empty for others. */
  private static String positive(Tokens t, Directive d) {
    if (d.body() >= d.last()) {
      return "";
    }
    if (d.name().equals("ifdef")) {
      return isMacro(t.text(d.body())) ? "defined(" + t.text(d.body()) + ")" : "";
    }
    return d.name().equals("if") ? needs(t, d.body(), d.last()) : "";
  }

  /** In {@code #ifndef HIP} and {@code #if !defined(HIP)}, the condition for the other branch. */
  private static String negative(Tokens t, Directive d) {
    if (d.name().equals("ifndef") && d.body() < d.last()) {
      return isMacro(t.text(d.body())) ? "defined(" + t.text(d.body()) + ")" : "";
    }
    boolean not = d.name().equals("if") && t.is(d.body(), '!') && t.is(d.body() + 1, "defined");
    boolean bracket = not && t.is(d.body() + 2, '(');
    return not && d.last() == d.body() + (bracket ? 5 : 3) ? needs(t, d.body() + 1, d.last()) : "";
  }

  /** Names of macros for HIP, {@code defined}, brackets, {@code ||} and {@code &&}. */
  private static String needs(Tokens t, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      boolean operator = t.is(i, '|') || t.is(i, '&');
      if (t.is(i, "defined") && t.isIdentifier(i + 1) && i + 1 < to && isMacro(t.text(i + 1))) {
        text.append("defined(").append(t.text(++i)).append(')');
      } else if (operator && t.touches(i) && t.is(i + 1, t.text(i))) {
        text.append(' ').append(t.text(i)).append(t.text(++i)).append(' ');
      } else if (t.is(i, '(') || t.is(i, ')') || t.is(i, "defined")) {
        text.append(t.text(i));
      } else if (t.isIdentifier(i) && isMacro(t.text(i))) {
        text.append(t.text(i));
      } else {
        return "";
      }
    }
    return text.toString();
  }
}
