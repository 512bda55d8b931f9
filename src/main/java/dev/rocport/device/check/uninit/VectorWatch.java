package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.vector.DppLanes;
import dev.rocport.device.op.vector.Signature;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A vector ALU instruction that treats each lane separately. */
final class VectorWatch extends AroundOp {
  private static final int NONE = -1;
  private static final int ROW = 16;

  private final Rule rule;
  private final VectorSource[] sources;
  private final boolean halves;
  private final Modifiers.@Nullable Packed packed;
  private final boolean clamps;

  /** The first number of the registers that it writes, or NONE. */
  private final int target;

  private final int words;
  private final long typeMask;

  /** Where the result goes in the register: its lowest bit and how many. */
  private int shift;

  private int width;
  private boolean signed;

  /** Bits outside of that stay as they were. */
  private boolean keeps;

  private final int mask;
  private final int sdst;
  private final boolean writesExec;
  private final int @Nullable [] dpp;
  private final long enabled;
  private final boolean bounded;

  /** Vector registers that it reads, each once. */
  private final int[] reads;

  private long readsLow;
  private long readsHigh;

  VectorWatch(Op plain, Signature signature) {
    super(plain);
    Instruction instruction = plain.instruction();
    this.rule = Rule.of(instruction.name());
    Operand to = null;
    int pair = NONE;
    List<Operand> named = new ArrayList<>();
    for (int i = 0; i < instruction.operands().size(); i++) {
      Operand operand = instruction.operands().get(i);
      if (!instruction.opcode().slots().get(i).destination()) {
        named.add(operand);
      } else if (operand instanceof Operand.Scalar(int code, int _)) {
        pair = code;
      } else {
        to = operand;
      }
    }
    this.sdst = pair;
    this.writesExec = instruction.name().startsWith("v_cmpx_");
    DataType result = signature.result();
    this.target = to == null ? NONE : Registers.number(to);
    this.words = result == null ? 0 : result.dwords();
    this.typeMask = result == null ? 0 : Rule.mask(result);
    int count = signature.sources().size();
    int maskCode = NONE;
    if (signature.takesMask()) {
      maskCode = Wave.VCC;
      if (named.size() > count && named.getLast() instanceof Operand.Scalar(int code, int _)) {
        maskCode = code;
        named.removeLast();
      }
    }
    this.mask = maskCode;
    if (named.size() == count - 1 && to != null) {
      named.add(to);
    }
    this.sources = new VectorSource[count];
    for (int i = 0; i < count; i++) {
      sources[i] = VectorSource.of(named.get(i), signature.sources().get(i));
    }
    Modifiers modifiers = instruction.modifiers();
    this.packed = modifiers instanceof Modifiers.Packed m ? m : null;
    this.halves =
        result != null
            && result.name().startsWith("PK_")
            && result.elementBits() == 16
            && instruction.name().startsWith("v_pk_");
    this.width = 32 * words;
    if (signature.keepsHalf()) {
      this.width = 16;
      this.keeps = true;
    }
    this.clamps =
        switch (modifiers) {
          case Modifiers.Vop3 m -> {
            modify(m, signature);
            yield m.clamp();
          }
          case Modifiers.Sdwa m -> {
            modify(m, signature);
            yield m.clamp();
          }
          case Modifiers.Packed m -> m.clamp();
          default -> false;
        };
    if (modifiers instanceof Modifiers.Dpp m) {
      this.dpp = DppLanes.of(m.control());
      this.bounded = m.boundControl();
      long lanes = 0;
      for (int lane = 0; lane < Wave.LANES; lane++) {
        boolean in =
            (m.rowMask() >> (lane / ROW) & 1) != 0 && (m.bankMask() >> (lane % ROW / 4) & 1) != 0;
        lanes |= in ? 1L << lane : 0;
      }
      this.enabled = lanes;
      for (int i = 0; i < Math.min(2, count); i++) {
        sign(i, signature.sources().get(i), m.abs(), m.neg());
      }
    } else {
      this.dpp = null;
      this.bounded = true;
      this.enabled = -1L;
    }
    Registers read = new Registers();
    for (VectorSource s : sources) {
      if (s.isVector()) {
        read.vector(s.register, s.words);
      } else if (s.isScalar()) {
        read.scalar(s.code, s.words);
      }
    }
    if (mask >= 0) {
      read.scalar(mask, 2);
    }
    if (keeps || dpp != null) {
      read.vector(target, words);
    }
    this.reads = read.vectors();
    this.readsLow = read.low();
    this.readsHigh = read.high();
  }

