package dev.rocport.device.nativecode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Steps that work lane by lane, emitted as a loop over chunks: once for all lanes active, and once
 * for some. All checks of its accesses come before it, and stop the wave before its first
 * instruction.
 *
 * <p>The steps of one chunk run before those of the next one, but of two accesses to the same
 * memory, one of them a store, all lanes do the first before any does the second. So a run has
 * either loads or one store of global memory, and the same of LDS.
 */
final class Run {
  private static final int LOADS = 1;
  private static final int STORES = 2;

  private final WaveFunction function;
  private final String exec;
  private final String stop;
  private final List<Consumer<Chunk>> steps = new ArrayList<>();
  private final SortedSet<Integer> masks = new TreeSet<>();
  private final Set<Integer> changed = new HashSet<>();
  private final Sums sums = new Sums();

  /** Bounds that registers have before the run, and those of sums that steps make. */
  private final KnownBounds before = new KnownBounds();

  private final KnownBounds made = new KnownBounds();

  /** Registers, or pairs, whose bounds are asked for once it has ended. */
  private final List<Range> ranges = new ArrayList<>();

  private int global;
  private int local;
  private boolean waited;
  private boolean fixed;

  /** A register, or the first one of a pair. */
  private record Range(int register, boolean wide) {}

  /**
   * @param exec the active lanes, an i64
   * @param stop the label of what stops the wave before the first instruction
   * @param known bounds that registers have before the run
   */
  Run(WaveFunction function, String exec, String stop, KnownBounds known) {
    this.function = function;
    this.exec = exec;
    this.stop = stop;
    this.before.putAll(known);
  }

  void step(Consumer<Chunk> step) {
    steps.add(step);
  }

  /** Adds a load of each lane. */
  void load(List<Loads.Load> parts) {
    if (steps.isEmpty() || !(steps.getLast() instanceof Loads before) || !before.takes(parts)) {
      step(new Loads(parts));
    }
  }

  /** The label of what stops the wave before the run. */
  String stop() {
    return stop;
  }

  /** Whether an access may become a step. Notes it if it may. */
  boolean takes(boolean lds, boolean stores) {
    int before = lds ? local : global;
    if (fixed || (waited && (local | global) != 0) || (stores ? before != 0 : before >= STORES)) {
      return false;
    }
    if (lds) {
      local |= stores ? STORES : LOADS;
    } else {
      global |= stores ? STORES : LOADS;
    }
    return true;
  }

  /** The wave waits for its accesses here. */
  void waits() {
    waited = true;
  }

  boolean hasWaited() {
    return waited;
  }

  /** Scalars have changed since the run began, so that the wave cannot stop before it any more. */
  void fix() {
    fixed = true;
  }

  boolean isFixed() {
    return fixed;
  }

  /** A step changes these vector registers. */
  void changes(int register, int words) {
    for (int r = register; r < register + words; r++) {
      changed.add(r);
    }
    made.forget(register, words);
    sums.changes(register, words);
  }

  Sums sums() {
    return sums;
  }

  /** Bounds that registers have before the run. */
  KnownBounds before() {
    return before;
  }

  /** Bounds of the sums that steps have made. */
  KnownBounds made() {
    return made;
  }

