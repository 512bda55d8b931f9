package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.ScratchDescriptor;
import dev.rocport.device.op.memory.Width;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Loads and stores of a lane's own scratch, by scratch instructions or by buffer instructions with
 * the descriptor that the wave began with. {@link ScratchDescriptor} says how its bytes lie in
 * memory: a word that all lanes have at the same place is a row of 64 words.
 */
final class ScratchForms {
  private static final int ROW = 4 * Wave.LANES;

  private ScratchForms() {}

  static @Nullable Form of(Instruction i) {
    if (!(i.modifiers() instanceof Modifiers.Memory m) || m.lds() || m.idxen()) {
      return null;
    }
    boolean buffer = i.opcode().encoding() == Encoding.MUBUF;
    if (buffer && i.opcode().generation() != Generation.CDNA) {
      return null; // its descriptors are others, and its scratch needs none
    }
    String verb = i.name().substring(i.name().indexOf('_') + 1);
    boolean loads = verb.startsWith("load_");
    if (!loads && !verb.startsWith("store_")) {
      return null;
    }
    Width width = MemoryForms.width(verb.substring(verb.indexOf('_') + 1)).orElse(null);
    Registers data = MemoryForms.registers(i, loads && !buffer ? "vdst" : "vdata");
    if (width == null || data == null) {
      return null;
    }
    int address = -1;
    if (!buffer || m.offen()) {
      address = i.operand("vaddr") instanceof Operand.Vector(int register, int _) ? register : -1;
    }
    int lanes = address;
    return (Form.Moves)
        f -> {
          Own own = buffer ? ofBuffer(f, i, m.offset(), lanes) : ofScratch(f, i, m.offset(), lanes);
          if (loads) {
            load(f, own, lanes, width, data);
          } else {
            store(f, own, lanes, width, data);
          }
        };
  }

  /**
   * What has been read of an access.
   *
   * @param start bytes of a lane before the address in a vector register, an i64
   * @param stop the label to go to if it cannot be done here
   */
  private record Own(String start, String stop) {}

  private static Own ofScratch(WaveFunction f, Instruction i, int offset, int lanes) {
    Ir ir = f.ir;
    String start = Integer.toString(offset);
    if (i.operand("saddr") instanceof Operand.Scalar(int code, int _)) {
      String sum = ir.value("add i32 %s, %d", f.scalar(code), offset);
      start = ir.value("sext i32 %s to i64", sum);
    }
    return new Own(start, f.accessOwn(lanes));
  }

  private static Own ofBuffer(WaveFunction f, Instruction i, int offset, int lanes) {
    Ir ir = f.ir;
    if (!(i.operand("srsrc") instanceof Operand.Scalar(int code, int _))) {
      throw new IllegalArgumentException(i + " has no descriptor");
    }
    String scalar =
        i.operand("soffset") instanceof Operand.Scalar(int register, int _)
            ? f.scalar(register)
            : Integer.toString((int) DataType.U32.constant(i.operand("soffset")));
    String low = f.pair(code);
    String high = f.pair(code + 2);
    String stop = f.accessOwn(lanes);
    int[] words = new ScratchDescriptor(0).words();
    String base = ir.value("and i64 %s, 281474976710655", f.field(Context.SCRATCH));
    String first = ir.value("or i64 %s, %d", base, (long) words[1] << 32);
    String own = ir.value("icmp eq i64 %s, %s", low, first);
    long second = (words[2] & 0xffffffffL) | (long) words[3] << 32;
    own = ir.value("and i1 %s, %s", own, ir.value("icmp eq i64 %s, %d", high, second));
    String rest = ir.value("and i32 %s, %d", scalar, ROW - 1);
    own = ir.value("and i1 %s, %s", own, ir.value("icmp eq i32 %s, 0", rest));
    go(f, own, stop);
    String rows = ir.value("zext i32 %s to i64", ir.value("lshr i32 %s, 6", scalar));
    return new Own(ir.value("add i64 %s, %d", rows, offset), stop);
  }

  private static void go(WaveFunction f, String condition, String stop) {
    String label = f.ir.label("own");
    f.ir.line("br i1 %s, label %%%s, label %%%s", condition, label, stop);
    f.ir.block(label);
  }

  /** Goes on if all lanes' bytes are in their scratch, and no word is begun by another's part. */
  private static void check(WaveFunction f, Own own, int lanes, int bytes) {
    Ir ir = f.ir;
    String least = own.start();
    String most = own.start();
    String bits = ir.value("add i64 %s, 0", own.start());
    if (lanes >= 0) {
      f.uses(false, lanes, 1);
      Bounds bounds = f.bounds(lanes, false);
      least = ir.value("add i64 %s, %s", bounds.least(), own.start());
      most = ir.value("add i64 %s, %s", bounds.most(), own.start());
      bits = ir.value("or i64 %s, %s", bits, ir.value("zext i32 %s to i64", Bounds.bits(f, lanes)));
    }
    String end = ir.value("add i64 %s, %d", most, bytes);
    String inside = ir.value("icmp sge i64 %s, 0", least);
    String below = ir.value("icmp sle i64 %s, %s", end, f.field(Context.SCRATCH_SIZE));
    inside = ir.value("and i1 %s, %s", inside, below);
    String low = ir.value("and i64 %s, %d", bits, Math.min(bytes, 4) - 1);
    go(f, ir.value("and i1 %s, %s", inside, ir.value("icmp eq i64 %s, 0", low)), own.stop());
  }

  /** The words of an access in a chunk, by their number. */
  private interface Words {
    String load(int dword);

    void store(int dword, String value);
  }