  private void modify(Modifiers.Vop3 m, Signature signature) {
    for (int i = 0; i < sources.length; i++) {
      DataType type = signature.sources().get(i);
      if ((m.opSel() >> i & 1) != 0 && type.elementBits() == 16) {
        sources[i].field(16, 16, false);
      }
      sign(i, type, m.abs(), m.neg());
    }
    if (keeps && width == 16) {
      shift = (m.opSel() & 8) != 0 ? 16 : 0;
    }
  }

  private void modify(Modifiers.Sdwa m, Signature signature) {
    for (int i = 0; i < Math.min(2, sources.length); i++) {
      int select = i == 0 ? m.src0Sel() : m.src1Sel();
      if (select != 6) {
        sources[i].field(
            select < 4 ? 8 * select : 16 * (select - 4),
            select < 4 ? 8 : 16,
            (m.sext() >> i & 1) != 0);
      }
      sign(i, signature.sources().get(i), m.abs(), m.neg());
    }
    if (m.dstSel() != 6 && target >= 0) {
      width = m.dstSel() < 4 ? 8 : 16;
      shift = m.dstSel() < 4 ? 8 * m.dstSel() : 16 * (m.dstSel() - 4);
      signed = m.dstUnused() == 1;
      keeps = m.dstUnused() == 2;
    } else {
      keeps = false;
      width = 32 * words;
    }
  }

  private void sign(int i, DataType type, int abs, int neg) {
    if (type.isFloat() || instruction().name().equals("v_cndmask_b32")) {
      int bits = type.elementBits();
      sources[i].sign(
          (abs >> i & 1) != 0, (neg >> i & 1) != 0, bits == 64 ? Long.MIN_VALUE : 1L << (bits - 1));
    }
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    long exec = wave.exec();
    long suspects = 0;
    long[] any = shade.any;
    for (int r : reads) {
      suspects |= any[r];
    }
    suspects &= dpp == null ? exec : -1L;
    if (suspects == 0 && !shade.anyOf(readsLow, readsHigh)) {
      plain.execute(wave);
      if (target >= 0 && dpp == null) {
        for (int w = 0; w < words; w++) {
          any[target + w] &= ~exec;
        }
      }
      if (sdst >= 0) {
        shade.defineScalars(sdst, 2);
      }
      return;
    }
    slow(wave, shade, exec);
  }

  @Override
  public @Nullable List<Action> actions() {
    Action without = reads.length > Fast.MOST ? null : plainly();
    return without == null ? null : List.of(new Fast(this, without));
  }

  /**
   * What {@link #execute} does, as constants: compiled blocks then have only the few looks at masks
   * that an instruction needs.
   *
   * @param a the first vector register that it reads, NONE if it reads fewer; the others likewise
   */
  private record Fast(
      VectorWatch watch,
      Action without,
      int a,
      int b,
      int c,
      int d,
      int e,
      int f,
      long readsLow,
      long readsHigh,
      int target,
      int words,
      int sdst,
      boolean crosses)
      implements Action {
    static final int MOST = 6;

    Fast(VectorWatch watch, Action without) {
      this(
          watch,
          without,
          watch.read(0),
          watch.read(1),
          watch.read(2),
          watch.read(3),
          watch.read(4),
          watch.read(5),
          watch.readsLow,
          watch.readsHigh,
          watch.dpp == null ? watch.target : NONE,
          watch.words,
          watch.sdst,
          watch.dpp != null);
    }

    @Override
    public void run(Wave wave, long exec) {
      Shade shade = Shade.of(wave);
      long[] any = shade.any;
      long suspects = of(any, a) | of(any, b) | of(any, c) | of(any, d) | of(any, e) | of(any, f);
      suspects &= crosses ? -1L : exec;
      if (suspects != 0 || shade.anyOf(readsLow, readsHigh)) {
        watch.slow(wave, shade, exec);
        return;
      }
      without.run(wave, exec);
      if (target >= 0) {
        any[target] &= ~exec;
        if (words == 2) {
          any[target + 1] &= ~exec;
        }
      }
      if (sdst >= 0) {
        shade.defineScalars(sdst, 2);
      }
    }

    private static long of(long[] any, int register) {
      return register < 0 ? 0 : any[register];
    }
  }

  private int read(int number) {
    return number < reads.length ? reads[number] : NONE;
  }

