package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.op.matrix.Element;
import dev.rocport.device.op.matrix.Layout;
import dev.rocport.device.op.matrix.MatrixInstruction;
import dev.rocport.device.op.matrix.Shape;
import dev.rocport.device.op.matrix.Source;
import dev.rocport.device.wave.Wave;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Writes a matrix instruction: A and B are unpacked, then each row of D is a sum over the columns
 * of A, in the interpreter's order.
 */
final class MatrixWork {
  /** Lanes that are unpacked at once. */
  private static final int LANES = 8;

  private final WaveFunction f;
  private final Ir ir;
  private final MatrixInstruction m;
  private final Layout layout;
  private final Shape shape;

  /** The type of an element when it is unpacked, its bytes, and a row of them. */
  private final String type;

  private final int bytes;
  private final String row;

  /** Whether denormals count as 0: an i1; empty if they never do. */
  private final String flushes;

  MatrixWork(WaveFunction f, MatrixInstruction m) {
    this.f = f;
    this.ir = f.ir;
    this.m = m;
    this.layout = m.layout();
    this.shape = layout.shape();
    this.type =
        switch (m.result()) {
          case F64 -> "double";
          case I32 -> "i32";
          default -> "float";
        };
    this.bytes = 4 * m.result().dwords();
    this.row = "<%d x %s>".formatted(shape.n(), type);
    this.flushes = m.a().bits() == 16 ? Context.flushes(ir) : "";
  }

  void emit() {
    int bits = m.a().bits();
    int resultBits = 32 * m.result().dwords();
    MatrixForms.registers(m.operands().a(), layout.perLaneA(), bits).used(f);
    MatrixForms.registers(m.operands().b(), layout.perLaneB(), bits).used(f);
    if (!m.operands().c().isConstant()) {
      MatrixForms.registers(m.operands().c(), shape.results(), resultBits).used(f);
    }
    int sizeA = layout.perLaneA() * Wave.LANES * bytes;
    int sizeB = layout.perLaneB() * Wave.LANES * bytes;
    String a = f.workspace.words((sizeA + sizeB) / Integer.BYTES);
    String b = ir.value("getelementptr i8, ptr %s, i64 %d", a, sizeA);
    unpack(m.operands().a(), layout.perLaneA(), a, (m.blgp() & 1) != 0);
    unpack(m.operands().b(), layout.perLaneB(), b, (m.blgp() & 2) != 0);
    for (int block = 0; block < shape.blocks(); block++) {
      rows(block, a, b);
    }
    MatrixForms.registers(m.operands().d(), shape.results(), resultBits).changed(f);
  }

  private void loop(int end, int step, Consumer<String> body) {
    String label = ir.label("turn");
    String first = ir.name();
    String next = ir.name();
    ir.line("br label %%%s", label);
    ir.block(label);
    ir.line("br label %%%s.body", label);
    ir.block(label + ".body");
    ir.line("%s = phi i64 [ 0, %%%s ], [ %s, %%%s.body ]", first, label, next, label);
    body.accept(first);
    ir.line("%s = add i64 %s, %d", next, first, step);
    String done = ir.value("icmp eq i64 %s, %d", next, end);
    ir.line("br i1 %s, label %%%s.end, label %%%s.body", done, label, label);
    ir.block(label + ".end");
  }

  /** Element e of each lane goes to e * 64 + lane. */
  private void unpack(Source source, int perLane, String to, boolean negated) {
    loop(
        Wave.LANES,
        LANES,
        lane -> {
          for (int e = 0; e < perLane; e++) {
            String value = element(source, e, lane);
            if (negated) {
              value = ir.value("fneg <%d x %s> %s", LANES, type, value);
            }
            String index = ir.value("add i64 %s, %d", lane, e * Wave.LANES);
            String at = ir.value("getelementptr %s, ptr %s, i64 %s", type, to, index);
            ir.line("store <%d x %s> %s, ptr %s, align 4", LANES, type, value, at);
          }
        });
  }

