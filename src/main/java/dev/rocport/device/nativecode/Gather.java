package dev.rocport.device.nativecode;

/**
 * Functions that load or store an element of each lane of a chunk, where {@link Neighbours} did not
 * show that one access serves all: elements may still be side by side that are a part of what a
 * lane accesses, or belong to a chunk whose lanes are active among others that are not.
 */
final class Gather {
  private static final String SAME =
      """
        %first = extractelement <W x AT> %address, i64 0
        %one = insertelement <W x AT> poison, AT %first, i64 0
        %same = shufflevector <W x AT> %one, <W x AT> poison, <W x i32> zeroinitializer
      """;

  private static final String NEAR =
      """
        %next = add <W x AT> %same, <STEPS>
        %near = icmp eq <W x AT> %address, %next
        %near.bits = bitcast <W x i1> %near to iW
        %together = icmp eq iW %near.bits, -1
        br i1 %together, label %whole, label %each
      """;

  private static final String FUNCTIONS =
      """
      define internal <W x TYPE> @gather.PLACETYPE(PARAMETER<W x AT> %address, <W x i1> %active) noinline nounwind {
      entry:
        %bits = bitcast <W x i1> %active to iW
        %all = icmp eq iW %bits, -1
        br i1 %all, label %full, label %each
      full:
      """
          + SAME
          + NEAR
          + """
          whole:
            %start = FIRST
            %row = load <W x TYPE>, ptr %start, align 1
            ret <W x TYPE> %row
          each:
            %pointers = EACH
            %values = call <W x TYPE> @llvm.masked.gather.vWTYPE.vWp0(<W x ptr> %pointers, i32 1, <W x i1> %active, <W x TYPE> zeroinitializer)
            ret <W x TYPE> %values
          }
          define internal void @scatter.PLACETYPE(<W x TYPE> %values, PARAMETER<W x AT> %address, <W x i1> %active) noinline nounwind {
          entry:
            %bits = bitcast <W x i1> %active to iW
            %all = icmp eq iW %bits, -1
            br i1 %all, label %full, label %each
          full:
          """
          + SAME
          + NEAR
          + """
          whole:
            %start = FIRST
            store <W x TYPE> %values, ptr %start, align 1
            ret void
          each:
            %pointers = EACH
            call void @llvm.masked.scatter.vWTYPE.vWp0(<W x TYPE> %values, <W x ptr> %pointers, i32 1, <W x i1> %active)
            ret void
          }
          """;

  /** Stores more than 8 bytes of each lane, lane after lane, so that the highest one is last. */
  private static final String WIDE =
      """
      define internal void @scatter.PLACEBYTES(<W x i64> %low, <W x i64> %high, PARAMETER<W x AT> %address, <W x i1> %active) noinline nounwind {
      entry:
        %bits = bitcast <W x i1> %active to iW
        br label %head
      head:
        %left = phi iW [ %bits, %entry ], [ %rest, %body ]
        %none = icmp eq iW %left, 0
        br i1 %none, label %done, label %body
      body:
        %lane = call iW @llvm.cttz.iW(iW %left, i1 true)
        %less = sub iW %left, 1
        %rest = and iW %left, %less
        %first = extractelement <W x AT> %address, iW %lane
        %at = FIRST
        %value.low = extractelement <W x i64> %low, iW %lane
        %value.high = extractelement <W x i64> %high, iW %lane
        %value.part = CUT i64 %value.high to iREST
        %at.high = getelementptr i8, ptr %at, i64 8
        store i64 %value.low, ptr %at, align 1
        store iREST %value.part, ptr %at.high, align 1
        br label %head
      done:
        ret void
      }
      """;

  private Gather() {}

  /**
   * Loads elements of active lanes; 0 for the others.
   *
   * @param base the start of LDS, an i64, and addresses are offsets of 32 bits; else empty
   */
  static String load(Chunk c, String type, String base, String addresses) {
    return c.ir.value(
        "call <%d x %s> @gather.%s(%s, %s %s)",
        c.width, type, place(base) + type, at(c, base, addresses), c.bits, c.active());
  }

  /** Stores elements of active lanes, in the order of lanes. */
  static void store(Chunk c, String type, String values, String base, String addresses) {
    c.ir.line(
        "call void @scatter.%s(<%d x %s> %s, %s, %s %s)",
        place(base) + type, c.width, type, values, at(c, base, addresses), c.bits, c.active());
  }

  /**
   * Stores 12 or 16 bytes of active lanes, in the order of lanes.
   *
   * @param low the first 8 bytes, vectors of i64
   * @param high the others
   */
  static void store(Chunk c, int bytes, String low, String high, String base, String addresses) {
    c.ir.line(
        "call void @scatter.%s%d(%s %s, %s %s, %s, %s %s)",
        place(base),
        bytes,
        c.longs,
        low,
        c.longs,
        high,
        at(c, base, addresses),
        c.bits,
        c.active());
  }

  private static String place(String base) {
    return base.isEmpty() ? "" : "lds.";
  }

  private static String at(Chunk c, String base, String addresses) {
    return base.isEmpty()
        ? c.longs + " " + addresses
        : "ptr %s, %s %s".formatted(c.ir.value("inttoptr i64 %s to ptr", base), c.ints, addresses);
  }

  /** The functions for all types. */
  static String functions(int width) {
    StringBuilder text = new StringBuilder();
    for (boolean local : new boolean[] {false, true}) {
      for (int bytes = 1; bytes <= 8; bytes *= 2) {
        StringBuilder steps = new StringBuilder();
        for (int l = 0; l < width; l++) {
          steps.append(l == 0 ? "" : ", ").append(local ? "i32 " : "i64 ").append(l * bytes);
        }
        text.append(
            filled(
                FUNCTIONS.replace("STEPS", steps).replace("TYPE", "i" + 8 * bytes), width, local));
      }
      for (int bytes = 12; bytes <= 16; bytes += 4) {
        String function =
            WIDE.replace("BYTES", Integer.toString(bytes))
                .replace("CUT", bytes == 16 ? "bitcast" : "trunc")
                .replace("REST", Integer.toString(8 * bytes - 64));
        text.append(filled(function, width, local));
      }
    }
    return text.toString();
  }

  /** Offsets of active lanes are below the size of the LDS, so their sign does not matter. */
  private static String filled(String function, int width, boolean local) {
    String at = local ? "i32" : "i64";
    return function
        .replace("PARAMETER", local ? "ptr %base, " : "")
        .replace("PLACE", local ? "lds." : "")
        .replace(
            "FIRST",
            local ? "getelementptr i8, ptr %base, i32 %first" : "inttoptr i64 %first to ptr")
        .replace(
            "EACH",
            local
                ? "getelementptr i8, ptr %base, <W x i32> %address"
                : "inttoptr <W x i64> %address to <W x ptr>")
        .replace("x AT>", "x " + at + ">")
        .replace("AT %first", at + " %first")
        .replace("vW", "v" + width)
        .replace("iW", "i" + width)
        .replace("<W ", "<" + width + " ");
  }
}