  private void slow(Wave wave, Shade shade, long exec) {
    Work work = shade.report.work();
    Lane x = work.lane;
    long written = exec & enabled;
    long tested = 0;
    long maskBits = mask >= 0 ? wave.s64(mask) : 0;
    long maskUndefined = mask >= 0 ? pair(shade, mask) : 0;
    int maskOrigin = 0;
    for (long m = written; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int first = lane;
      if (dpp != null) {
        first = dpp[lane];
        boolean active = first >= 0 && (exec >>> first & 1) != 0;
        if (!active && !bounded) {
          written &= ~(1L << lane);
          continue;
        }
        first = active ? first : NONE;
      }
      x.clear();
      x.number = lane;
      x.bit = (maskBits >>> lane & 1) != 0;
      x.ubit = (maskUndefined >>> lane & 1) != 0;
      long result =
          halves ? packed(wave, shade, x, lane, first) : whole(wave, shade, x, lane, first);
      int origin = result == 0 && !x.any() ? 0 : origin(shade, x, lane, first);
      if (rule.test() != null && rule.test().of(x)) {
        tested |= 1L << lane;
        maskOrigin = origin | Origins.COMPUTED;
      }
      boolean computes = !rule.copies() || x.ubit;
      work.origins[lane] = computes ? origin | Origins.COMPUTED : origin;
      work.bits[lane] = placed(result, shade, lane);
    }
    plain.execute(wave);
    if (target >= 0) {
      for (long m = written; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        shade.set(target, lane, (int) work.bits[lane], work.origins[lane]);
        if (words == 2) {
          shade.set(target + 1, lane, (int) (work.bits[lane] >>> 32), work.origins[lane]);
        }
      }
    }
    if (sdst >= 0) {
      tested &= written;
      shade.setScalar(sdst, (int) tested, maskOrigin);
      shade.setScalar(sdst + 1, (int) (tested >>> 32), maskOrigin);
      if (writesExec && tested != 0) {
        shade.report.branch(wave, tested, maskOrigin);
        shade.defineScalars(sdst, 2);
      }
    }
  }

  private static long pair(Shade shade, int code) {
    return (shade.s[code] & 0xffffffffL) | (long) shade.s[code + 1] << 32;
  }

  private long whole(Wave wave, Shade shade, Lane x, int lane, int first) {
    for (int i = 0; i < sources.length; i++) {
      int at = i == 0 ? first : lane;
      if (at >= 0) {
        x.set(i, sources[i].value(wave, at), sources[i].undefined(shade, at));
      }
    }
    long result = rule.result().of(x) & typeMask;
    return clamps && result != 0 ? typeMask : result;
  }

  private long packed(Wave wave, Shade shade, Lane x, int lane, int first) {
    Rule half = Rule.ofHalf(instruction().name());
    long result = 0;
    for (int h = 0; h < 2; h++) {
      for (int i = 0; i < sources.length; i++) {
        int at = i == 0 ? first : lane;
        int up = 16 * h;
        if (packed != null) {
          up = 16 * ((h == 0 ? packed.opSel() : packed.opSelHi()) >> i & 1);
        }
        x.set(
            i,
            sources[i].value(wave, at) >>> up & 0xffff,
            sources[i].undefined(shade, at) >>> up & 0xffff);
      }
      long part = half.result().of(x) & 0xffff;
      result |= (clamps && part != 0 ? 0xffff : part) << (16 * h);
    }
    // for the origin, which looks whether there is anything
    for (int i = 0; i < sources.length; i++) {
      x.set(i, 0, sources[i].undefined(shade, i == 0 ? first : lane));
    }
    return result;
  }

  private int origin(Shade shade, Lane x, int lane, int first) {
    if (x.ubit) {
      return shade.originOfScalar(shade.s[mask] != 0 ? mask : mask + 1);
    }
    if (x.ua != 0) {
      return sources[0].origin(shade, first);
    }
    return x.ub != 0
        ? sources[1].origin(shade, lane)
        : x.uc != 0 ? sources[2].origin(shade, lane) : Origins.REGISTER;
  }

  /** The undefined bits of the register or pair. */
  private long placed(long result, Shade shade, int lane) {
    if (words != 1) {
      return result;
    }
    long ones = width >= 32 ? 0xffffffffL : (1L << width) - 1;
    long field = (result & ones) << shift;
    if (keeps) {
      long old = shade.bits(target, lane) & 0xffffffffL;
      return field | (width >= 32 ? old : old & ~(ones << shift));
    }
    if (signed && (result >>> (width - 1) & 1) != 0) {
      return (field | -1L << (shift + width)) & 0xffffffffL;
    }
    return field;
  }
}