  private String element(Source source, int e, String lane) {
    Element kind = m.a();
    String word = words(source, LANES, lane, e * kind.bits() / 32 * Wave.LANES);
    int shift = e * kind.bits() % 32;
    String ints = "<%d x i32>".formatted(LANES);
    String floats = "<%d x float>".formatted(LANES);
    return switch (kind) {
      case F64 -> doubles(source, LANES, lane);
      case I8 -> {
        String up = ir.value("shl %s %s, splat (i32 %d)", ints, word, 24 - shift);
        yield ir.value("ashr %s %s, splat (i32 24)", ints, up);
      }
      case F16 -> {
        String down = ir.value("lshr %s %s, splat (i32 %d)", ints, word, shift);
        String half = ir.value("trunc %s %s to <%d x i16>", ints, down, LANES);
        String bits = ir.value("bitcast <%d x i16> %s to <%d x half>", LANES, half, LANES);
        String value = ir.value("fpext <%d x half> %s to %s", LANES, bits, floats);
        yield flushed(value, LANES, 0x38800000);
      }
      case BF16 -> {
        String up =
            shift == 0
                ? ir.value("shl %s %s, splat (i32 16)", ints, word)
                : ir.value("and %s %s, splat (i32 -65536)", ints, word);
        yield flushed(ir.value("bitcast %s %s to %s", ints, up, floats), LANES, 0x00800000);
      }
      default -> ir.value("bitcast %s %s to %s", ints, word, floats);
    };
  }

  /** Floats that are smaller than the least, given by its bits, become 0 where that is so. */
  private String flushed(String value, int count, int least) {
    if (flushes.isEmpty()) {
      return value;
    }
    String ints = "<%d x i32>".formatted(count);
    String floats = "<%d x float>".formatted(count);
    String bits = ir.value("bitcast %s %s to %s", floats, value, ints);
    String size = ir.value("and %s %s, splat (i32 2147483647)", ints, bits);
    String small = ir.value("icmp ult %s %s, splat (i32 %d)", ints, size, least);
    String sign = ir.value("and %s %s, splat (i32 -2147483648)", ints, bits);
    String kept =
        ir.value("select <%d x i1> %s, %s %s, %s %s", count, small, ints, sign, ints, bits);
    String zero = ir.value("bitcast %s %s to %s", ints, kept, floats);
    return ir.value("select i1 %s, %s %s, %s %s", flushes, floats, zero, floats, value);
  }

  private void rows(int block, String a, String b) {
    int dwords = m.result().dwords();
    String table =
        f.workspace.table(
            IntStream.range(0, shape.m())
                .map(i -> layout.rowD(block, i))
                .map(x -> x / Wave.LANES * dwords * Wave.LANES + x % Wave.LANES)
                .toArray());
    loop(
        shape.m(),
        1,
        i -> {
          String entry = ir.value("getelementptr i32, ptr %s, i64 %s", table, i);
          String index = ir.value("zext i32 %s to i64", ir.value("load i32, ptr %s", entry));
          String sum = addend(index);
          for (int k = 0; k < layout.depth(); k++) {
            sum = multiplyAdd(sum, factor(a, layout.columnA(block, k), i), line(b, block, k));
          }
          store(sum, index);
        });
  }

  /** An element of A in all columns. */
  private String factor(String a, int column, String i) {
    String index = ir.value("add i64 %s, %d", i, column);
    String at = ir.value("getelementptr %s, ptr %s, i64 %s", type, a, index);
    String one = ir.value("load %s, ptr %s", type, at);
    String in = ir.value("insertelement %s poison, %s %s, i64 0", row, type, one);
    return ir.value(
        "shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", row, in, row, shape.n());
  }

