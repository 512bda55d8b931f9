package dev.rocport.lang.python;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Rule;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the operands of collectives on symmetric memory are in symmetric memory, especially
 * if {@code torch.compile} allocates them. The rule of {@code analysis: python-symmetric} lists the
 * collectives, as {@link Collective} reads them; the one of {@code python-multicast} those that
 * ROCm has not, each with what has the same arguments there.
 */
final class SymmetricPass {
  private static final String RULE = "PY-SYMM-MEM";
  private static final String WRITE = "PY-SYMM-MEM-WRITE";
  private static final String OPS = "torch.ops.symm_mem.";
  private static final String SEEN = " (torch 2.13, 2.14)";

  private final PythonWork w;
  private final PythonModules modules;

  /** Operators of this file whose results a port cannot let be allocated there. */
  private Set<String> refused = Set.of();

  SymmetricPass(PythonWork w) {
    this.w = w;
    this.modules = w.modules();
  }

  void run() {
    String text = new String(w.file().bytes(), StandardCharsets.ISO_8859_1);
    if (!text.contains("symm_mem") && !(text.contains("torch") && text.contains("library"))) {
      return;
    }
    w.rules("python-multicast").forEach(this::multicast);
    SymmetricUses uses = modules.symmetric(known());
    Set<String> left = new SymmetricRegistration(w, uses.arguments()).run(uses.operators(w.tree()));
    refused = new SymmetricResults(w, uses).run();
    for (At at : w.tree().all()) {
      if (at.node() instanceof Expr.Call c) {
        Collective collective = uses.of(c, at);
        if (collective != null && !left.contains(collective.name())) {
          arguments(collective, c, at, uses);
        }
      }
    }
  }

  /** The collectives of PyTorch by name. */
  private Map<String, Collective> known() {
    Map<String, Collective> known = new LinkedHashMap<>();
    for (Rule rule : w.catalog().rules()) {
      if (rule.analysis().equals("python-symmetric")) {
        rule.functions().stream()
            .map(Collective::of)
            .forEach(c -> known.put(Producers.OPS + c.name(), c));
      }
    }
    return known;
  }

  // ---- inputs

  private void arguments(Collective op, Expr.Call c, At at, SymmetricUses uses) {
    Producers producers = uses.producers();
    Stmt.Function in = Compiled.function(at);
    Compiled.Root root = modules.compiled().root(in);
    if (in != null && isOperator(in, at)) {
      return; // its own arguments are what it is given where it is called
    }
    for (Collective.Parameter p : op.parameters()) {
      Expr given = p.symmetric() ? op.given(c, p) : null;
      if (given == null) {
        continue;
      }
      Producer from = null;
      Told worst = null;
      for (Producer producer : producers.of(given, at)) {
        Told told =
            (root == null ? eager(producer, producers) : compiled(op, p, producer, root, uses))
                .orElse(null);
        if (told != null && (worst == null || told.severity().compareTo(worst.severity()) > 0)) {
          from = producer;
          worst = told;
        }
      }
      if (from != null && worst != null) {
        report(op, p, given, in, root, from, worst);
      }
    }
  }

  /** True in the body of an operator: compiled functions call it as a whole. */
  private boolean isOperator(Stmt.Function f, At at) {
    return f.decorators().stream()
        .map(d -> d instanceof Expr.Call c ? c.function() : d)
        .anyMatch(d -> w.qualified(d, at).startsWith("torch.library."));
  }

  /** A message about an input. */
  private record Told(String rule, Severity severity, String text) {}

  private static Optional<Told> told(Severity severity, String text) {
    return Optional.of(new Told(RULE, severity, text));
  }

  /** Without a compiler, memory is symmetric only if the program allocates it so. */
  private static Optional<Told> eager(Producer producer, Producers producers) {
    return Producers.isOrdinary(producer) && !producers.isInPool(producer.at())
        ? told(
            Severity.WARNING,
            "no code here allocates it in symmetric memory; unless torch.compile compiles the"
                + " calling function, the call fails")
        : Optional.empty();
  }

