package dev.rocport.device.nativecode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Steps that work lane by lane, emitted as a loop over chunks: once for all lanes active, and once
 * for some. A run moves values to or from memory in its first step only, so that all lanes have
 * done so before the next access.
 */
final class Run {
  private final WaveFunction function;
  private final String exec;
  private final List<Consumer<Chunk>> steps = new ArrayList<>();
  private final SortedSet<Integer> masks = new TreeSet<>();

  /**
   * @param exec the active lanes, an i64
   */
  Run(WaveFunction function, String exec) {
    this.function = function;
    this.exec = exec;
  }

  void step(Consumer<Chunk> step) {
    steps.add(step);
  }

  /** The run makes a mask for a pair of scalar registers. */
  void makes(int code) {
    masks.add(code);
  }

  /** Whether a scalar register is one of a mask that the run makes. */
  boolean makesScalar(int code) {
    return masks.contains(code) || masks.contains(code - 1);
  }

  boolean makesPair(int code) {
    return masks.contains(code);
  }

  void emit() {
    Ir ir = function.ir;
    String join = ir.label("join");
    String full = ir.label("full");
    String some = ir.label("some");
    String all = ir.value("icmp eq i64 %s, -1", exec);
    SortedMap<Integer, List<String>> results = new TreeMap<>();
    masks.forEach(m -> results.put(m, new ArrayList<>()));
    ir.line("br i1 %s, label %%%s, label %%%s", all, full, some);
    loop(full, join, true, results);
    loop(some, join, false, results);
    ir.block(join);
    List<String> made = new ArrayList<>();
    results.forEach((code, from) -> made.add(ir.value("phi i64 %s", String.join(", ", from))));
    int i = 0;
    for (int code : results.keySet()) {
      function.made(code, made.get(i++));
    }
  }

  /**
   * A mask that the chunks of a loop make together.
   *
   * @param before its name before a chunk
   * @param after its name after it
   * @param results receives where it comes from
   */
  private record Accumulated(int code, String before, String after, List<String> results) {}

  private void loop(
      String label, String join, boolean full, SortedMap<Integer, List<String>> results) {
    Ir ir = function.ir;
    String head = label + ".head";
    String latch = label + ".latch";
    String first = ir.name();
    String next = ir.name();
    List<Accumulated> accumulated = new ArrayList<>();
    ir.block(label);
    ir.line("br label %%%s", head);
    ir.block(head);
    ir.line("%s = phi i64 [ 0, %%%s ], [ %s, %%%s ]", first, label, next, latch);
    for (Map.Entry<Integer, List<String>> result : results.entrySet()) {
      Accumulated mask = new Accumulated(result.getKey(), ir.name(), ir.name(), result.getValue());
      accumulated.add(mask);
      ir.line("%s = phi i64 [ 0, %%%s ], [ %s, %%%s ]", mask.before(), label, mask.after(), latch);
    }
    int width = function.width;
    Chunk chunk = new Chunk(ir, width, first, full ? null : Chunk.bitsOf(ir, width, first, exec));
    steps.forEach(s -> s.accept(chunk));
    chunk.end();
    ir.line("br label %%%s", latch);
    ir.block(latch);
    for (Accumulated mask : accumulated) {
      ir.line("%s = or i64 %s, %s", mask.after(), mask.before(), chunk.placed(mask.code()));
      mask.results().add("[ %s, %%%s ]".formatted(mask.after(), latch));
    }
    ir.line("%s = add i64 %s, %d", next, first, width);
    String end = ir.value("icmp eq i64 %s, 64", next);
    ir.line("br i1 %s, label %%%s, label %%%s", end, join, head);
  }
}
