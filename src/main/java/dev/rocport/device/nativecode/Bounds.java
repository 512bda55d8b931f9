package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Wave;
import java.util.HashMap;
import java.util.Map;

/**
 * The least and the greatest value of a vector register in the active lanes, as i64: unsigned for
 * one register, signed for a pair. If no lane is active, the least is above the greatest.
 *
 * @param near what {@link #near} has made, by the number of bytes
 */
record Bounds(String least, String most, int register, Map<Integer, String> near) {

  static Bounds of(WaveFunction f, int register, boolean wide) {
    Ir ir = f.ir;
    String lanes = ir.value("bitcast i64 %s to <64 x i1>", f.pair(Wave.EXEC));
    String low = row(ir, register);
    if (!wide) {
      String least = reduced(ir, "umin", "i32", lanes, low, "-1");
      String most = reduced(ir, "umax", "i32", lanes, low, "0");
      return new Bounds(
          ir.value("zext i32 %s to i64", least),
          ir.value("zext i32 %s to i64", most),
          register,
          new HashMap<>());
    }
    String high = ir.value("zext <64 x i32> %s to <64 x i64>", row(ir, register + 1));
    String up = ir.value("shl <64 x i64> %s, splat (i64 32)", high);
    String both =
        ir.value("or <64 x i64> %s, %s", up, ir.value("zext <64 x i32> %s to <64 x i64>", low));
    return new Bounds(
        reduced(ir, "smin", "i64", lanes, both, Long.toString(Long.MAX_VALUE)),
        reduced(ir, "smax", "i64", lanes, both, Long.toString(Long.MIN_VALUE)),
        register,
        new HashMap<>());
  }

  /** An i1: all lanes are active, and each has so many bytes more than the one before. */
  String near(WaveFunction f, int bytes) {
    return near.computeIfAbsent(bytes, b -> neighbours(f, b));
  }

  /** Low words are enough: within the bounds, no two addresses have the same one. */
  private String neighbours(WaveFunction f, int bytes) {
    Ir ir = f.ir;
    String full = ir.value("icmp eq i64 %s, -1", f.pair(Wave.EXEC));
    String size = ir.value("sub i64 %s, %s", most, least);
    String fits = ir.value("icmp eq i64 %s, %d", size, (Wave.LANES - 1) * bytes);
    String low = row(ir, register);
    String first = ir.value("extractelement <64 x i32> %s, i64 0", low);
    String one = ir.value("insertelement <64 x i32> poison, i32 %s, i64 0", first);
    String same =
        ir.value("shufflevector <64 x i32> %s, <64 x i32> poison, <64 x i32> zeroinitializer", one);
    StringBuilder steps = new StringBuilder();
    for (int l = 0; l < Wave.LANES; l++) {
      steps.append(l == 0 ? "i32 " : ", i32 ").append(l * bytes);
    }
    String next = ir.value("add <64 x i32> %s, <%s>", same, steps);
    String equal = ir.value("icmp eq <64 x i32> %s, %s", low, next);
    String bits = ir.value("bitcast <64 x i1> %s to i64", equal);
    String all = ir.value("icmp eq i64 %s, -1", bits);
    return ir.value("and i1 %s, %s", ir.value("and i1 %s, %s", full, fits), all);
  }

  private static String row(Ir ir, int register) {
    String at = ir.value("getelementptr inbounds i32, ptr %%v, i64 %d", register * Wave.LANES);
    return ir.value("load <64 x i32>, ptr %s, align 4", at);
  }

  private static String reduced(
      Ir ir, String how, String type, String lanes, String values, String other) {
    String vector = "<64 x %s>".formatted(type);
    String kept =
        ir.value(
            "select <64 x i1> %s, %s %s, %s splat (%s %s)",
            lanes, vector, values, vector, type, other);
    return ir.value("call %s @llvm.vector.reduce.%s.v64%s(%s %s)", type, how, type, vector, kept);
  }
}