  private Optional<Told> compiled(
      Collective op,
      Collective.Parameter p,
      Producer producer,
      Compiled.Root root,
      SymmetricUses uses) {
    if (producer instanceof Producer.Symmetric) {
      return Optional.empty();
    }
    if (producer instanceof Producer.Custom x && !p.left() && !root.dynamic()) {
      Optional<Told> ported = ported(op, uses.remedy(x.operator()), x.operator(), root);
      if (ported.isPresent()) {
        return ported;
      }
    }
    if (op.breaks()) {
      return breaks(producer, root);
    }
    if (p.left()) {
      return producer instanceof Producer.Outside && !Producers.isOrdinary(producer)
          ? Optional.empty()
          : told(
              Severity.WARNING,
              "Inductor leaves this argument in ordinary memory"
                  + SEEN
                  + ", so the call fails; allocate the tensor in symmetric memory outside the"
                  + " compiled function");
    }
    if (root.dynamic()) {
      return told(
          Severity.WARNING,
          "with dynamic=True its shape is symbolic, and Inductor allocates no symmetric buffer for"
              + " it: the compilation fails"
              + SEEN);
    }
    boolean owned = producer instanceof Producer.BuiltIn;
    if (!owned && !(producer instanceof Producer.Unknown) && p.written() && op.copies()) {
      return Optional.of(
          new Told(
              WRITE,
              Severity.ERROR,
              "Inductor makes the operator write to a copy, and the result is lost without an"
                  + " error, even if the tensor is symmetric"
                  + SEEN));
    }
    return op.copies() ? lowered(producer) : registered(producer);
  }

  /** Results of operators that the port lets be allocated in symmetric memory. */
  private Optional<Told> ported(
      Collective op, SymmetricUses.Remedy remedy, String operator, Compiled.Root root) {
    if (refused.contains(operator)) {
      return Optional.empty();
    }
    if (remedy == SymmetricUses.Remedy.OUT && !op.breaks() && w.allows(SymmetricResults.OUT)) {
      return told(
          Severity.NOTE,
          "on ROCm, the port gives "
              + operator
              + " an out variant, so that Inductor allocates its result in symmetric memory if"
              + " its shape is static"
              + SEEN);
    }
    boolean left = op.breaks() ? !root.whole() : !op.copies();
    if (remedy == SymmetricUses.Remedy.POOL && left && w.allows(SymmetricResults.POOL)) {
      return told(
          Severity.NOTE,
          "on ROCm, the port runs " + operator + " with the memory pool of symmetric memory");
    }
    return Optional.empty();
  }

  /** Operators that Inductor knows: it allocates the input itself, or copies it. */
  private static Optional<Told> lowered(Producer producer) {
    return switch (producer) {
      case Producer.BuiltIn b ->
          told(
              Severity.NOTE,
              "Inductor allocates this tensor in symmetric memory itself if its shape is static"
                  + SEEN
                  + "; torch versions without Library.register_symm_mem_args may not do so");
      case Producer.Custom x ->
          told(
              Severity.WARNING,
              "Inductor does not allocate the result of "
                  + x.operator()
                  + " in symmetric memory; instead, an additional kernel copies it into a symmetric"
                  + " buffer"
                  + SEEN
                  + ". Older versions of torch fail. An out variant of the operator needs no copy");
      case Producer.Outside x ->
          told(
              Severity.NOTE,
              "Inductor does not own "
                  + x.name()
                  + " and copies it into a symmetric buffer at each call, even if it is"
                  + " symmetric already"
                  + SEEN
                  + "; older versions fail");
      case Producer.Unknown x -> unseen();
      case Producer.Symmetric x -> Optional.empty();
    };
  }

  /** Operators that are registered: nothing is copied. */
  private static Optional<Told> registered(Producer producer) {
    return switch (producer) {
      case Producer.Custom x ->
          told(
              Severity.WARNING,
              "Inductor does not allocate the result of "
                  + x.operator()
                  + " in symmetric memory, and for a registered operator it only prints a warning"
                  + SEEN
                  + ": the call fails unless "
                  + x.operator()
                  + " allocates its result under torch.cuda.use_mem_pool(get_mem_pool(device)) of"
                  + " torch.distributed._symmetric_memory");
      case Producer.Unknown x -> unseen();
      case Producer.Outside x when x.ordinary() != null ->
          told(
              Severity.WARNING,
              "Inductor does not own it and does not copy it for a registered operator"
                  + SEEN
                  + ": the call fails. Allocate it with empty of"
                  + " torch.distributed._symmetric_memory");
      default -> Optional.empty();
    };
  }

  private static Optional<Told> unseen() {
    return told(
        Severity.NOTE,
        "its allocation is not visible here: check that a PyTorch operator allocates it, or that it"
            + " is in symmetric memory");
  }

