package dev.rocport.device.nativecode;

/**
 * Where an instruction's lanes access memory.
 *
 * @param local in LDS, by a 32-bit offset a lane
 * @param base the code of the scalar base of global memory, with a 32-bit offset a lane; -1 for
 *     addresses of 64 bits
 * @param register the vector register of the offset, or the first of the address
 * @param offset bytes to add
 */
record Place(boolean local, int base, int register, int offset) {
  /** Bytes of a line of the host's cache. */
  private static final int LINE = 64;

  /** Lines that are asked for ahead of a load. */
  private static final int MOST_LINES = 8;

  /** Turns of a loop for which lines are asked for ahead. */
  private static final int TURNS = 3;

  boolean isNarrow() {
    return local || base >= 0;
  }

  /** Vector registers of the address. */
  int words() {
    return isNarrow() ? 1 : 2;
  }

  /** Checks that all active lanes may do it as a step of the run, or stops the wave. */
  Access check(WaveFunction f, int bytes, boolean stores) {
    if (base >= 0) {
      f.settle(base);
    }
    return check(f, bytes, stores, f.access(this, stores));
  }

  /** Checks that all active lanes may do it, or goes to a label. */
  Access check(WaveFunction f, int bytes, boolean stores, String stop) {
    Ir ir = f.ir;
    f.uses(false, register, words());
    Bounds bounds = f.bounds(register, !isNarrow());
    if (local) {
      String end = Bounds.sum(ir, bounds.most(), Integer.toString(offset + bytes));
      String inside = ir.value("icmp sle i64 %s, %s", end, f.field(Context.LDS_SIZE));
      String checked = ir.label("checked");
      ir.line("br i1 %s, label %%%s, label %%%s", inside, checked, stop);
      ir.block(checked);
      return new Access(this, f.field(Context.LDS), bytes);
    }
    String start =
        base >= 0 ? ir.value("add i64 %s, %d", f.pair(base), offset) : Integer.toString(offset);
    // A sum that wraps would pass as one inside.
    String least = Bounds.sum(ir, bounds.least(), start);
    String most = Bounds.sum(ir, bounds.most(), start);
    Allocations.permit(f, least, Bounds.sum(ir, most, Integer.toString(bytes)), stores, stop);
    if (!stores) {
      prefetch(f, least, bytes, ir.value("sub i64 %s, %s", most, least));
    }
    return new Access(this, start, bytes);
  }

  /** The lanes' offsets, or addresses: a vector of i32 or i64. */
  String address(Chunk c) {
    String low = c.register(false, register);
    if (isNarrow()) {
      return local ? c.i32("add", low, "splat (i32 %d)".formatted(offset)) : low;
    }
    String pair = c.pair(low, c.register(false, register + 1));
    return c.i64("add", pair, "splat (i64 %d)".formatted(offset));
  }

  /**
   * Asks for the lines that the lanes load from if they lie side by side, so that the waits for
   * them overlap.
   *
   * @param least the least address
   * @param span from there to the greatest
   */
  private static void prefetch(WaveFunction f, String least, int bytes, String span) {
    Ir ir = f.ir;
    int all = f.size * bytes;
    String ahead = ir.label("ahead");
    String close = ir.value("icmp ult i64 %s, %d", span, all);
    ir.line("br i1 %s, label %%%s, label %%%s.done", close, ahead, ahead);
    ir.block(ahead);
    prefetch(ir, least, all);
    if (f.isInLoop()) {
      // In the next turns, the lanes most often load from as far away as from the last to this one.
      String last = f.slot();
      String before = ir.value("load i64, ptr %s", last);
      ir.line("store i64 %s, ptr %s", least, last);
      String known = ir.value("icmp ne i64 %s, 0", before);
      ir.line("br i1 %s, label %%%s.more, label %%%s.done", known, ahead, ahead);
      ir.block(ahead + ".more");
      String step = ir.value("sub i64 %s, %s", least, before);
      String far = ir.value("mul i64 %s, %d", step, TURNS);
      prefetch(ir, ir.value("add i64 %s, %s", least, far), all);
    }
    ir.line("br label %%%s.done", ahead);
    ir.block(ahead + ".done");
  }

  private static void prefetch(Ir ir, String from, int all) {
    for (int at = 0; at < all; at += Math.max(LINE, all / MOST_LINES)) {
      String pointer = ir.value("inttoptr i64 %s to ptr", ir.value("add i64 %s, %d", from, at));
      ir.line("call void @llvm.prefetch.p0(ptr %s, i32 0, i32 3, i32 1)", pointer);
    }
  }
}
