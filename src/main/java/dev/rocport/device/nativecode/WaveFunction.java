package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the function of a region.
 *
 * <p>Vector registers are in the wave's arrays at any time. Scalar registers are local variables,
 * which are stored where the function ends. Its parameters are the arrays {@code v}, {@code a} and
 * {@code s}, the {@link Context}, the number of the entry, and the budget of instructions.
 *
 * <p>More than 400 lines: the accesses, the bounds and the run of a block share its state.
 */
final class WaveFunction {
  static final String NAME = "rocport_wave";

  /** Keeps the compiler from moving accesses to memory. */
  static final String BARRIER = "call void asm sideeffect \"\", \"~{memory}\"()";

  /** Chunks of a loop so short that what it stores is not yet in the host's cache as it ends. */
  private static final int FEW_CHUNKS = 2;

  final Ir ir = new Ir();
  final Workspace workspace = new Workspace();

  /** Lanes of a chunk. */
  final int width;

  /** Lanes of the wave. */
  final int size;

  private final Region region;

  /** The indices of its blocks: their places here are the numbers of the entries. */
  private final List<Integer> entries;

  private final SortedSet<Integer> scalars = new TreeSet<>();
  private final SortedSet<Integer> written = new TreeSet<>();
  private @Nullable Run run;
  private int windows;
  private int vectors;
  private int accumulators;

  /** Bounds that are known in this block; of what the run has changed, those are not used. */
  private final KnownBounds bounds = new KnownBounds();

  private final SortedSet<Integer> outside = new TreeSet<>();

  /** The index of the instruction that is added, and what of its block is before it. */
  private int pc;

  private int block;
  private int count;
  private String before = "";

  /** Where the blocks begin that are between a branch and an earlier place that it goes to. */
  private final Set<Integer> loops;

  /** The blocks that stop the wave, and the instructions of this block that have one. */
  private StringBuilder stops = new StringBuilder();

  private final Set<Integer> stopped = new HashSet<>();

  private WaveFunction(Region region, int width) {
    this.region = region;
    this.entries = List.copyOf(region.blocks().keySet());
    this.width = width;
    this.size = region.lanes();
    this.loops = region.loops();
  }

  /**
   * The function of a region.
   *
   * @param text a module of LLVM IR
   */
  record Written(String text, Entries entries) {}

  /**
   * @param width lanes of a chunk: 8 or 16
   */
  static Written write(Region region, int width) {
    WaveFunction f = new WaveFunction(region, width);
    f.body();
    return new Written(
        new FunctionText(f.ir, region, f.scalars, f.written, f.outside, f.workspace).module(width),
        new Entries(
            f.entries,
            region.blocks().values().stream().map(Region::known).toList(),
            f.vectors,
            f.accumulators));
  }

  static String label(int pc) {
    return "at" + pc;
  }

  private void body() {
    for (Map.Entry<Integer, List<Region.Line>> e : region.blocks().entrySet()) {
      List<Region.Line> lines = e.getValue();
      ir.block(label(e.getKey()));
      before = ir.value("load i64, ptr %%n");
      stops = new StringBuilder();
      stopped.clear();
      pc = e.getKey();
      block = pc;
      count = 0;
      String after = ir.value("add i64 %s, %d", before, lines.size());
      String over = ir.value("icmp ugt i64 %s, %%budget", after);
      String go = ir.label("go");
      ir.line("br i1 %s, label %%%s, label %%%s", over, stop(), go);
      ir.block(go);
      bounds.clear();
      ir.line("store i64 %s, ptr %%n", after);
      block(lines);
      ir.append(stops);
    }
  }

  private void block(List<Region.Line> lines) {
    for (Region.Line line : lines) {
      pc = line.pc();
      if (Region.isBranch(line.instruction())) {
        flush();
        branch(line);
        return;
      }
      switch (line.form()) {
        case null -> {
          flush();
          ir.line("br label %%%s", stop());
          return;
        }
        case Form.Leaves(WaveState state, boolean waits) -> {
          flush();
          if (waits) {
            count(Context.WAITS);
          }
          ir.line("store i32 %d, ptr %%state.at", Context.number(state));
          ir.line("store i32 %d, ptr %%pc", line.next());
          String next = ir.value("getelementptr i8, ptr %%c, i64 %d", Context.NEXT);
          ir.line("store i32 %d, ptr %s", entries.indexOf(line.next()), next);
          ir.line("br label %%end");
          return;
        }
        case Form.Nothing _ -> {}
        case Form.Wait _ -> {
          if (run == null) {
            ir.line(BARRIER);
          } else {
            run.waits();
          }
        }
        case Form.Scalar s -> s.emit(this);
        case Form.Lanes l -> lanes(line.instruction(), l);
        case Form.Moves m -> m.emit(this);
        case Form.Whole w -> {
          flush();
          w.emit(this, stop());
        }
      }
      count++;
    }
    flush();
    go(lines.getLast().next());
  }