  /** Operators that cannot be traced: a graph ends before them. */
  private static Optional<Told> breaks(Producer producer, Compiled.Root root) {
    if (Producers.isOrdinary(producer)) {
      return told(
          Severity.WARNING,
          "torch.compile cannot trace the operator, so the graph breaks before it"
              + SEEN
              + ", and the tensor arrives in ordinary memory: the call fails. Use"
              + " one_shot_all_reduce, which can be traced, or copy the tensor into a"
              + " symm_mem.empty buffer that was allocated outside the compiled function");
    }
    return root.whole()
        ? told(
            Severity.WARNING,
            "torch.compile cannot trace the operator, and fullgraph=True makes that an error"
                + SEEN)
        : Optional.empty();
  }

  private void report(
      Collective op,
      Collective.Parameter p,
      Expr given,
      Stmt.@Nullable Function in,
      Compiled.@Nullable Root root,
      Producer producer,
      Told told) {
    if (!w.allows(told.rule()) || w.tree().isDecided(w.tree().at(given))) {
      return;
    }
    String message =
        op.shortName()
            + " needs "
            + p.name()
            + " in symmetric memory"
            + where(in, root)
            + "; "
            + text(given)
            + " comes from "
            + origin(producer)
            + ": "
            + told.text();
    Rule rule = w.catalog().require(told.rule());
    w.changes()
        .finding(
            told.rule(),
            told.severity(),
            Disposition.REVIEW,
            given.start(),
            given.end(),
            message,
            rule.advice());
  }

  private String where(Stmt.@Nullable Function in, Compiled.@Nullable Root root) {
    if (in == null || root == null) {
      return "";
    }
    String by =
        Compiled.isSame(root.function(), in)
            ? ""
            : " through " + root.function().name() + ", " + line(root.function());
    return ", compiled with " + in.name() + by;
  }

  private String origin(Producer producer) {
    String what =
        switch (producer) {
          case Producer.Outside o -> o.name() + ", passed in from outside";
          case Producer.Custom c -> "the operator " + c.operator();
          default -> text(producer.at());
        };
    String from =
        producer instanceof Producer.Outside o && o.ordinary() != null
            ? ", which is " + origin(o.ordinary())
            : "";
    return what + " (" + line(producer.at()) + ")" + from;
  }

  private String line(Node n) {
    return modules.tree(modules.at(n)).line(n);
  }

  private String text(Node n) {
    String text = modules.tree(modules.at(n)).text(n).replaceAll("\\s+", " ");
    return text.length() > 60 ? text.substring(0, 57) + "..." : text;
  }

  // ---- multicast

  /** Replaces NVLink multicast operators with other collectives on ROCm, or reports them. */
  private void multicast(Rule rule) {
    Map<String, String> instead = new LinkedHashMap<>();
    for (String f : rule.functions()) {
      String[] words = f.split(" ", 2);
      instead.put(OPS + words[0], words.length > 1 ? words[1] : "");
    }
    OperatorNames operators = new OperatorNames(modules);
    for (At at : w.tree().all()) {
      if (!(at.node() instanceof Expr x) || isInside(at)) {
        continue;
      }
      String name = x instanceof Expr.Call || PythonWork.names(x, at) ? operators.of(x, at) : "";
      if (instead.containsKey(name) && !(x instanceof Expr.Name) && !asksMulticast(at)) {
        replace(x, at, name, instead.getOrDefault(name, ""), rule.id());
      }
    }
  }

  private void replace(Expr x, At at, String name, String other, String rule) {
    String old = name.substring(OPS.length());
    String text = w.tree().text(x);
    boolean used =
        at.parent() != null
            && (at.parent().node() instanceof Stmt.Assign
                || (at.parent().node() instanceof Expr.Call c && c.function() == x));
    if (!other.isEmpty() && used && x instanceof Expr.Attribute && text.contains("." + old)) {
      w.gate(x, text.replace("." + old, "." + other), rule, old);
    } else {
      String use = other.isEmpty() ? "" : "; " + other + " takes the same arguments";
      w.review(x, rule, old + " uses NVLink multicast, which ROCm does not have" + use);
    }
  }

  /** True for a part of a longer name, which is handled as a whole. */
  private static boolean isInside(At at) {
    return at.parent() != null && at.parent().node() instanceof Expr.Attribute;
  }

  /** True if the program checks for multicast: it is not available on ROCm. */
  private boolean asksMulticast(At at) {
    Node below = at.node();
    for (At a = at.parent(); a != null; below = a.node(), a = a.parent()) {
      Expr condition =
          switch (a.node()) {
            case Stmt.If i -> i.condition();
            case Expr.Conditional c -> c.condition();
            default -> null;
          };
      if (condition != null
          && condition != below
          && w.tree().text(condition).matches("(?is).*(multicast|nvls).*")) {
        return true;
      }
    }
    return false;
  }
}
