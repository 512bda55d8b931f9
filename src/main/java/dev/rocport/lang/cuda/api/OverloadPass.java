package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Expression;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.HipGate;
import dev.rocport.lang.cuda.symbols.SharedNames;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds two functions, or specializations of one template, for CUDA types that are one type in HIP:
 * {@code check(cudaError_t)} and {@code check(CUresult)}. Removes the second if its ported body is
 * the same, or if both take an error code alone; reports a finding otherwise.
 */
public final class OverloadPass {
  static final String RULE = "OVERLOAD-SAME";
  static final String ERRORS = "OVERLOAD-ERRORS";
  static final String DIFFERENT = "OVERLOAD-CLASH";

  private static final Set<String> ERROR_CODES = Set.of("cudaError_t", "cudaError", "CUresult");

  private final CudaFile f;
  private final Tokens t;
  private final Map<String, Definition> seen = new HashMap<>();

  /** The first definitions of signatures in which names of the project stand for CUresult. */
  private final Map<String, Renamed> renamed = new HashMap<>();

  /** Whether the last text checked names a type that HIP names differently. */
  private boolean typed;

  /**
   * The first definition of a signature.
   *
   * @param cuda its original text
   * @param brace that of its body
   * @param at its position
   * @param cut whether the signature leaves out parameters with default values
   * @param initializes whether a constructor initializes members before its body
   */
  private record Definition(String cuda, int brace, int at, boolean cut, boolean initializes) {}

  /** A definition, and whether it uses another name of CUresult. */
  private record Renamed(int name, int close, boolean alias) {}

