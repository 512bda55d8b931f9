package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Span;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Evaluates CUDA warp functions, and bit functions on lane masks. */
final class WarpCalls {
  private static final Set<String> BITS = Set.of("__popc", "__ffs", "__clz", "__brev");
  private static final Set<String> LONG_BITS = Set.of("__popcll", "__ffsll", "__clzll", "__brevll");
  private static final String WAVE = "rocport::wave::";
  private static final long ALL = 0xffffffffL;

  private static final Pattern WORD = Pattern.compile("\\w+");

  private final Run run;
  private final Expressions expressions;

  WarpCalls(Run run, Expressions expressions) {
    this.run = run;
    this.expressions = expressions;
  }

  static boolean isBits(String name) {
    return BITS.contains(name) || LONG_BITS.contains(name);
  }

  /** {@code __popc} and the like. */
  Value bits(Frame f, Expr.Call c) {
    if (c.args().size() != 1) {
      return new Value.Unknown("bits");
    }
    Value v = expressions.eval(f, c.args().getFirst());
    if (!(v instanceof Value.Mask m)) {
      run.trace.plain(f.function.path(), c.nameAt());
      return v.isPlain()
          ? new Value.Plain(v.isUniform())
          : new Value.Unknown("bits of " + v.what());
    }
    String bare = c.name().replace("__", "").replace("ll", "");
    run.trace.site(Site.Kind.BITS, f.function.path(), c.nameAt(), c.name(), WAVE + bare);
    return switch (bare) {
      case "popc" ->
          switch (m.kind()) {
            case VOTE -> new Value.Count(m.id());
            case VOTE_LOWER -> new Value.Rank(m.id());
            default -> new Value.Unknown("the number of lanes in a mask");
          };
      case "ffs" ->
          m.kind() == Value.Mask.Kind.VOTE
              ? new Value.Leader(m.id(), true)
              : new Value.Unknown("a lane of a mask");
      default -> new Value.Unknown("a lane of a mask");
    };
  }

  /** A warp function outside a ladder. */
  Value call(Frame f, Expr.Call c, WarpFunction w) {
    String path = f.function.path();
    run.trace.site(Site.Kind.FUNCTION, path, c.nameAt(), c.name(), WAVE + w.wide());
    int first = w.masked() ? 1 : 0;
    Value.@Nullable Mask mask =
        w.masked() && !c.args().isEmpty() ? mask(f, c.args().getFirst()) : null;
    if (!w.masked() || (c.args().isEmpty() && w.kind() == WarpFunction.Kind.SYNC)) {
      mask = new Value.Mask(Value.Mask.Kind.FULL, -1);
    }
    List<Value> args = c.args().stream().skip(first).map(x -> expressions.eval(f, x)).toList();
    boolean whole =
        mask != null && mask.kind() == Value.Mask.Kind.FULL && Guard.areWholeWarps(f.guards);
    Value v = args.isEmpty() ? Value.Plain.UNIFORM : args.getFirst();
    return switch (w.kind()) {
      case SYNC, COLLECTIVE -> Value.Plain.UNIFORM;
      case ACTIVE ->
          Guard.arePlain(f.guards)
              ? new Value.Mask(
                  Value.Mask.Kind.VOTE,
                  run.vote(new Run.Vote("", List.copyOf(f.guards), Guard.areUniform(f.guards), "")))
              : new Value.Mask(Value.Mask.Kind.OTHER, -1);
      case BALLOT -> {
        Expr predicate = c.args().get(Math.min(first, c.args().size() - 1));
        // Without a mask, or with that of the active lanes, those vote that are there.
        boolean all = whole && Guard.areUniform(f.guards);
        boolean those = all || (mask != null && isOfActive(f, mask));
        yield v.isPlain() && those
            ? new Value.Mask(
                Value.Mask.Kind.VOTE,
                run.vote(
                    new Run.Vote(expressions.key(f, predicate), List.copyOf(f.guards), all, "")))
            : new Value.Mask(Value.Mask.Kind.OTHER, -1);
      }
      case MATCH_ANY -> {
        boolean those =
            (whole && Guard.areUniform(f.guards)) || (mask != null && isOfActive(f, mask));
        yield v.isPlain() && those
            ? new Value.Mask(
                Value.Mask.Kind.VOTE,
                run.vote(
                    new Run.Vote(
                        "",
                        List.copyOf(f.guards),
                        false,
                        "=" + expressions.key(f, c.args().getLast()))))
            : new Value.Mask(Value.Mask.Kind.OTHER, -1);
      }
      case MATCH_ALL -> new Value.Mask(Value.Mask.Kind.OTHER, -1);
      case VOTE ->
          v.isUniform()
              ? Value.Plain.UNIFORM
              : new Value.Condition(
                  List.of(new Guard.Opaque("a vote of the warp")),
                  List.of(new Guard.Opaque("a vote of the warp")));
      case REDUCE ->
          whole && v instanceof Value.Parts p && p.op() == w.reduction()
              ? new Value.Total(true)
              : whole && v.isPlain() && Guard.areUniform(f.guards)
                  ? new Value.Part(w.reduction(), true, IntType.INT)
                  : new Value.Unknown("a reduction over some lanes");
      case SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR -> shuffle(f, c, w, mask, args, whole);
    };
  }