  /** A row of B. */
  private String line(String b, int block, int k) {
    String at = ir.value("getelementptr %s, ptr %s, i64 %d", type, b, layout.rowB(block, k));
    return ir.value("load %s, ptr %s, align 4", row, at);
  }

  private String multiplyAdd(String sum, String factor, String line) {
    if (m.result() == DataType.I32) {
      return ir.value("add %s %s, %s", row, sum, ir.value("mul %s %s, %s", row, factor, line));
    }
    String name = "llvm.fma.v%d%s".formatted(shape.n(), m.result() == DataType.F64 ? "f64" : "f32");
    return ir.value(
        "call %s @%s(%s %s, %s %s, %s %s)", row, name, row, factor, row, line, row, sum);
  }

  private String addend(String index) {
    Source c = m.operands().c();
    String value;
    if (c.isConstant()) {
      int n = shape.n();
      value =
          m.result() == DataType.F64
              ? ir.value("bitcast <%d x i64> splat (i64 %d) to %s", n, c.constant(), row)
              : ir.value("bitcast <%d x i32> splat (i32 %d) to %s", n, (int) c.constant(), row);
    } else if (m.result() == DataType.F64) {
      value = doubles(c, shape.n(), index);
    } else {
      String words = words(c, shape.n(), index, 0);
      value = ir.value("bitcast <%d x i32> %s to %s", shape.n(), words, row);
    }
    if (m.result() == DataType.F64 && (m.blgp() & 4) != 0) {
      return ir.value("fneg %s %s", row, value);
    }
    return c.isConstant() ? value : flushed(value, shape.n(), 0x00800000);
  }

  /** NaN, as the interpreter writes it, where a float is any NaN. */
  private String oneNan(String value) {
    int n = shape.n();
    String nan = "0x7FF8000000000000"; // LLVM writes floats as doubles
    String isNan = ir.value("fcmp uno %s %s, %s", row, value, value);
    return ir.value(
        "select <%d x i1> %s, %s splat (%s %s), %s %s", n, isNan, row, type, nan, row, value);
  }

  private void store(String result, String index) {
    Source d = m.operands().d();
    int n = shape.n();
    String sum = m.result() == DataType.I32 ? result : oneNan(result);
    if (m.result() == DataType.F64) {
      String wide = ir.value("bitcast %s %s to <%d x i64>", row, sum, n);
      String low = ir.value("trunc <%d x i64> %s to <%d x i32>", n, wide, n);
      String down = ir.value("lshr <%d x i64> %s, splat (i64 32)", n, wide);
      String high = ir.value("trunc <%d x i64> %s to <%d x i32>", n, down, n);
      ir.line("store <%d x i32> %s, ptr %s, align 4", n, low, place(d, index, 0));
      ir.line("store <%d x i32> %s, ptr %s, align 4", n, high, place(d, index, Wave.LANES));
      return;
    }
    String value = flushed(sum, n, 0x00800000);
    ir.line("store %s %s, ptr %s, align 4", row, value, place(d, index, 0));
  }

  private String place(Source source, String index, int more) {
    String at = ir.value("add i64 %s, %d", index, source.first() + more);
    return ir.value("getelementptr i32, ptr %s, i64 %s", source.accumulators() ? "%a" : "%v", at);
  }

  private String words(Source source, int count, String index, int more) {
    return ir.value("load <%d x i32>, ptr %s, align 4", count, place(source, index, more));
  }

  private String doubles(Source source, int count, String index) {
    String longs = "<%d x i64>".formatted(count);
    String low = words(source, count, index, 0);
    String high = words(source, count, index, Wave.LANES);
    String wide = ir.value("zext <%d x i32> %s to %s", count, high, longs);
    String up = ir.value("shl %s %s, splat (i64 32)", longs, wide);
    String down = ir.value("zext <%d x i32> %s to %s", count, low, longs);
    String both = ir.value("or %s %s, %s", longs, up, down);
    return ir.value("bitcast %s %s to <%d x double>", longs, both, count);
  }
}
