package dev.rocport.warp.schedule;

import dev.rocport.core.source.SourceFile;
import dev.rocport.warp.schedule.Function.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.cdt.core.dom.ast.IASTASMDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEnumerationSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;
import org.jspecify.annotations.Nullable;

/** The device code of a file, and the facts that its functions share. */
final class File {
  private static final Pattern TILE = Pattern.compile("tiled_partition<(\\w+)");

  final Text text;
  final List<Function> functions;
  final Map<String, List<Function>> byName;
  final Map<String, List<Call>> calls;
  private final Map<String, IASTNode> constants = new HashMap<>();
  private final IdentityHashMap<Function, Lanes> lanes = new IdentityHashMap<>();
  private final Map<String, List<IASTNode>> launches = new HashMap<>();
  private final Set<String> called = new HashSet<>();
  private final Set<String> open = new HashSet<>();

  /** Variables that threads share: in shared memory, of the device, volatile ones. */
  private final Set<String> shared = new HashSet<>();

  File(SourceFile source, IASTTranslationUnit unit) {
    this.text = new Text(source);
    Nodes nodes = Nodes.of(unit);
    this.functions = Function.in(nodes, text);
    this.byName = Function.byName(functions);
    this.calls = Function.calls(functions, byName);
    for (Function f : functions) {
      for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
        called.add(Ast.callee(c));
      }
    }
    if (functions.isEmpty()) {
      return;
    }
    // A launch is a call of a call: k(grid, block)(arguments).
    for (IASTFunctionCallExpression c : nodes.all(IASTFunctionCallExpression.class)) {
      if (Ast.bare(c.getFunctionNameExpression()) instanceof IASTFunctionCallExpression launch
          && Ast.arguments(launch).length >= 2) {
        launches
            .computeIfAbsent(Ast.callee(launch), k -> new ArrayList<>())
            .add(Ast.arguments(launch)[1]);
      }
    }
    for (IASTSimpleDeclaration d : nodes.all(IASTSimpleDeclaration.class)) {
      int from = text.before(d);
      int end = text.end(d.getDeclSpecifier());
      if (text.holds("__shared__", from, end)
          || text.holds("volatile", from, end)
          || text.holds("__device__", from, end)) {
        for (IASTDeclarator v : d.getDeclarators()) {
          if (v.getPointerOperators().length == 0) {
            shared.add(Ast.simple(v.getName()));
          }
        }
      }
      if (d.getDeclSpecifier().isConst()
          || text.holds("const", text.start(d.getDeclSpecifier()), end)) {
        for (IASTDeclarator v : d.getDeclarators()) {
          if (v.getInitializer() instanceof IASTEqualsInitializer e) {
            constants.putIfAbsent(Ast.simple(v.getName()), e.getInitializerClause());
          }
        }
      }
    }
    for (IASTEnumerationSpecifier e : nodes.all(IASTEnumerationSpecifier.class)) {
      for (IASTEnumerationSpecifier.IASTEnumerator one : e.getEnumerators()) {
        if (one.getValue() != null) {
          constants.putIfAbsent(Ast.simple(one.getName()), one.getValue());
        }
      }
    }
  }

  /** True if device code calls such a function. */
  boolean calls(Predicate<String> names) {
    return called.stream().anyMatch(names);
  }

  /** True for a kernel that the file launches with blocks of at most 32 threads only. */
  boolean isOneWarp(Function f) {
    List<IASTNode> blocks = launches.getOrDefault(f.name(), List.of());
    return f.kernel() && !blocks.isEmpty() && blocks.stream().allMatch(this::isAtMostOneWarp);
  }

  private boolean isAtMostOneWarp(IASTNode block) {
    Value v =
        switch (Ast.bare(block)) {
          case IASTLiteralExpression l -> Lanes.literal(l.toString());
          case IASTIdExpression id -> constant(Ast.simple(id.getName()));
          case null, default -> Value.UNIFORM;
        };
    return v.isConstant() && v.number() <= 32;
  }

  boolean isShared(String name) {
    return shared.contains(name);
  }

  Lanes lanes(Function f) {
    if (lanes.isEmpty()) {
      solve();
    }
    return Objects.requireNonNull(lanes.get(f));
  }

  /**
   * Finds the fixpoint of all functions at once, since the arguments of a call and its result
   * depend on each other.
   */
  private void solve() {
    functions.forEach(f -> lanes.put(f, new Lanes(this, f)));
    boolean settled;
    do {
      boolean rose;
      do {
        rose = false;
        for (Function f : functions) {
          rose |= lanes(f).rise();
        }
      } while (rose);
      settled = false;
      for (Function f : functions) {
        settled |= lanes(f).settle();
      }
    } while (settled);
  }

  /** A constant of the file's; other names are the same for all threads. */
  Value constant(String name) {
    IASTNode value = constants.get(name);
    if (value == null || !open.add(name)) {
      return Value.UNIFORM;
    }
    try {
      if (Ast.bare(value) instanceof IASTLiteralExpression l) {
        return Lanes.literal(l.toString());
      }
      return functions.isEmpty() ? Value.UNIFORM : lanes(functions.getFirst()).of(value);
    } finally {
      open.remove(name);
    }
  }

  /** The join of the arguments for a parameter; derived from its name if there are no calls. */
  Value argument(Function f, int index) {
    List<Call> all = calls.getOrDefault(f.name(), List.of());
    if (all.isEmpty()) {
      return byWord(f.parameters().get(index));
    }
    Value result = Value.NONE;
    for (Call c : all) {
      IASTInitializerClause[] given = Ast.arguments(c.node());
      result = result.join(index < given.length ? lanes(c.from()).of(given[index]) : Value.UNIFORM);
    }
    return result;
  }

  /** What a call of a name gives; null if that depends on its arguments alone. */
  @Nullable Value result(String name) {
    List<Function> known = byName.getOrDefault(name, List.of());
    Value named = byWord(name);
    if (known.isEmpty()) {
      return named.equals(Value.UNIFORM) ? null : named;
    }
    Value result = Value.NONE;
    for (Function f : known) {
      result = result.join(lanes(f).returned());
    }
    // Inline PTX reads special registers, whose meaning only the function's name gives away.
    boolean asm = known.stream().anyMatch(f -> !f.all(IASTASMDeclaration.class).isEmpty());
    return asm && !named.equals(Value.UNIFORM) ? named : result;
  }

  private static Value byWord(String name) {
    String word = name.toLowerCase(java.util.Locale.ROOT).replace("_", "");
    return switch (word) {
      case "lane", "laneid", "getlaneid", "getlane", "laneidx" -> Value.of(Value.Kind.LANE, 32);
      case "warp", "warpid", "wid", "getwarpid", "warpidx" -> Value.of(Value.Kind.GROUP, 32);
      case "tid", "threadid", "tidx" -> Value.of(Value.Kind.THREAD, 0);
      default -> Value.UNIFORM;
    };
  }

  /** The threads of a tile that an expression makes; 1 if that is not known. */
  int tileWidth(IASTNode node) {
    Matcher m = TILE.matcher(text.tight(node));
    if (!m.find()) {
      return 1;
    }
    Value v = Lanes.literal(m.group(1));
    Value width = v.isConstant() ? v : constant(m.group(1));
    return width.isConstant() ? (int) width.number() : 1;
  }
}
