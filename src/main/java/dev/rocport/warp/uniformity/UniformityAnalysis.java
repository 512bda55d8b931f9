package dev.rocport.warp.uniformity;

import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.DeviceFunction.Call;
import dev.rocport.warp.code.Symbol;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.flow.Fixpoint;
import dev.rocport.warp.flow.Lattice;
import dev.rocport.warp.uniformity.LaneValue.Kind;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.cdt.core.dom.ast.IASTASMDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.jspecify.annotations.Nullable;

/**
 * Determines which threads have the same value of each expression in the device code of a file.
 * Flow-insensitive, with control dependence: the unknowns are the variables of all functions and
 * what the functions return, since arguments and results of calls depend on each other.
 *
 * <p>Assumes that block widths are multiples of 64, and that functions of other files take no
 * variable by reference and return what their arguments determine.
 */
public final class UniformityAnalysis {
  private static final Pattern TILE = Pattern.compile("tiled_partition<(\\w+)");

  /** An unknown. */
  private sealed interface Fact {
    record Variable(Lanes in, Symbol symbol) implements Fact {}

    record Result(Lanes of) implements Fact {}
  }

  /** The lattice of {@link LaneValue}: from nothing over a kind to four sizes of groups. */
  private static final Lattice<LaneValue> LATTICE =
      new Lattice<>() {
        @Override
        public LaneValue bottom() {
          return LaneValue.NONE;
        }

        @Override
        public LaneValue join(LaneValue x, LaneValue y) {
          return x.join(y);
        }

        @Override
        public int height() {
          return 2 + Uniformity.values().length;
        }
      };

  private final DeviceCode code;
  private final IdentityHashMap<DeviceFunction, Lanes> lanes = new IdentityHashMap<>();
  private final Set<String> open = new HashSet<>();

  /** Undefined values, and those of calls that never return, may be any: a uniform one. */
  private final Fixpoint<Fact, LaneValue> values =
      new Fixpoint<>(LATTICE, this::evaluate, LaneValue.UNIFORM);

  /** Creates the analysis of a file; it is solved for the values that are asked for. */
  public UniformityAnalysis(DeviceCode code) {
    this.code = code;
  }

  /** Returns the code that it analyses. */
  public DeviceCode code() {
    return code;
  }

  /** Returns the values in one of the functions of the file. */
  public Lanes lanes(DeviceFunction f) {
    return lanes.computeIfAbsent(f, k -> new Lanes(this, k));
  }

  private LaneValue evaluate(Fact fact) {
    return switch (fact) {
      case Fact.Variable(Lanes in, Symbol symbol) -> in.variable(symbol);
      case Fact.Result(Lanes of) -> of.result();
    };
  }

  LaneValue value(Lanes in, Symbol symbol) {
    return values.value(new Fact.Variable(in, symbol));
  }

  /** Returns true for a kernel that the file launches with blocks of at most 32 threads only. */
  public boolean isOneWarp(DeviceFunction f) {
    List<IASTNode> blocks = code.blocks(f);
    return f.kernel() && !blocks.isEmpty() && blocks.stream().allMatch(this::isAtMostOneWarp);
  }

  private boolean isAtMostOneWarp(IASTNode block) {
    LaneValue v =
        switch (Syntax.bare(block)) {
          case IASTLiteralExpression l -> Arithmetic.literal(l.toString());
          case IASTIdExpression id -> constant(Syntax.simple(id.getName()));
          case null, default -> LaneValue.UNIFORM;
        };
    return v.isConstant() && v.number() <= 32;
  }

  /** A constant of the file; other names are the same for all threads. */
  LaneValue constant(String name) {
    IASTNode value = code.constant(name);
    if (value == null || !open.add(name)) {
      return LaneValue.UNIFORM;
    }
    try {
      if (Syntax.bare(value) instanceof IASTLiteralExpression l) {
        return Arithmetic.literal(l.toString());
      }
      return code.functions().isEmpty()
          ? LaneValue.UNIFORM
          : lanes(code.functions().getFirst()).of(value);
    } finally {
      open.remove(name);
    }
  }

  /** The join of the arguments for a parameter; derived from its name if there are no calls. */
  LaneValue argument(DeviceFunction f, int index) {
    List<Call> all = code.callsOf(f.name());
    if (all.isEmpty()) {
      return byWord(f.parameters().get(index));
    }
    LaneValue result = LaneValue.NONE;
    for (Call c : all) {
      IASTInitializerClause[] given = Syntax.arguments(c.node());
      result =
          result.join(index < given.length ? lanes(c.from()).of(given[index]) : LaneValue.UNIFORM);
    }
    return result;
  }

  /** What a call of a name gives; null if that depends on its arguments alone. */
  @Nullable LaneValue result(String name) {
    List<DeviceFunction> known = code.named(name);
    LaneValue named = byWord(name);
    if (known.isEmpty()) {
      return named.equals(LaneValue.UNIFORM) ? null : named;
    }
    LaneValue result = LaneValue.NONE;
    for (DeviceFunction f : known) {
      result = result.join(values.value(new Fact.Result(lanes(f))));
    }
    // Inline PTX reads special registers, whose meaning only the function's name gives away.
    boolean asm = known.stream().anyMatch(f -> !f.all(IASTASMDeclaration.class).isEmpty());
    return asm && !named.equals(LaneValue.UNIFORM) ? named : result;
  }

  private static LaneValue byWord(String name) {
    String word = name.toLowerCase(Locale.ROOT).replace("_", "");
    return switch (word) {
      case "lane", "laneid", "getlaneid", "getlane", "laneidx" -> LaneValue.of(Kind.LANE, 32);
      case "warp", "warpid", "wid", "getwarpid", "warpidx" -> LaneValue.of(Kind.GROUP, 32);
      case "tid", "threadid", "tidx" -> LaneValue.of(Kind.THREAD, 0);
      default -> LaneValue.UNIFORM;
    };
  }

  /** The threads of a tile that an expression makes; 1 if that is not known. */
  int tileWidth(IASTNode node) {
    Matcher m = TILE.matcher(code.text().tight(node));
    if (!m.find()) {
      return 1;
    }
    LaneValue v = Arithmetic.literal(m.group(1));
    LaneValue width = v.isConstant() ? v : constant(m.group(1));
    return width.isConstant() ? (int) width.number() : 1;
  }
}