  private static void load(WaveFunction f, Own own, int lanes, Width width, Registers to) {
    check(f, own, lanes, width.bytes());
    to.changed(f);
    Function<Chunk, Words> place = place(f, own, lanes, width);
    f.run()
        .step(
            c -> {
              Words words = place.apply(c);
              List<String> values = new ArrayList<>();
              for (int d = 0; d < width.dwords(); d++) {
                values.add(words.load(d));
              }
              MemoryForms.set(c, to, values);
            });
  }

  private static void store(WaveFunction f, Own own, int lanes, Width width, Registers from) {
    check(f, own, lanes, width.bytes());
    from.used(f);
    Function<Chunk, Words> place = place(f, own, lanes, width);
    f.run()
        .step(
            c -> {
              Words words = place.apply(c);
              List<String> values = MemoryForms.words(c, width, from);
              for (int d = 0; d < width.dwords(); d++) {
                words.store(d, values.get(d));
              }
            });
  }

  private static Function<Chunk, Words> place(WaveFunction f, Own own, int lanes, Width width) {
    if (lanes >= 0) {
      String scratch = f.field(Context.SCRATCH);
      return c -> new Apart(c, width, addresses(c, scratch, lanes, own.start()));
    }
    String row = row(f, own.start());
    String shift = shift(f, own.start());
    return c -> new Rows(c, width, row, shift);
  }

  /** Words at a place of each lane's own. */
  private record Apart(Chunk c, Width width, String addresses) implements Words {
    @Override
    public String load(int dword) {
      if (width.bytes() >= 4) {
        return Gather.load(c, "i32", "", moved(dword));
      }
      return extended(c, width, Gather.load(c, "i" + 8 * width.bytes(), "", addresses));
    }

    @Override
    public void store(int dword, String value) {
      if (width.bytes() >= 4) {
        Gather.store(c, "i32", value, "", moved(dword));
      } else {
        String cut = c.convert("trunc", c.ints, value, narrow(c, width));
        Gather.store(c, "i" + 8 * width.bytes(), cut, "", addresses);
      }
    }

    private String moved(int dword) {
      return dword == 0
          ? addresses
          : c.i64("add", addresses, "splat (i64 %d)".formatted(dword * ROW));
    }
  }

  /**
   * Words at one place of all lanes.
   *
   * @param row where they begin, an i64
   * @param shift the bits of a word that are below the place, an i32
   */
  private record Rows(Chunk c, Width width, String row, String shift) implements Words {
    @Override
    public String load(int dword) {
      String word = c.ir.value("load %s, ptr %s, align 4", c.ints, at(dword));
      if (width.bytes() >= 4) {
        return word;
      }
      String down = c.i32("lshr", word, c.splat("i32", shift));
      return extended(c, width, c.convert("trunc", c.ints, down, narrow(c, width)));
    }

    @Override
    public void store(int dword, String value) {
      String at = at(dword);
      String word = width.bytes() >= 4 ? value : joined(at, value);
      if (c.active == null) {
        c.ir.line("store %s %s, ptr %s, align 4", c.ints, word, at);
      } else {
        c.ir.line(
            "call void @llvm.masked.store.v%di32.p0(%s %s, ptr %s, i32 4, %s %s)",
            c.width, c.ints, word, at, c.bits, c.active);
      }
    }

    /** The word that is there, with a part of it replaced. */
    private String joined(String at, String part) {
      String by = c.splat("i32", shift);
      String field = c.i32("shl", LaneWork.n((1 << (8 * width.bytes())) - 1), by);
      String old = c.ir.value("load %s, ptr %s, align 4", c.ints, at);
      String others = c.i32("and", old, c.i32("xor", field, LaneWork.n(-1)));
      return c.i32("or", others, c.i32("and", c.i32("shl", part, by), field));
    }

    private String at(int dword) {
      Ir ir = c.ir;
      String lane = ir.value("shl i64 %s, 2", c.first);
      String at = ir.value("add i64 %s, %s", ir.value("add i64 %s, %d", row, dword * ROW), lane);
      return ir.value("inttoptr i64 %s to ptr", at);
    }
  }

  private static String narrow(Chunk c, Width width) {
    return "<%d x i%d>".formatted(c.width, 8 * width.bytes());
  }

  private static String extended(Chunk c, Width width, String value) {
    return c.convert(width.signed() ? "sext" : "zext", narrow(c, width), value, c.ints);
  }

  /** Where the words of all lanes begin that a place is in, an i64. */
  private static String row(WaveFunction f, String start) {
    Ir ir = f.ir;
    String rows = ir.value("shl i64 %s, 8", ir.value("ashr i64 %s, 2", start));
    return ir.value("add i64 %s, %s", f.field(Context.SCRATCH), rows);
  }

  /** The bits of a word that are below a place, an i32. */
  private static String shift(WaveFunction f, String start) {
    String low = f.ir.value("and i64 %s, 3", start);
    return f.ir.low(f.ir.value("shl i64 %s, 3", low));
  }

  private static String addresses(Chunk c, String scratch, int register, String start) {
    String offset = c.convert("zext", c.ints, c.register(false, register), c.longs);
    offset = c.i64("add", offset, c.splat("i64", start));
    String rows = c.i64("shl", c.i64("lshr", offset, "splat (i64 2)"), "splat (i64 8)");
    String lanes = c.convert("zext", c.ints, c.i32("shl", c.lanes(), LaneWork.n(2)), c.longs);
    String within = c.i64("add", lanes, c.i64("and", offset, "splat (i64 3)"));
    String at = c.i64("add", c.splat("i64", scratch), rows);
    return c.i64("add", at, within);
  }
}