  private OverloadPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    OverloadPass pass = new OverloadPass(f);
    for (int i = 1; i < f.t.count(); i++) {
      if (f.t.is(i, '{') && !f.t.inDirective(i) && f.t.match(i) > i) {
        pass.body(i);
      }
    }
  }

  private void body(int brace) {
    int k = brace - 1;
    while (t.is(k, "const") || t.is(k, "noexcept") || t.is(k, "override") || t.is(k, "final")) {
      k--;
    }
    if (t.is(k, ')') && t.is(t.match(k) - 1, "noexcept")) {
      k = t.match(k) - 2;
    }
    k = behindParameters(k);
    if (t.is(k, ')')) {
      int open = t.match(k);
      int name = name(open);
      boolean headed = t.isIdentifier(name - 1) || t.is(name - 1, '*') || t.is(name - 1, '&');
      headed |= t.is(name - 1, '>') || t.isPair(name - 1, ':');
      boolean named = name > 0 && t.isIdentifier(name) && !Expression.isControlWord(t.text(name));
      if (named && (headed || Scopes.isInClass(t, name))) { // a constructor has no type
        definition(name, open, k, brace);
      }
    } else if (t.is(k, '>') && !t.is(k - 1, '-')) {
      int name = Angles.open(t, k) - 1;
      if (t.is(name - 1, "struct") || t.is(name - 1, "class")) {
        definition(name, k, k, brace);
      }
    }
  }

  /** The bracket that ends the parameters of a constructor, before what it initializes. */
  private int behindParameters(int last) {
    int k = last;
    while (t.is(k, ')') || t.is(k, '}')) {
      int name = t.match(k) - 1;
      name = t.is(name, '>') ? Angles.open(t, name) - 1 : name;
      while (t.isPair(name - 1, ':')) {
        name -= 2;
      }
      if (t.is(name - 1, ':')) {
        return t.is(name - 2, ')') ? name - 2 : last;
      }
      if (!t.isIdentifier(name) || !t.is(name - 1, ',')) {
        return last;
      }
      k = name - 2;
    }
    return last;
  }

  /** The name of a function before the bracket of its parameters; the word for operators. */
  private int name(int open) {
    for (int k = open - 1; k > 0 && k > open - 4 && !t.isIdentifier(k); k--) {
      if (t.is(k - 1, "operator")) {
        return k - 1;
      }
    }
    return t.is(open - 1, '>') ? Angles.open(t, open - 1) - 1 : open - 1;
  }

  private void definition(int name, int open, int close, int brace) {
    typed = false;
    String head = ported(name, open);
    List<Arguments.Span> parameters = Arguments.of(t, open);
    List<String> types = parameters.stream().map(this::type).toList();
    if (!f.project.shared().isEmpty() && !f.regions.isDead(name)) {
      aliases(name, close, types);
    }
    if (!typed || f.regions.isDead(name)) {
      return;
    }
    boolean initializes = t.is(close + 1, ':');
    boolean plain = close == brace - 1 || initializes;
    String place = place(name) + (plain ? "" : "const");
    String cuda = t.text(name, close);
    int least = (int) parameters.stream().takeWhile(p -> end(p) > p.last()).count();
    Definition first = null;
    boolean cut = false;
    for (int n = types.size(); n >= least; n--) {
      String signature = head + String.join(",", types.subList(0, n)) + place;
      boolean shorter = n < types.size();
      Definition made = new Definition(cuda, brace, name, shorter, initializes);
      Definition there = seen.putIfAbsent(signature, made);
      if (first == null && there != null) {
        first = there;
        cut = shorter || there.cut();
      }
    }
    if (first == null
        || types(first.at()).equals(types(name))
        || areAlternatives(first.at(), name)) {
      return;
    }
    boolean whole = !cut && !initializes && !first.initializes();
    boolean same = block(first.brace()).equals(block(brace));
    String rule = same ? RULE : ERRORS;
    boolean one = whole && (same || areOfErrors(first.at(), name));
    String gate = one ? gate(first.at(), name) : "";
    if (gate.isEmpty() || !f.changes.allows(rule)) {
      f.changes.finding(
          DIFFERENT,
          Disposition.UNPORTED,
          t.start(name),
          t.end(close),
          cuda
              + " and "
              + first.cuda()
              + (cut ? " accept the same calls in HIP" : " have the same parameter types in HIP"));
      return;
    }
    int end = t.match(brace);
    HipGate.around(f, name, t.is(end + 1, ';') ? end + 1 : end, gate, rule);
    if (!same) {
      f.changes.finding(
          ERRORS,
          Disposition.REVIEW,
          t.start(name),
          t.end(close),
          cuda + " is excluded from HIP builds, in which its calls use " + first.cuda());
    }
  }

  /** The block around a function, and its name. */
  private String place(int name) {
    int scope = Scopes.enclosing(t, name);
    int qualifier = name;
    while (t.isPair(qualifier - 1, ':')) {
      qualifier -= 2;
    }
    return scope + t.text(qualifier, name);
  }

  /** Reports overloads for cudaError_t and for a name that the project gives CUresult. */
  private void aliases(int name, int close, List<String> types) {
    boolean alias = types.stream().anyMatch(this::isAlias);
    if (!alias && types.stream().noneMatch(p -> p.contains("hipError_t"))) {
      return;
    }
    String ported =
        types.stream().map(p -> isAlias(p) ? "hipError_t " : p).collect(Collectors.joining(","));
    Renamed made = new Renamed(name, close, alias);
    Renamed first = renamed.putIfAbsent(place(name) + ported, made);
    if (first != null && first.alias() != alias) {
      clash(first, made);
      clash(made, first);
    }
  }

  /** Reports each of the two, because uses of either one fail. */
  private void clash(Renamed one, Renamed other) {
    f.changes.finding(
        DIFFERENT,
        Disposition.UNPORTED,
        t.start(one.name()),
        t.end(one.close()),
        t.text(one.name(), one.close())
            + " and "
            + t.text(other.name(), other.close())
            + " have the same parameter types in HIP");
  }

  private boolean isAlias(String type) {
    return f.project.shared().contains(SharedNames.result(type.strip()));
  }

  /** The ported type of a parameter. */
  private String type(Arguments.Span p) {
    int last = end(p) - 1;
    boolean named = last > p.first() && t.isIdentifier(last) && api(last) == null;
    return ported(p.first(), named ? last - 1 : last);
  }

  /** The token after a parameter, or the one before its default value. */
  private int end(Arguments.Span p) {
    int k = p.first();
    while (k <= p.last() && !t.is(k, '=')) {
      k = t.after(k);
    }
    return k;
  }

  /** True if two tokens are in different branches of one conditional. */
  private boolean areAlternatives(int a, int b) {
    return f.regions.chains().stream()
        .anyMatch(c -> holds(c, a) && holds(c, b) && !branchOf(c, a).equals(branchOf(c, b)));
  }

  /**
   * The condition under which HIP compiles the second of two definitions, if only the first keeps
   * it from doing so; empty if it cannot be written.
   */
  private String gate(int first, int second) {
    List<Regions.Chain> around =
        f.regions.chains().stream().filter(c -> holds(c, first) && !holds(c, second)).toList();
    if (around.isEmpty()) {
      return HipGate.CONDITION;
    }
    Directive d = branchOf(around.getFirst(), first).orElseThrow().directive();
    if (around.size() > 1 || !d.name().equals("ifdef")) {
      return "";
    }
    return HipGate.CONDITION + " || !defined(" + ported(d.body(), d.body()).strip() + ")";
  }

  private static boolean holds(Regions.Chain c, int i) {
    return branchOf(c, i).isPresent();
  }

  private static Optional<Regions.Branch> branchOf(Regions.Chain c, int i) {
    return c.branches().stream().filter(b -> i >= b.from() && i < b.to()).findFirst();
  }

  /** True if both functions have one parameter, an error code, and return the same. */
  private boolean areOfErrors(int a, int b) {
    return isOfError(a) && isOfError(b) && head(a).equals(head(b));
  }

  private boolean isOfError(int name) {
    List<Arguments.Span> parameters = t.is(name + 1, '(') ? Arguments.of(t, name + 1) : List.of();
    return parameters.size() == 1
        && IntStream.rangeClosed(parameters.getFirst().first(), parameters.getFirst().last())
            .anyMatch(i -> ERROR_CODES.contains(t.text(i)));
  }

  /** What comes before the name of a function: its specifiers and what it returns. */
  private String head(int name) {
    return t.text(Statements.definitionStart(t, name), name);
  }

  /** CUDA types in the head of a definition; equal heads are not a conflict of types. */
  private String types(int name) {
    StringBuilder s = new StringBuilder();
    for (int i = name; i < t.count() && !t.is(i, '{'); i++) {
      ApiName api = t.isIdentifier(i) ? api(i) : null;
      s.append(api == null ? "" : api.cuda() + ",");
    }
    return s.toString();
  }

  private String block(int brace) {
    return ported(brace, t.match(brace));
  }

  private String ported(int first, int last) {
    StringBuilder s = new StringBuilder();
    for (int i = first; i <= last; i++) {
      ApiName name = t.isIdentifier(i) ? api(i) : null;
      s.append(name == null ? t.text(i) : f.api.target(name)).append(' ');
    }
    return s.toString();
  }

  private @org.jspecify.annotations.Nullable ApiName api(int i) {
    ApiTable.Entry e = f.api.find(t, i);
    ApiName name = e == null ? null : f.nameOf(e);
    if (name == null || f.api.target(name).isEmpty() || f.isOwn(name.cuda(), i)) {
      return null;
    }
    typed |= name.kind() == Kind.TYPE || name.kind() == Kind.TYPEDEF;
    return name;
  }
}
