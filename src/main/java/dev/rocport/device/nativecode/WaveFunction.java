package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Wave;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the function of a region.
 *
 * <p>Vector registers are in the wave's arrays at any time. Scalar registers are local variables,
 * which are stored where the function ends. Its parameters are the arrays {@code v}, {@code a} and
 * {@code s}, the {@link Context}, the number of the entry, and the budget of instructions.
 */
final class WaveFunction {
  static final String NAME = "rocport_wave";

  /** Keeps the compiler from moving accesses to memory. */
  static final String BARRIER = "call void asm sideeffect \"\", \"~{memory}\"()";

  final Ir ir = new Ir();

  /** Lanes of a chunk. */
  final int width;

  private final Region region;
  private final SortedSet<Integer> scalars = new TreeSet<>();
  private final SortedSet<Integer> written = new TreeSet<>();
  private @Nullable Run run;
  private int windows;
  private int vectors;
  private int accumulators;
  private boolean usesLanes;

  /**
   * Bounds of registers that are known in this block: key register, or its complement for a pair.
   */
  private final Map<Integer, Bounds> bounds = new HashMap<>();

  private final SortedSet<Integer> outside = new TreeSet<>();

  private WaveFunction(Region region, int width) {
    this.region = region;
    this.width = width;
  }

  /**
   * The function of a region.
   *
   * @param text a module of LLVM IR
   * @param entries the indices of instructions at which it can begin, in the order of their numbers
   * @param vectors vector registers that the wave must have
   * @param accumulators accumulation registers that it must have
   */
  record Written(String text, List<Integer> entries, int vectors, int accumulators) {}

  /**
   * @param width lanes of a chunk: 8 or 16
   */
  static Written write(Region region, int width) {
    WaveFunction f = new WaveFunction(region, width);
    f.body();
    return new Written(
        f.module(), List.copyOf(region.blocks().keySet()), f.vectors, f.accumulators);
  }

  private static String label(int pc) {
    return "at" + pc;
  }

  private void body() {
    for (Map.Entry<Integer, List<Region.Line>> e : region.blocks().entrySet()) {
      List<Region.Line> lines = e.getValue();
      ir.block(label(e.getKey()));
      String before = ir.value("load i64, ptr %%n");
      String after = ir.value("add i64 %s, %d", before, lines.size());
      String over = ir.value("icmp ugt i64 %s, %%budget", after);
      String go = ir.label("go");
      ir.line("br i1 %s, label %%%s, label %%%s", over, label(e.getKey()) + ".stop", go);
      StringBuilder stops = new StringBuilder();
      stop(stops, label(e.getKey()) + ".stop", e.getKey(), before, 0);
      ir.block(go);
      bounds.clear();
      ir.line("store i64 %s, ptr %%n", after);
      block(lines, before, stops);
      ir.append(stops);
    }
  }