  /** True for the mask of all lanes that run here. */
  private boolean isOfActive(Frame f, Value.Mask m) {
    return m.kind() == Value.Mask.Kind.VOTE
        && run.vote(m.id()).predicate().isEmpty()
        && !run.vote(m.id()).match()
        && run.vote(m.id()).guards().equals(f.guards);
  }

  private Value shuffle(
      Frame f,
      Expr.Call c,
      WarpFunction w,
      Value.@Nullable Mask mask,
      List<Value> args,
      boolean whole) {
    if (args.size() < 2) {
      return new Value.Unknown("a shuffle");
    }
    Value v = args.get(0);
    Value lane = args.get(1);
    boolean narrow = false;
    if (c.args().size() > w.width()) {
      narrow = !isWarpWidth(f, c.args().get(w.width()));
    }
    boolean within =
        w.kind() == WarpFunction.Kind.SHUFFLE_XOR
            && lane instanceof Value.Const d
            && d.value() >= 0
            && d.value() < 32;
    if (v.isPlain() && lane.isPlain() && (narrow || within)) {
      return Value.Plain.VARYING; // groups of lanes that are the same whatever W is
    }
    if (w.kind() != WarpFunction.Kind.SHUFFLE || mask == null) {
      return new Value.Unknown("the value of a shuffle that depends on where the warp ends");
    }
    return switch (v) {
      case Value.Room r when isFrom(lane, r) -> new Value.Room(r.vote(), Value.Room.In.ALL);
      case Value.Part p when p.everywhere() -> p;
      case Value.Part p when whole && isZero(lane) -> new Value.Part(p.op(), true, p.type());
      case Value.Total t when whole && isZero(lane) && Guard.has(f.guards, Guard.Warp0.class) ->
          new Value.Total(true);
      case Value x when x.isPlain() && x.isUniform() -> x;
      default -> new Value.Unknown("a value of another lane");
    };
  }

  private static boolean isFrom(Value lane, Value.Room r) {
    return switch (r.in()) {
      case LEADER -> lane instanceof Value.Leader l && l.vote() == r.vote() && !l.plusOne();
      case LANE0 -> isZero(lane);
      case ALL -> true;
    };
  }

  private static boolean isZero(Value v) {
    return v instanceof Value.Const c && c.value() == 0;
  }