  private void lanes(Instruction instruction, Form.Lanes form) {
    Run before = run;
    List<Sums.Change> sums = (before == null ? new Sums() : before.sums()).of(instruction);
    form.emit(this);
    if (run != null) {
      // In a new run, the instruction is the first one.
      run.sums().add(run == before ? sums : new Sums().of(instruction));
    }
  }

  /** Ends a block with a jump to where the next one is. */
  private void go(int pc) {
    ir.line("br label %%%s", reach(pc));
  }

  /** The label of an index; of a stop before it where the region has no block there. */
  private String reach(int pc) {
    if (region.blocks().containsKey(pc)) {
      return label(pc);
    }
    outside.add(pc);
    return "outside" + pc;
  }

  private void branch(Region.Line line) {
    String name = line.instruction().name();
    if (name.equals("s_branch")) {
      go(line.target());
      return;
    }
    String taken =
        switch (name) {
          case "s_cbranch_scc0" -> ir.value("xor i1 %s, true", scc());
          case "s_cbranch_scc1" -> scc();
          case "s_cbranch_vccz" -> ir.value("icmp eq i64 %s, 0", bits(Wave.VCC));
          case "s_cbranch_vccnz" -> ir.value("icmp ne i64 %s, 0", bits(Wave.VCC));
          case "s_cbranch_execz" -> ir.value("icmp eq i64 %s, 0", exec());
          default -> ir.value("icmp ne i64 %s, 0", exec());
        };
    ir.line("br i1 %s, label %%%s, label %%%s", taken, reach(line.target()), reach(line.next()));
  }

  /** The label of what stops the wave before this instruction. */
  private String stop() {
    String label = "stop" + pc;
    if (stopped.add(pc)) {
      stops.append(
          """
          %s:
            %%%s.n = add i64 %s, %d
            store i64 %%%s.n, ptr %%n
            store i32 %d, ptr %%pc
            br label %%end
          """
              .formatted(label, label, before, count, label, pc));
    }
    return label;
  }

  /**
   * Prepares the run for an access, which ends the run before it if the two do not go together. The
   * run must not make scalars that the access needs.
   *
   * @return the label to go to if a check fails
   */
  String access(Place place, boolean stores) {
    Run before = run;
    boolean wide = !place.isNarrow();
    if (before != null && before.hasChanged(place.register(), place.words())) {
      Bounds sum = before.isFixed() ? null : sum(before, place.register(), wide);
      if (sum == null) {
        if (size <= FEW_CHUNKS * width) {
          before.range(place.register(), wide);
        }
        flush();
      } else {
        before.made().put(place.register(), wide, sum);
        if (!before.takes(place.local(), stores)) {
          flush();
        }
      }
    } else if (before != null && !before.takes(place.local(), stores)) {
      flush();
    }
    String stop = run == null ? stop() : run.stop();
    if (run == null) {
      run().takes(place.local(), stores);
    }
    return stop;
  }

  /** The bounds of a sum that a run makes; null if it is none. */
  private @Nullable Bounds sum(Run run, int register, boolean wide) {
    Bounds known = run.made().get(register, wide);
    Sums.Sum sum = known == null ? run.sums().sum(register, wide) : null;
    if (sum == null
        || sum.low().stream().anyMatch(w -> run.makesScalar(w.code()))
        || sum.high().stream().anyMatch(w -> run.makesScalar(w.code()))) {
      return known;
    }
    Bounds before = run.before().get(sum.base(), wide);
    if (before == null) {
      before = Bounds.of(this, sum.base(), wide);
      run.before().put(sum.base(), wide, before);
    }
    uses(false, sum.base(), wide ? 2 : 1);
    return before.plus(this, sum);
  }

  /** A word of a sum, an i32. */
  String word(Sums.Word word) {
    return word.code() < 0 ? Integer.toString(word.constant()) : scalar(word.code());
  }

  /**
   * Prepares the run for an access of each lane to what no other lane accesses.
   *
   * @param register the vector register of the address, or -1
   * @return the label to go to if a check fails
   */
  String accessOwn(int register) {
    if (run != null && (run.isFixed() || (register >= 0 && run.hasChanged(register, 1)))) {
      flush();
    }
    return run == null ? stop() : run.stop();
  }

  /** The run that lane steps are added to. */
  Run run() {
    if (run == null) {
      run = new Run(this, exec(), stop(), bounds);
    }
    return run;
  }

  /** Ends the run. */
  void flush() {
    Run ending = run;
    run = null;
    if (ending != null) {
      bounds.putAll(ending.made());
      ending.emit(bounds);
      if (ending.hasWaited()) {
        ir.line(BARRIER);
      }
    }
  }

  /** Ends the run if it makes one of a pair of scalar registers. */
  void settle(int code) {
    if (run != null && (run.makesScalar(code) || run.makesScalar(code + 1))) {
      flush();
    }
  }

