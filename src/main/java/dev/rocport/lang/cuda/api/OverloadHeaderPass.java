package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.ObjectTypes;
import dev.rocport.lang.cuda.symbols.ObjectTypes.Known;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Includes rocport headers that overload functions of HIP: each rule with {@code analysis:
 * overload-headers} lists functions and the types of which a file mentions one.
 */
public final class OverloadHeaderPass {
  /** What HIP's atomic functions and loads accept. */
  private static final Set<String> NUMBERS =
      Set.of("int", "unsigned", "float", "double", "uint32_t", "int32_t", "uint64_t");

  private final List<Rule> rules;

  public OverloadHeaderPass(RuleCatalog catalog) {
    rules = catalog.rules().stream().filter(r -> r.analysis().equals("overload-headers")).toList();
  }

  public void run(CudaFile f) {
    for (Rule rule : rules) {
      boolean candidate = !f.isC() && f.t.mentions(rule.functions()) && f.t.mentions(rule.where());
      boolean named = candidate && (namesType(f, rule) || computesIn(f, rule));
      int call = named ? call(f, rule) : -1;
      if (call >= 0 && f.changes.allows(rule.id())) {
        String header = Objects.requireNonNull(f.api.shim(rule.id()));
        f.shims.add(header);
        f.changes.finding(
            rule.id(),
            Disposition.PORTED,
            f.t.start(call),
            f.t.end(call),
            "rocport/" + header + " overloads " + f.t.text(call));
      }
    }
  }

  /** True if code that HIP compiles uses one of the names as a type. */
  private static boolean namesType(CudaFile f, Rule rule) {
    return IntStream.range(0, f.t.count())
        .anyMatch(
            i ->
                f.t.isIdentifier(i)
                    && rule.where().contains(f.t.text(i))
                    && isType(f.t, i)
                    && !f.regions.isDead(i));
  }

  /**
   * True if a matrix product has one of the names as its compute type, the last argument but one;
   * the same names as types of the matrices need no overload.
   */
  private static boolean computesIn(CudaFile f, Rule rule) {
    Tokens t = f.t;
    return IntStream.range(0, t.count() - 1)
        .filter(i -> t.isIdentifier(i) && t.text(i).startsWith("cublasGemm") && t.is(i + 1, '('))
        .filter(i -> rule.functions().contains(t.text(i)) && !f.regions.isDead(i))
        .mapToObj(i -> Arguments.of(t, i + 1))
        .filter(a -> a.size() > 1)
        .map(a -> a.get(a.size() - 2))
        .anyMatch(a -> a.first() == a.last() && rule.where().contains(t.text(a.first())));
  }

  /** {@code half} may also be a variable. */
  private static boolean isType(Tokens t, int i) {
    boolean declares = t.isIdentifier(i + 1);
    boolean points = (t.is(i + 1, '*') || t.is(i + 1, '&')) && !t.is(i - 1, '=');
    boolean argument = t.is(i - 1, '<') && (t.is(i + 1, '>') || t.is(i + 1, ','));
    return declares || points || argument;
  }

  /**
   * The first call of one of the functions whose first argument is not known to have another type;
   * -1 if there is none.
   */
  private int call(CudaFile f, Rule rule) {
    Tokens t = f.t;
    ObjectTypes types = new ObjectTypes(t);
    for (int i = 0; i + 1 < t.count(); i++) {
      boolean named = t.is(i + 1, '(') && t.isIdentifier(i) && rule.functions().contains(t.text(i));
      if (named && HostMathPass.isCall(f, i) && !isOther(f, types, i + 1, rule)) {
        return i;
      }
    }
    return -1;
  }

  /** True if the first argument is an object of a type for which the rule has no overload. */
  private boolean isOther(CudaFile f, ObjectTypes types, int open, Rule rule) {
    Tokens t = f.t;
    List<Arguments.Span> arguments = Arguments.of(t, open);
    String function = t.text(open - 1);
    boolean byFirst = function.startsWith("atomic") || function.equals("__ldg");
    if (!byFirst || arguments.isEmpty()) {
      return false;
    }
    Arguments.Span a = arguments.getFirst();
    int first = t.is(a.first(), '&') ? a.first() + 1 : a.first();
    return types.startOfObject(a.last()) == first
        && types.ofObject(a.last()) instanceof Known k
        && !rule.where().contains(k.name())
        && (NUMBERS.contains(k.name())
            || rules.stream().anyMatch(r -> r.where().contains(k.name())));
  }
}
