package dev.rocport.device.check.uninit;

import dev.rocport.device.check.DppSources;
import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.vector.Signature;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How undefined bits go through a vector ALU instruction that treats each lane separately. */
final class VectorFlow {
  private static final int NONE = -1;

  private final String name;
  private final Rule rule;
  private final VectorSource[] sources;
  private final boolean halves;
  private final Modifiers.@Nullable Packed packed;
  private final boolean clamps;

  /** The first number of the registers that it writes, or NONE. */
  final int target;

  final int words;
  private final long typeMask;

  /** Where the result goes in the register: its lowest bit and how many. */
  private int shift;

  private int width;
  private boolean signed;

  /** Bits outside of that stay as they were. */
  private boolean keeps;

  private final int mask;

  /** The first scalar register of the mask that it writes, or NONE. */
  final int sdst;

  /** Scalar registers of a mask. */
  final int maskWords;

  private final boolean writesExec;

  /** What each lane reads of the first source; null where that is its own. */
  private final @Nullable DppSources moved;

  /** Vector registers that it reads, each once. */
  final int[] reads;

  final long readsLow;
  final long readsHigh;

  VectorFlow(Instruction instruction, Signature signature) {
    this.name = instruction.name();
    this.rule = Rule.of(name);
    boolean rdna = instruction.opcode().generation() != Generation.CDNA;
    this.maskWords = rdna ? 1 : 2;
    Operand to = null;
    int written = NONE;
    List<Operand> named = new ArrayList<>();
    for (int i = 0; i < instruction.operands().size(); i++) {
      Operand operand = instruction.operands().get(i);
      if (!instruction.opcode().slots().get(i).destination()) {
        named.add(operand);
      } else if (operand instanceof Operand.Scalar(int code, int _)) {
        written = code == Operand.NULL ? NONE : code;
      } else {
        to = operand;
      }
    }
    this.sdst = written;
    this.writesExec = name.startsWith("v_cmpx_");
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
    Modifiers modifiers =
        instruction.modifiers() instanceof Modifiers.Moved m ? m.with() : instruction.modifiers();
    this.packed = modifiers instanceof Modifiers.Packed m ? m : null;
    this.halves =
        result != null
            && result.name().startsWith("PK_")
            && result.elementBits() == 16
            && name.startsWith("v_pk_");
    this.width = 32 * words;
    if (signature.keepsHalf() || (rdna && result != null && result.isHalf())) {
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
    this.moved = DppSources.of(instruction.modifiers()).orElse(null);
    if (modifiers instanceof Modifiers.Dpp m) {
      for (int i = 0; i < Math.min(2, count); i++) {
        sign(i, signature.sources().get(i), m.abs(), m.neg());
      }
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
      read.scalar(mask, maskWords);
    }
    if (keeps || moved != null) {
      read.vector(target, words);
    }
    this.reads = read.vectors();
    this.readsLow = read.low();
    this.readsHigh = read.high();
  }

  private void modify(Modifiers.Vop3 m, Signature signature) {
    for (int i = 0; i < sources.length; i++) {
      DataType type = signature.sources().get(i);
      if (type == DataType.PK_B8 && i == 0) {
        small(m.opSel());
      } else if ((m.opSel() >> i & 1) != 0 && type.elementBits() == 16) {
        sources[i].field(16, 16, false);
      }
      sign(i, type, m.abs(), m.neg());
    }
    if (keeps && width == 16) {
      shift = (m.opSel() & 8) != 0 ? 16 : 0;
    }
  }

  /** Of four floats of 8 bits, a conversion reads one or two. */
  private void small(int opSel) {
    if (name.startsWith("v_cvt_pk_f32_")) {
      sources[0].field(16 * (opSel & 1), 16, false);
    } else if (name.startsWith("v_cvt_f32_")) {
      sources[0].field(16 * (opSel & 1) + 8 * (opSel >> 1 & 1), 8, false);
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
    if (type.isFloat() || name.equals("v_cndmask_b32")) {
      int bits = type.elementBits();
      sources[i].sign(
          (abs >> i & 1) != 0, (neg >> i & 1) != 0, bits == 64 ? Long.MIN_VALUE : 1L << (bits - 1));
    }
  }

  /** Whether one lane may read another. */
  boolean crosses() {
    return moved != null;
  }

  /** Whether it reads undefined bits. */
  boolean suspects(Shade shade, long exec) {
    long suspects = 0;
    for (int r : reads) {
      suspects |= shade.any[r];
    }
    suspects &= moved == null ? exec : -1L;
    return suspects != 0 || shade.anyOf(readsLow, readsHigh);
  }

  /** All that it writes is defined. */
  void define(Shade shade, long exec) {
    if (target >= 0 && moved == null) {
      for (int w = 0; w < words; w++) {
        shade.any[target + w] &= ~exec;
      }
    }
    if (sdst >= 0) {
      shade.defineScalars(sdst, maskWords);
    }
  }

  /** Determines the undefined bits of the result; the registers still have their old values. */
  void find(Wave wave, Shade shade, long exec, Work work) {
    Lane x = work.lane;
    long written = exec;
    long tested = 0;
    long maskBits = mask >= 0 ? wave.mask(mask) : 0;
    long maskUndefined = mask >= 0 ? shade.scalars(mask, maskWords) : 0;
    int maskOrigin = 0;
    for (long m = written; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int first = moved == null ? lane : moved.source(lane, exec);
      if (first == DppSources.KEPT) {
        written &= ~(1L << lane);
        continue;
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
    work.written = written;
    work.tested = tested & written;
    work.maskOrigin = maskOrigin;
  }

  /** The registers have their new values: notes what {@link #find} has found. */
  void note(Wave wave, Shade shade, Work work) {
    if (target >= 0) {
      for (long m = work.written; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        shade.set(target, lane, (int) work.bits[lane], work.origins[lane]);
        if (words == 2) {
          shade.set(target + 1, lane, (int) (work.bits[lane] >>> 32), work.origins[lane]);
        }
      }
    }
    boolean decides = writesExec && work.tested != 0;
    if (decides) {
      shade.report.branch(wave, work.tested, work.maskOrigin);
    }
    if (sdst >= 0) {
      shade.setScalar(sdst, decides ? 0 : (int) work.tested, work.maskOrigin);
      if (maskWords == 2) {
        shade.setScalar(sdst + 1, decides ? 0 : (int) (work.tested >>> 32), work.maskOrigin);
      }
    }
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
    Rule half = Rule.ofHalf(name);
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
            at < 0 ? 0 : sources[i].value(wave, at) >>> up & 0xffff,
            at < 0 ? 0 : sources[i].undefined(shade, at) >>> up & 0xffff);
      }
      long part = half.result().of(x) & 0xffff;
      result |= (clamps && part != 0 ? 0xffff : part) << (16 * h);
    }
    // for the origin, which looks whether there is anything
    for (int i = 0; i < sources.length; i++) {
      int at = i == 0 ? first : lane;
      x.set(i, 0, at < 0 ? 0 : sources[i].undefined(shade, at));
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