  /** An i32 of a scalar register. */
  String scalar(int code) {
    if (run != null && run.makesScalar(code)) {
      flush();
    }
    scalars.add(code);
    return ir.value("load i32, ptr %%s%d", code);
  }

  /** Sets a scalar register to an i32. */
  void scalar(int code, String value) {
    if (run != null && (code == Wave.EXEC || code == Wave.EXEC + 1 || run.makesScalar(code))) {
      flush();
    }
    if (code == Wave.EXEC || code == Wave.EXEC + 1) {
      bounds.clear();
    }
    if (run != null) {
      run.fix();
    }
    scalars.add(code);
    written.add(code);
    ir.line("store i32 %s, ptr %%s%d", value, code);
  }

  /** An i64 of a pair of scalar registers. */
  String pair(int code) {
    return ir.pair(scalar(code), scalar(code + 1));
  }

  /** Sets a pair of scalar registers to an i64. */
  void pair(int code, String value) {
    scalar(code, ir.low(value));
    scalar(code + 1, ir.high(value));
  }

  /** Whether a mask is one scalar register, and not a pair. */
  boolean hasNarrowMasks() {
    return size < Wave.LANES;
  }

  /** The mask of lanes at a code of scalar registers, an i64. */
  String bits(int code) {
    return hasNarrowMasks() ? ir.value("zext i32 %s to i64", scalar(code)) : pair(code);
  }

  /** Sets a mask of lanes to an i64. */
  void bits(int code, String value) {
    if (hasNarrowMasks()) {
      scalar(code, ir.low(value));
    } else {
      pair(code, value);
    }
  }

  /** The active lanes, an i64. */
  String exec() {
    return bits(Wave.EXEC);
  }

  /** The active lanes as a vector with an i1 for each lane of the wave. */
  String active() {
    String bits = hasNarrowMasks() ? scalar(Wave.EXEC) : exec();
    return ir.value("bitcast i%d %s to <%d x i1>", size, bits, size);
  }

  /** Whether all lanes are active, an i1. */
  String isFull(String exec) {
    return ir.value("icmp eq i64 %s, %d", exec, -1L >>> (Wave.LANES - size));
  }

  /** The scalar condition code, an i1. */
  String scc() {
    return ir.value("load i1, ptr %%scc");
  }

  void scc(String bit) {
    if (run != null) {
      run.fix();
    }
    ir.line("store i1 %s, ptr %%scc", bit);
  }

  /** The window of the next access. */
  int window(boolean stores) {
    return Context.window(windows++, stores);
  }

  /** Whether a branch leads from this instruction, or from one after it, back to its block. */
  boolean isInLoop() {
    return loops.contains(block);
  }

  /** The address of an i64 of this function, 0 at its start. */
  String slot() {
    return workspace.slot();
  }

  /** 64 words that an instruction on lanes together may use. */
  String lanes() {
    return workspace.words(Wave.LANES);
  }

  /** The mask at a code, for {@link Chunk#mask}: empty if the run makes it. */
  String mask(int code) {
    return run != null && run.makesMask(code) ? "" : bits(code);
  }

  /** Adds one to a field of the context, an i32. */
  void count(int offset) {
    String at = ir.value("getelementptr i8, ptr %%c, i64 %d", offset);
    ir.line(
        "store i32 %s, ptr %s", ir.value("add i32 %s, 1", ir.value("load i32, ptr %s", at)), at);
  }

  /** A field of the context, an i64. */
  String field(int offset) {
    String at = ir.value("getelementptr i8, ptr %%c, i64 %d", offset);
    return ir.value("load i64, ptr %s", at);
  }

  /**
   * The bounds of a register, or of a pair, in the active lanes. The run, if there is one, must not
   * have changed it, except to a sum that {@link #access} was asked for.
   */
  Bounds bounds(int register, boolean wide) {
    Run now = run;
    boolean isSum = now != null && now.hasChanged(register, wide ? 2 : 1);
    Bounds known = (now != null && isSum ? now.made() : bounds).get(register, wide);
    if (known == null) {
      known = Bounds.of(this, register, wide);
      bounds.put(register, wide, known);
      if (now != null) {
        now.before().put(register, wide, known);
      }
    }
    return known;
  }

  /** An instruction writes these registers. */
  void changes(boolean accumulator, int register, int words) {
    uses(accumulator, register, words);
    if (!accumulator) {
      bounds.forget(register, words);
      if (run != null) {
        run.changes(register, words);
      }
    }
  }

  /** The address of one lane of a vector register. */
  String place(boolean accumulator, int register, String lane) {
    String index = ir.value("add i64 %s, %d", lane, register * Wave.LANES);
    return ir.value("getelementptr inbounds i32, ptr %s, i64 %s", accumulator ? "%a" : "%v", index);
  }

  /** The wave must have these registers. */
  void uses(boolean accumulator, int register, int words) {
    if (accumulator) {
      accumulators = Math.max(accumulators, register + words);
    } else {
      vectors = Math.max(vectors, register + words);
    }
  }
}
