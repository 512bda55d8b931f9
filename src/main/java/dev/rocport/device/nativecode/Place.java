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
      String end = ir.value("add i64 %s, %d", bounds.most(), offset + bytes);
      String inside = ir.value("icmp sle i64 %s, %s", end, f.field(Context.LDS_SIZE));
      String checked = ir.label("checked");
      ir.line("br i1 %s, label %%%s, label %%%s", inside, checked, stop);
      ir.block(checked);
      return new Access(this, f.field(Context.LDS), bytes);
    }
    String start =
        base >= 0 ? ir.value("add i64 %s, %d", f.pair(base), offset) : Integer.toString(offset);
    String least = ir.value("add i64 %s, %s", bounds.least(), start);
    String most = ir.value("add i64 %s, %s", bounds.most(), start);
    Allocations.permit(f, least, ir.value("add i64 %s, %d", most, bytes), stores, stop);
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
}