  boolean hasChanged(int register, int words) {
    for (int r = register; r < register + words; r++) {
      if (changed.contains(r)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Asks for the bounds of a register or a pair, which {@link #emit} makes: most often they follow
   * from values that the steps have at hand, so that nothing waits for what they have stored.
   */
  void range(int register, boolean wide) {
    ranges.add(new Range(register, wide));
  }

  /** The run makes a mask at a code of scalar registers. */
  void makes(int code) {
    masks.add(code);
    sums.makes(code, function.hasNarrowMasks() ? 1 : 2);
  }

  /** Whether a scalar register is one of a mask that the run makes. */
  boolean makesScalar(int code) {
    return masks.contains(code) || (!function.hasNarrowMasks() && masks.contains(code - 1));
  }

  boolean makesMask(int code) {
    return masks.contains(code);
  }

  /**
   * A value that the chunks of both loops make together.
   *
   * @param from where it comes from, for a phi: values and labels
   */
  private record Result(String type, String start, Joiner joiner, List<String> from) {}

  /** Joins what a chunk makes to what those before it have made. */
  private interface Joiner {
    String join(Chunk c, String before);
  }

  /**
   * Adds its code.
   *
   * @param known gets the bounds that {@link #range} asked for
   */
  void emit(KnownBounds known) {
    Ir ir = function.ir;
    String join = ir.label("join");
    String full = ir.label("full");
    String some = ir.label("some");
    List<Result> results = new ArrayList<>();
    for (int code : masks) {
      results.add(
          new Result(
              "i64",
              "0",
              (c, before) -> ir.value("or i64 %s, %s", before, c.placed(code)),
              new ArrayList<>()));
    }
    ranges.forEach(r -> results.addAll(series(r)));
    String all = function.isFull(exec);
    ir.line("br i1 %s, label %%%s, label %%%s", all, full, some);
    List<SortedSet<Integer>> last = last();
    loop(full, join, true, last, results);
    loop(some, join, false, last, results);
    ir.block(join);
    List<String> joined = new ArrayList<>();
    for (Result r : results) {
      joined.add(ir.value("phi %s %s", r.type(), String.join(", ", r.from())));
    }
    int i = 0;
    for (int code : masks) {
      function.bits(code, joined.get(i++));
    }
    for (Range r : ranges) {
      String first = joined.get(i++);
      String second = joined.get(i++);
      String high = r.wide() ? joined.get(i++) : "";
      String isSeries = ir.value("xor i1 %s, true", joined.get(i++));
      String regular = ir.value("and i1 %s, %s", all, isSeries);
      known.put(
          r.register(),
          r.wide(),
          Bounds.of(function, r.register(), r.wide(), regular, first, second, high));
    }
  }

  /**
   * What the chunks of all lanes find out about a register or a pair: the first two words, the
   * first high word, and whether some lane breaks the series that these begin.
   */
  private static List<Result> series(Range r) {
    List<Result> results = new ArrayList<>();
    List<String> now = new ArrayList<>();
    for (int n = 0; n < (r.wide() ? 3 : 2); n++) {
      int word = n;
      results.add(
          new Result(
              "i32",
              "0",
              (c, before) -> {
                if (word == 0) {
                  now.clear();
                }
                String value = c.register(false, r.register() + word / 2);
                String lane = c.ir.value("extractelement %s %s, i64 %d", c.ints, value, word % 2);
                String begins = c.ir.value("icmp eq i64 %s, 0", c.first);
                now.add(c.ir.value("select i1 %s, i32 %s, i32 %s", begins, lane, before));
                return now.getLast();
              },
              new ArrayList<>()));
    }
    results.add(
        new Result(
            "i1",
            "false",
            (c, before) -> {
              String step = c.ir.value("sub i32 %s, %s", now.get(1), now.get(0));
              String steps = c.i32("mul", c.lanes(), c.spread("i32", step));
              String all = c.i32("add", c.spread("i32", now.get(0)), steps);
              String breaks = c.i32("icmp ne", c.register(false, r.register()), all);
              if (r.wide()) {
                String high = c.register(false, r.register() + 1);
                breaks = c.either(breaks, c.i32("icmp ne", high, c.spread("i32", now.get(2))));
              }
              String bits = c.ir.value("bitcast %s %s to i%d", c.bits, breaks, c.width);
              String some = c.ir.value("icmp ne i%d %s, 0", c.width, bits);
              return c.ir.value("or i1 %s, %s", before, some);
            },
            new ArrayList<>()));
    return results;
  }

  /** What each step is the last to change, as a trial finds out: {@link Chunk#changed}. */
  private List<SortedSet<Integer>> last() {
    Chunk trial = new Chunk(new Ir(), function.width, "0", null);
    List<SortedSet<Integer>> last = new ArrayList<>();
    for (Consumer<Chunk> step : steps) {
      step.accept(trial);
      SortedSet<Integer> now = trial.changed();
      last.forEach(before -> before.removeAll(now));
      last.add(now);
    }
    return last;
  }

  private void loop(
      String label,
      String join,
      boolean full,
      List<SortedSet<Integer>> last,
      List<Result> results) {
    Ir ir = function.ir;
    String head = label + ".head";
    String body = label + ".body";
    String end = label + ".end";
    String latch = label + ".latch";
    String first = ir.name();
    String next = ir.name();
    List<String> begins = new ArrayList<>();
    List<String> after = new ArrayList<>();
    ir.block(label);
    ir.line("br label %%%s", head);
    ir.block(head);
    ir.line("%s = phi i64 [ 0, %%%s ], [ %s, %%%s ]", first, label, next, latch);
    for (Result r : results) {
      begins.add(ir.name());
      after.add(ir.name());
      ir.line(
          "%s = phi %s [ %s, %%%s ], [ %s, %%%s ]",
          begins.getLast(), r.type(), r.start(), label, after.getLast(), latch);
    }
    int width = function.width;
    String active = full ? null : Chunk.bitsOf(ir, width, first, exec);
    if (active == null) {
      ir.line("br label %%%s", body);
    } else {
      String bits = ir.value("bitcast <%d x i1> %s to i%d", width, active, width);
      String none = ir.value("icmp eq i%d %s, 0", width, bits);
      ir.line("br i1 %s, label %%%s, label %%%s", none, latch, body);
    }
    ir.block(body);
    Chunk chunk = new Chunk(ir, width, first, active);
    for (int i = 0; i < steps.size(); i++) {
      steps.get(i).accept(chunk);
      chunk.store(last.get(i));
    }
    List<String> ends = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      ends.add(results.get(i).joiner().join(chunk, begins.get(i)));
    }
    ir.line("br label %%%s", end);
    ir.block(end);
    ir.line("br label %%%s", latch);
    ir.block(latch);
    for (int i = 0; i < results.size(); i++) {
      Result r = results.get(i);
      String skipped = full ? "" : ", [ %s, %%%s ]".formatted(begins.get(i), head);
      ir.line("%s = phi %s [ %s, %%%s ]%s", after.get(i), r.type(), ends.get(i), end, skipped);
      r.from().add("[ %s, %%%s ]".formatted(after.get(i), latch));
    }
    ir.line("%s = add i64 %s, %d", next, first, width);
    String done = ir.value("icmp eq i64 %s, %d", next, function.size);
    ir.line("br i1 %s, label %%%s, label %%%s", done, join, head);
  }
}