  private void block(List<Region.Line> lines, String before, StringBuilder stops) {
    int count = 0;
    for (Region.Line line : lines) {
      String stop = "stop" + line.pc();
      Form form = line.form();
      if (Region.isBranch(line.instruction())) {
        flush();
        branch(line);
        return;
      }
      switch (form) {
        case null -> {
          flush();
          ir.line("br label %%%s", stop);
          stop(stops, stop, line.pc(), before, count);
          return;
        }
        case Form.Nothing _ -> {}
        case Form.Scalar s -> s.emit(this);
        case Form.Lanes l -> l.emit(this);
        case Form.Whole w -> {
          flush();
          w.emit(this, stop);
          stop(stops, stop, line.pc(), before, count);
        }
      }
      count++;
    }
    flush();
    go(lines.getLast().next());
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
          case "s_cbranch_vccz" -> ir.value("icmp eq i64 %s, 0", pair(Wave.VCC));
          case "s_cbranch_vccnz" -> ir.value("icmp ne i64 %s, 0", pair(Wave.VCC));
          case "s_cbranch_execz" -> ir.value("icmp eq i64 %s, 0", pair(Wave.EXEC));
          default -> ir.value("icmp ne i64 %s, 0", pair(Wave.EXEC));
        };
    ir.line("br i1 %s, label %%%s, label %%%s", taken, reach(line.target()), reach(line.next()));
  }

  private static void stop(StringBuilder stops, String label, int pc, String before, int count) {
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

  private String module() {
    StringBuilder text = new StringBuilder();
    text.append("define void @").append(NAME);
    text.append(
        "(ptr noalias %v, ptr noalias %a, ptr noalias %s, ptr noalias %c, i32 %number, i64 %budget)"
            + " #0 {\n");
    text.append("entry:\n  %n = alloca i64\n  %pc = alloca i32\n  %scc = alloca i1\n");
    text.append("  store i64 0, ptr %n\n");
    if (usesLanes) {
      text.append("  %lanes = alloca [64 x i32], align 64\n");
    }
    for (int w = 0; w < windows; w++) {
      text.append("  %w").append(w).append(" = alloca [2 x i64]\n");
      text.append("  store [2 x i64] [i64 1, i64 0], ptr %w").append(w).append('\n');
    }
    text.append(
        "  %scc.at = getelementptr i8, ptr %c, i64 12\n  %scc.in = load i32, ptr %scc.at\n");
    text.append("  %scc.bit = trunc i32 %scc.in to i1\n  store i1 %scc.bit, ptr %scc\n");
    for (int code : scalars) {
      text.append(
          """
            %%s%1$d = alloca i32
            %%s%1$d.at = getelementptr i32, ptr %%s, i64 %1$d
            %%s%1$d.in = load i32, ptr %%s%1$d.at
            store i32 %%s%1$d.in, ptr %%s%1$d
          """
              .formatted(code));
    }
    text.append("  switch i32 %number, label %end [");
    int number = 0;
    for (int pc : region.blocks().keySet()) {
      text.append(" i32 ").append(number++).append(", label %").append(label(pc));
    }
    text.append(" ]\n").append(ir);
    for (int pc : outside) {
      text.append("outside%d:%n  store i32 %d, ptr %%pc%n  br label %%end%n".formatted(pc, pc));
    }
    text.append("end:\n");
    for (int code : written) {
      text.append(
          "  %%s%1$d.out = load i32, ptr %%s%1$d%n  store i32 %%s%1$d.out, ptr %%s%1$d.at%n"
              .formatted(code));
    }
    text.append(
        """
          %scc.now = load i1, ptr %scc
          %scc.out = zext i1 %scc.now to i32
          store i32 %scc.out, ptr %scc.at
          %n.out = load i64, ptr %n
          store i64 %n.out, ptr %c
          %pc.out = load i32, ptr %pc
          %pc.at = getelementptr i8, ptr %c, i64 8
          store i32 %pc.out, ptr %pc.at
          ret void
        }
        """);
    text.append(Allocations.FIND);
    text.append(Gather.functions(width));
    text.append("attributes #0 = { nounwind \"denormal-fp-math\"=\"ieee,ieee\" }\n");
    return text.toString();
  }

  /** The run that lane steps are added to. */
  Run run() {
    if (run == null) {
      run = new Run(this, pair(Wave.EXEC));
    }
    return run;
  }

  /** Ends the run. */
  void flush() {
    Run ending = run;
    run = null;
    if (ending != null) {
      ending.emit();
    }
  }

  /** Stores a mask that a run has made. */
  void made(int code, String mask) {
    pair(code, mask);
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
    scalars.add(code);
    written.add(code);
    ir.line("store i32 %s, ptr %%s%d", value, code);
  }

  /** An i64 of a pair of scalar registers. */
  String pair(int code) {
    String low = ir.value("zext i32 %s to i64", scalar(code));
    String high = ir.value("zext i32 %s to i64", scalar(code + 1));
    String up = ir.value("shl i64 %s, 32", high);
    return ir.value("or i64 %s, %s", low, up);
  }

  /** Sets a pair of scalar registers to an i64. */
  void pair(int code, String value) {
    scalar(code, ir.value("trunc i64 %s to i32", value));
    String up = ir.value("lshr i64 %s, 32", value);
    scalar(code + 1, ir.value("trunc i64 %s to i32", up));
  }

  /** The scalar condition code, an i1. */
  String scc() {
    return ir.value("load i1, ptr %%scc");
  }

  void scc(String bit) {
    ir.line("store i1 %s, ptr %%scc", bit);
  }

  /**
   * Goes on if bytes of global memory may be accessed.
   *
   * @param least their first address, an i64
   * @param end the address after them, an i64
   * @param stop the label to go to otherwise
   */
  void permit(String least, String end, boolean stores, String stop) {
    String window = window();
    String look = ir.label("look");
    String known = look + ".known";
    String from = ir.value("load i64, ptr %s", window);
    String at = ir.value("getelementptr i8, ptr %s, i64 8", window);
    String to = ir.value("load i64, ptr %s", at);
    String above = ir.value("icmp sle i64 %s, %s", from, least);
    String below = ir.value("icmp sle i64 %s, %s", end, to);
    String inside = ir.value("and i1 %s, %s", above, below);
    ir.line("br i1 %s, label %%%s, label %%%s", inside, known, look);
    ir.block(look);
    String found =
        ir.value(
            "call i1 @find(ptr %%c, i64 %s, i64 %s, i1 %s, ptr %s)", least, end, stores, window);
    ir.line("br i1 %s, label %%%s, label %%%s", found, known, stop);
    ir.block(known);
  }

  /** A variable that keeps the bounds of the allocation that an access was in. */
  private String window() {
    return "%w" + windows++;
  }

  /** 64 words that an instruction on lanes together may use. */
  String lanes() {
    usesLanes = true;
    return "%lanes";
  }

  /** The mask in a pair of scalar registers, for {@link Chunk#mask}: empty if the run makes it. */
  String mask(int code) {
    return run != null && run.makesPair(code) ? "" : pair(code);
  }

  /** A field of the context, an i64. */
  String field(int offset) {
    String at = ir.value("getelementptr i8, ptr %%c, i64 %d", offset);
    return ir.value("load i64, ptr %s", at);
  }

  /** The bounds of a register, or of a pair, in the active lanes. The run must have ended. */
  Bounds bounds(int register, boolean wide) {
    Bounds known = bounds.get(wide ? ~register : register);
    if (known == null) {
      known = Bounds.of(this, register, wide);
      bounds.put(wide ? ~register : register, known);
    }
    return known;
  }

  /** An instruction writes these registers. */
  void changes(boolean accumulator, int register, int words) {
    uses(accumulator, register, words);
    if (!accumulator) {
      for (int r = register - 1; r < register + words; r++) {
        bounds.remove(~r);
        bounds.remove(r);
      }
    }
  }

  /** The address of one lane of a vector register. */
  String place(boolean accumulator, int register, String lane) {
    String index = ir.value("add i64 %s, %d", lane, register * Wave.LANES);
    return ir.value("getelementptr inbounds i32, ptr %s, i64 %s", accumulator ? "%a" : "%v", index);
  }

  /**
   * Adds a loop over the active lanes, from 0 up.
   *
   * @param body adds what is done for a lane, whose number it gets as an i64
   */
  void eachLane(Consumer<String> body) {
    String exec = pair(Wave.EXEC);
    String before = ir.label("lanes");
    String head = before + ".head";
    String first = before + ".body";
    String next = before + ".next";
    String done = before + ".done";
    ir.line("br label %%%s", before);
    ir.block(before);
    ir.line("br label %%%s", head);
    ir.block(head);
    String left = ir.name();
    String rest = ir.name();
    ir.line("%s = phi i64 [ %s, %%%s ], [ %s, %%%s ]", left, exec, before, rest, next);
    String none = ir.value("icmp eq i64 %s, 0", left);
    ir.line("br i1 %s, label %%%s, label %%%s", none, done, first);
    ir.block(first);
    body.accept(ir.value("call i64 @llvm.cttz.i64(i64 %s, i1 true)", left));
    ir.line("br label %%%s", next);
    ir.block(next);
    ir.line("%s = and i64 %s, %s", rest, left, ir.value("sub i64 %s, 1", left));
    ir.line("br label %%%s", head);
    ir.block(done);
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
