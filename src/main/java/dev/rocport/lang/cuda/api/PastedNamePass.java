package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.MacroParameters;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ports CUDA names that {@code ##} puts together in a macro, such as {@code cublas##T##gemm}. Names
 * of HIP often differ from those of CUDA in the first part alone, which is then the only one that
 * changes.
 */
public final class PastedNamePass {
  static final String RULE = "API-PASTED";

  /**
   * Fewest names of CUDA that must have the parts. A project's own name, such as {@code
   * cuda##F##Kernel}, can have the parts of one or two.
   */
  private static final int LEAST = 3;

  private static final Pattern WORD = Pattern.compile("\\w+");

  private final CudaFile f;
  private final Tokens t;

  /** The uses of each macro of this file; filled when the first one is asked for. */
  private final Map<String, List<Integer>> uses = new HashMap<>();

  private PastedNamePass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    if (!f.changes.allows(RULE)) {
      return;
    }
    PastedNamePass pass = new PastedNamePass(f);
    for (Directive d : f.t.directives()) {
      if (d.name().equals("define") && !f.regions.isDead(d.first())) {
        pass.macro(d);
      }
    }
  }

  private void macro(Directive d) {
    List<String> parameters = MacroParameters.of(t, d);
    if (parameters.isEmpty()) {
      return;
    }
    for (int i = t.match(d.body() + 1) + 1; i < d.last(); i++) {
      List<Integer> parts = isPasted(i) ? parts(i, d) : List.of();
      if (parts.size() > 1) {
        name(d, parameters, parts);
        i = parts.getLast();
      }
    }
  }

  /** Returns the tokens that {@code ##} joins, beginning with one. */
  private List<Integer> parts(int first, Directive d) {
    List<Integer> parts = new ArrayList<>();
    int i = first;
    while (i < d.last() && WORD.matcher(t.text(i)).matches()) {
      parts.add(i);
      if (!isPasted(i)) {
        break;
      }
      i += 3;
    }
    return parts;
  }

  /** Whether {@code ##} joins a token to the next one. */
  private boolean isPasted(int i) {
    return t.is(i + 1, '#') && t.is(i + 2, '#');
  }

  private void name(Directive d, List<String> parameters, List<Integer> parts) {
    String first = t.text(parts.getFirst());
    if (isKnown(parts.getFirst())
        || parameters.contains(first)
        || parts.stream().noneMatch(p -> parameters.contains(t.text(p)))) {
      return;
    }
    List<ApiName> used = ofUses(d, parameters, parts);
    boolean any =
        used.isEmpty()
            && UnknownNames.isBeginning(first)
            && f.api.find(t, parts.getFirst()) == null; // cuda alone begins names of projects, too
    List<ApiName> names = any ? ofTable(parameters, parts) : used;
    SortedMap<String, Long> beginnings =
        names.stream()
            .flatMap(n -> beginning(n, first).stream())
            .collect(Collectors.groupingBy(b -> b, TreeMap::new, Collectors.counting()));
    String beginning =
        beginnings.isEmpty()
            ? ""
            : Collections.max(beginnings.entrySet(), Map.Entry.comparingByValue()).getKey();
    List<ApiName> others =
        names.stream().filter(n -> !beginning(n, first).equals(Optional.of(beginning))).toList();
    boolean edits =
        !beginning.isEmpty() && (any ? 2 * others.size() < names.size() : others.isEmpty());
    if (!names.isEmpty()) {
      f.dropped.add(parts.getFirst()); // known, though no name by itself
    }
    if (edits && !beginning.equals(first)) {
      f.changes.edit(
          Edit.replace(t.start(parts.getFirst()), t.end(parts.getFirst()), beginning, RULE));
      f.needsRuntime |= names.stream().anyMatch(n -> n.family().equals("API-RUNTIME"));
    }
    if (!others.isEmpty()) {
      tell(others.getFirst(), edits, parts);
    }
  }

  /** Whether a part is a name by itself, which ApiPass ports; {@code ##} makes no namespaces. */
  private boolean isKnown(int part) {
    ApiTable.Entry e = f.api.find(t, part);
    return e != null && (e.name == null ? e.qualified.isEmpty() : e.name.kind() != Kind.NAMESPACE);
  }

  /** Reports a name that the first part does not decide about. */
  private void tell(ApiName name, boolean edited, List<Integer> parts) {
    String target = f.api.target(name);
    f.changes.finding(
        RULE,
        edited ? Severity.WARNING : Severity.ERROR,
        edited ? Disposition.REVIEW : Disposition.UNPORTED,
        t.start(parts.getFirst()),
        t.end(parts.getLast()),
        (edited ? "the first part is ported, but ## can also make " : "## makes ")
            + name.cuda()
            + ", which "
            + (target.isEmpty() ? "has no counterpart" : "becomes " + target),
        f.api.rule(RULE).advice());
  }

  /** Returns what replaces the first part of a name, if nothing else of it changes. */
  private Optional<String> beginning(ApiName name, String first) {
    String rest = name.cuda().substring(first.length());
    String target = f.api.target(name);
    return target.endsWith(rest)
        ? Optional.of(target.substring(0, target.length() - rest.length()))
        : Optional.empty();
  }

  /** Returns the CUDA names for the arguments that the macro gets in this file. */
  private List<ApiName> ofUses(Directive d, List<String> parameters, List<Integer> parts) {
    Set<String> names = new TreeSet<>();
    for (int i : usesOf(t.text(d.body()))) {
      if (i != d.body()) {
        List<Arguments.Span> given = Arguments.of(t, i + 1);
        String name =
            parts.stream().map(p -> text(given, parameters, p)).collect(Collectors.joining());
        names.add(name);
      }
    }
    return names.stream().map(f.api::find).map(this::named).filter(Objects::nonNull).toList();
  }

  private List<Integer> usesOf(String macro) {
    if (uses.isEmpty()) { // one walk for all macros: large headers have thousands
      t.directives().stream()
          .filter(d -> d.name().equals("define"))
          .forEach(d -> uses.putIfAbsent(t.text(d.body()), new ArrayList<>()));
      for (int i = 0; i < t.count(); i++) {
        List<Integer> found = t.isIdentifier(i) && t.is(i + 1, '(') ? uses.get(t.text(i)) : null;
        if (found != null && t.match(i + 1) > 0) {
          found.add(i);
        }
      }
    }
    return uses.getOrDefault(macro, List.of());
  }

  /**
   * Returns a part of a name: for a parameter, the one word that is its argument, else a text in no
   * name.
   */
  private String text(List<Arguments.Span> given, List<String> parameters, int part) {
    int k = parameters.indexOf(t.text(part));
    if (k < 0) {
      return t.text(part);
    }
    return k < given.size() && given.get(k).first() == given.get(k).last()
        ? t.text(given.get(k).first())
        : " ";
  }

  /** Returns all CUDA names with these parts. */
  private List<ApiName> ofTable(List<String> parameters, List<Integer> parts) {
    String pattern =
        parts.stream()
            .map(t::text)
            .map(p -> parameters.contains(p) ? "\\w+" : Pattern.quote(p))
            .collect(Collectors.joining());
    List<ApiName> names =
        f.api.find(Pattern.compile(pattern)).stream()
            .map(this::named)
            .filter(Objects::nonNull)
            .filter(n -> !f.api.target(n).isEmpty()) // few of the others are used
            .toList();
    return names.size() < LEAST ? List.of() : names;
  }

  private @Nullable ApiName named(ApiTable.@Nullable Entry e) {
    ApiName name = e == null ? null : f.nameOf(e);
    return name == null || name.kind() == Kind.NAMESPACE || f.isOwn(name.cuda()) ? null : name;
  }
}