  /** True for a width of the whole warp, which then is one of W. */
  private boolean isWarpWidth(Frame f, Expr x) {
    Value v = expressions.eval(f, x);
    if (v instanceof Value.Const c && c.value() == 32) {
      run.trace.constant(Site.Kind.WIDTH, c, WAVE + "size");
      return true;
    }
    expressions.arithmetic().ordinary(f, x, v);
    if (!(v instanceof Value.Const c && c.value() > 0 && c.value() < 32)) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR, f.function.path(), x.at(), "the width of a shuffle is not known");
    }
    return false;
  }

  /** The mask of a call; null if it is of some lanes only. */
  Value.@Nullable Mask mask(Frame f, Expr x) {
    return switch (expressions.eval(f, x)) {
      case Value.Mask m -> m;
      case Value.Const c when (c.value() & ALL) == ALL -> {
        full(c);
        yield new Value.Mask(Value.Mask.Kind.FULL, -1);
      }
      case Value v -> {
        expressions.arithmetic().ordinary(f, x, v);
        run.trace.obstacle(
            v.isPlain() ? Obstacle.Kind.MEANT : Obstacle.Kind.UNCLEAR,
            f.function.path(),
            x.at(),
            v.isPlain() ? "the mask names only some lanes" : "the mask is " + v.what());
        yield null;
      }
    };
  }

  private void full(Value.Const c) {
    run.trace.constant(Site.Kind.FULL_MASK, c, WAVE + "full");
    c.origin().variables().forEach(v -> run.trace.mask(v, maskType(v.type())));
  }

  /** A mask's type in the place of this one. */
  static String maskType(String type) {
    StringBuilder b = new StringBuilder();
    Set<String> words =
        WORD.matcher(type).results().map(MatchResult::group).collect(Collectors.toSet());
    for (String word : List.of("static", "constexpr", "const")) {
      if (words.contains(word)) {
        b.append(word).append(' ');
      }
    }
    return b.append(WAVE).append("mask").toString();
  }

  /**
   * A ladder, which makes of each value its reduction over the warp.
   *
   * @return false if it is not one over whole warps: then it is an ordinary loop
   */
  boolean ladder(Frame f, ShuffleReduction l, Span at) {
    Value first = expressions.eval(f, l.first());
    if (!(first instanceof Value.Const c) || c.value() != (l.ascending() ? 32 : 16)) {
      expressions.arithmetic().ordinary(f, l.first(), first);
      return false;
    }
    for (ShuffleReduction.Step s : l.steps()) {
      WarpFunction w = WarpFunction.of(s.shuffle().name());
      if (w == null
          || (s.shuffle().args().size() > w.width()
              && !(expressions.eval(f, s.shuffle().args().get(w.width())) instanceof Value.Const k
                  && k.value() == 32))) {
        expressions.arithmetic().ordinary(f, l.first(), first);
        return false;
      }
    }
    run.trace.constant(
        Site.Kind.LADDER, c, l.ascending() ? WAVE + "size" : "(" + WAVE + "size / 2)");
    boolean own =
        Stream.of("max", "min", "fmax", "fmin", "fmaxf", "fminf").anyMatch(run.functions::knows);
    if (own) {
      run.trace.obstacle(
          Obstacle.Kind.UNCLEAR,
          f.function.path(),
          at,
          "the project defines its own minimum or maximum function");
    }
    run.trace.ladder();
    for (ShuffleReduction.Step s : l.steps()) {
      step(f, s, at);
    }
    return true;
  }

  private void step(Frame f, ShuffleReduction.Step s, Span at) {
    WarpFunction w = Objects.requireNonNull(WarpFunction.of(s.shuffle().name()));
    String path = f.function.path();
    run.trace.site(
        Site.Kind.FUNCTION, path, s.shuffle().nameAt(), s.shuffle().name(), WAVE + w.wide());
    Value.@Nullable Mask mask =
        w.masked()
            ? mask(f, s.shuffle().args().getFirst())
            : new Value.Mask(Value.Mask.Kind.FULL, -1);
    if (s.shuffle().args().size() > w.width()) {
      isWarpWidth(f, s.shuffle().args().get(w.width()));
    }
    boolean whole =
        mask != null && mask.kind() == Value.Mask.Kind.FULL && Guard.areWholeWarps(f.guards);
    boolean everywhere = w.kind() == WarpFunction.Kind.SHUFFLE_XOR;
    Value v = f.values.getOrDefault(s.variable(), new Value.Unknown("a value"));
    Frame.Type type = f.types.getOrDefault(s.variable(), Frame.Type.UNKNOWN);
    boolean exact = type == Frame.Type.INTEGER || (s.op().isExactForFloats() && !s.ordered());
    if (!exact && (s.op() == Reduction.ADD || s.op().isExactForFloats())) {
      run.trace.obstacle(
          Obstacle.Kind.ROUNDING,
          path,
          at,
          type == Frame.Type.FLOAT
              ? "a floating-point " + s.op().title() + " would be computed in a different order"
              : "a "
                  + s.op().title()
                  + " of an unknown type may use floating-point numbers and would be computed in a"
                  + " different order");
    }
    Value out =
        switch (v) {
          case Value.Parts p when whole && p.op() == s.op() -> new Value.Total(everywhere);
          case Value x when whole && x.isPlain() && Guard.areUniform(f.guards) ->
              new Value.Part(s.op(), everywhere, f.integer(s.variable()));
          default -> new Value.Unknown("a reduction over some lanes");
        };
    f.set(s.variable(), out);
  }
}
