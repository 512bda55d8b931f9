package dev.rocport.device.nativecode;

/**
 * How the addresses of the active lanes of a chunk lie: most often side by side, or all the same.
 *
 * @param near an i1: each lane's is where the one before ends
 * @param same an i1: all have the same
 * @param first that of lane 0, an i64 without base and offset
 */
record Neighbours(String near, String same, String first) {

  /**
   * @param bytes of each lane
   */
  static Neighbours of(Chunk c, Place place, int bytes) {
    Ir ir = c.ir;
    String low = c.register(false, place.register());
    String lane0 = ir.value("extractelement %s %s, i64 0", c.ints, low);
    String all = c.splat("i32", lane0);
    String row = c.i32("icmp eq", low, c.i32("add", all, c.counted(bytes)));
    String equal = c.i32("icmp eq", low, all);
    // Lane 0 may be inactive and have an offset below 0, from which active lanes lead back into
    // LDS.
    String first = ir.value("%s i32 %s to i64", place.local() ? "sext" : "zext", lane0);
    if (!place.isNarrow()) {
      String high = c.register(false, place.register() + 1);
      String high0 = ir.value("extractelement %s %s, i64 0", c.ints, high);
      String agree = c.i32("icmp eq", high, c.splat("i32", high0));
      row = ir.value("and %s %s, %s", c.bits, row, agree);
      equal = ir.value("and %s %s, %s", c.bits, equal, agree);
      first = ir.pair(lane0, high0);
    }
    String near = all(c, row);
    String same = all(c, equal);
    if (!place.local()) {
      // The sums of low words must not carry.
      int last = -1 - (c.width - 1) * bytes;
      near = ir.value("and i1 %s, %s", near, ir.value("icmp ule i32 %s, %d", lane0, last));
    }
    if (c.active != null) {
      String active0 = ir.value("extractelement %s %s, i64 0", c.bits, c.active);
      same = ir.value("and i1 %s, %s", same, active0);
    }
    return new Neighbours(near, same, first);
  }

  private static String all(Chunk c, String bits) {
    String known =
        c.active == null
            ? bits
            : c.ir.value(
                "select %s %s, %s %s, %s splat (i1 true)", c.bits, c.active, c.bits, bits, c.bits);
    String packed = c.ir.value("bitcast %s %s to i%d", c.bits, known, c.width);
    return c.ir.value("icmp eq i%d %s, -1", c.width, packed);
  }
}
