package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Comments;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.HipGate;
import dev.rocport.rules.Confidence;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Ports device functions of the project that CUDA lacks, or lets a program redefine, and that the
 * HIP headers define: a second definition does not compile. Each rule with {@code analysis:
 * own-functions} lists signatures; {@code T} stands for the parameter of a function template.
 */
public final class OwnFunctionPass {
  private static final Set<String> LONG =
      Set.of("size_t", "uint64_t", "std::size_t", "std::uint64_t");

  /** What a project calls its macro for the attributes of device functions. */
  private static final Pattern DEVICE_MACRO = Pattern.compile("[A-Z][A-Z0-9_]*");

  private final Map<String, Rule> signatures = new HashMap<>();
  private final Map<Integer, Boolean> names = new HashMap<>();

  public OwnFunctionPass(RuleCatalog catalog) {
    for (Rule rule : catalog.rules()) {
      if (rule.analysis().equals("own-functions")) {
        for (String s : rule.functions()) {
          signatures.put(s.replace(" ", ""), rule);
          names.put(Tokens.hash(s.substring(0, s.indexOf('('))), true);
        }
      }
    }
  }

  public void run(CudaFile f) {
    Tokens t = f.t;
    for (int i = 1; i + 1 < t.count(); i++) {
      // A definition has its type in front; most calls stop here.
      if (t.is(i, '(') && t.isIdentifier(i - 1) && names.containsKey(t.hash(i - 1))) {
        int brace = t.match(i) + 1;
        if (t.isIdentifier(i - 2) && t.is(brace, '{') && t.match(brace) > 0) {
          definition(f, i - 1, t.match(brace));
        }
      }
    }
  }

  private void definition(CudaFile f, int i, int close) {
    Tokens t = f.t;
    int first = Statements.definitionStart(t, i);
    int device = -1;
    boolean host = false;
    for (int k = first; k < i; k++) {
      device = t.is(k, "__device__") ? k : device;
      host |= t.is(k, "__host__");
    }
    Rule rule = signatures.get(signature(t, first, i));
    boolean named = device < 0 && rule != null;
    device = named ? macro(f, first, i) : device;
    if (rule == null || device < 0 || f.regions.isDead(i) || !isGlobal(t, first)) {
      return;
    }
    if (!f.changes.allows(rule.id())) {
      return;
    }
    String name = t.text(i);
    if (named && isHost(f, device)) {
      f.changes.finding(
          rule.id(),
          Severity.ERROR,
          Disposition.UNPORTED,
          t.start(i),
          t.end(i),
          "%s is also defined by the HIP headers, and %s makes it a function for host and device"
              .formatted(name, t.text(device)),
          rule.advice());
      return;
    }
    if (rule.confidence() == Confidence.REVIEW || t.inDirective(i)) {
      f.changes.finding(
          rule.id(),
          Disposition.UNPORTED,
          t.start(i),
          t.end(i),
          name + " is also defined by the HIP headers");
      return;
    }
    if (host) {
      f.changes.edit(Edit.delete(t.start(device), Comments.behindBlanks(t, device), rule.id()));
    } else {
      HipGate.around(f, i, close, rule.id());
    }
    f.changes.finding(
        rule.id(),
        Disposition.PORTED,
        t.start(i),
        t.end(i),
        "under HIP, device code uses the HIP definition of " + name);
  }

  /** The macro that the file defines with {@code __device__}; -1 if there is none. */
  private static int macro(CudaFile f, int first, int i) {
    for (int k = first; k < i; k++) {
      if (DEVICE_MACRO.matcher(f.t.text(k)).matches()
          && definitions(f, k).anyMatch(d -> has(f, d, "__device__"))) {
        return k;
      }
    }
    return -1;
  }

  /** True if a definition of the macro leaves a function to the host: the port keeps that one. */
  private static boolean isHost(CudaFile f, int macro) {
    return definitions(f, macro).anyMatch(d -> has(f, d, "__host__") || !has(f, d, "__device__"));
  }

  private static Stream<Directive> definitions(CudaFile f, int macro) {
    return f.t.directives().stream()
        .filter(d -> d.name().equals("define") && f.t.is(d.body(), f.t.text(macro)));
  }

  private static boolean has(CudaFile f, Directive define, String attribute) {
    return IntStream.range(define.body(), define.last()).anyMatch(k -> f.t.is(k, attribute));
  }

  private static boolean isGlobal(Tokens t, int first) {
    int k = Scopes.enclosing(t, first);
    return k < 0 || t.is(k - 2, "extern");
  }

  /** Name and types, {@code atomicMax(float*,float)}. */
  private static String signature(Tokens t, int first, int i) {
    String parameter = "";
    if (t.is(first, "template")) {
      boolean one = t.is(first + 1, '<') && t.isIdentifier(first + 3) && t.is(first + 4, '>');
      parameter = one ? t.text(first + 3) : "";
      if (!one) {
        return "";
      }
    }
    StringBuilder s = new StringBuilder(t.text(i)).append('(');
    List<Arguments.Span> spans = Arguments.of(t, i + 1);
    for (Arguments.Span p : spans) {
      String type = type(t, p);
      s.append(s.charAt(s.length() - 1) == '(' ? "" : ",")
          .append(!parameter.isEmpty() && type.equals(parameter) ? "T" : type);
    }
    String signature = s.append(')').toString();
    boolean generic = signature.endsWith("(T,T)");
    return generic == parameter.isEmpty() ? "" : signature;
  }

  private static String type(Tokens t, Arguments.Span p) {
    StringBuilder s = new StringBuilder();
    boolean pointer = false;
    for (int k = p.first(); k <= p.last(); k++) {
      pointer |= t.is(k, '*');
    }
    boolean behind = false;
    for (int k = p.first(); k <= p.last(); k++) {
      boolean named = k == p.last() && k > p.first() && t.isIdentifier(k) && !isWord(t, k);
      boolean qualifier = t.is(k, "__restrict__") || (t.is(k, "const") && (!pointer || behind));
      behind |= t.is(k, '*');
      if (!named && !qualifier) {
        s.append(t.text(k));
      }
    }
    String type = s.toString();
    boolean star = type.endsWith("*");
    String base = star ? type.substring(0, type.length() - 1) : type;
    if (LONG.contains(base) || base.equals("unsignedlongint")) {
      base = "unsignedlong";
    }
    return star ? base + "*" : base;
  }

  private static boolean isWord(Tokens t, int k) {
    return t.is(k, "int")
        || t.is(k, "long")
        || t.is(k, "float")
        || t.is(k, "double")
        || t.is(k, "unsigned");
  }
}
