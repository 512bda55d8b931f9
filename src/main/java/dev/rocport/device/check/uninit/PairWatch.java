package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.check.DppSources;
import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** Packed floats and moves of pairs, a swap, and mixed precision. */
final class PairWatch extends AroundOp {
  private enum Kind {
    PACKED,
    MOVE,
    SWAP,
    MIX
  }

  private final Kind kind;
  private final VectorSource[] sources;
  private final int[] reads;
  private final long readsLow;
  private final long readsHigh;
  private final int target;
  private final int words;
  private final int selectLow;
  private final int selectHigh;

  /** Bits of the result, for MIX. */
  private final int written;

  private final @Nullable DppSources moved;

  PairWatch(Op plain) {
    super(plain);
    Instruction i = plain.instruction();
    this.kind =
        switch (i.name()) {
          case "v_swap_b32" -> Kind.SWAP;
          case "v_pk_mov_b32" -> Kind.MOVE;
          case "v_fma_mix_f32", "v_fma_mixlo_f16", "v_fma_mixhi_f16" -> Kind.MIX;
          default -> Kind.PACKED;
        };
    Modifiers.Packed m = Modifiers.Packed.of(i);
    this.selectLow = m.opSel();
    this.selectHigh = m.opSelHi();
    this.target = Registers.number(i.operands().getFirst());
    this.words = kind == Kind.PACKED || kind == Kind.MOVE ? 2 : 1;
    this.written =
        switch (i.name()) {
          case "v_fma_mixlo_f16" -> 0xffff;
          case "v_fma_mixhi_f16" -> 0xffff0000;
          default -> -1;
        };
    this.moved = kind == Kind.MIX ? DppSources.of(i.modifiers()).orElse(null) : null;
    int count = i.operands().size() - 1;
    this.sources = new VectorSource[count];
    Registers read = new Registers();
    for (int k = 0; k < count; k++) {
      DataType type = words == 2 ? DataType.PK_F32 : DataType.B32;
      sources[k] = VectorSource.of(i.operands().get(k + 1), type);
      if (kind == Kind.MIX && (m.opSelHi() >> k & 1) != 0) {
        sources[k].field((m.opSel() >> k & 1) != 0 ? 16 : 0, 16, false);
      }
      read.operand(i.operands().get(k + 1), type.dwords());
    }
    if (kind == Kind.SWAP || written != -1) {
      read.vector(target, 1);
    }
    this.reads = read.vectors();
    this.readsLow = read.low();
    this.readsHigh = read.high();
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    long exec = wave.exec();
    long suspects = 0;
    for (int r : reads) {
      suspects |= shade.any[r];
    }
    if (moved == null && (suspects & exec) == 0 && !shade.anyOf(readsLow, readsHigh)) {
      plain.execute(wave);
      for (int w = 0; w < words; w++) {
        shade.any[target + w] &= ~exec;
      }
      return;
    }
    plain.execute(wave);
    for (long m = exec; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int first = moved == null ? lane : moved.source(lane, exec);
      if (first != DppSources.KEPT) {
        lane(shade, lane, first);
      }
    }
  }

  /**
   * @param first the lane of the first source, or {@link DppSources#ZERO}
   */
  private void lane(Shade shade, int lane, int first) {
    switch (kind) {
      case SWAP -> {
        int other = sources[0].register;
        int bits = shade.bits(target, lane);
        int origin = shade.origin(target, lane);
        shade.set(target, lane, shade.bits(other, lane), shade.origin(other, lane));
        shade.set(other, lane, bits, origin);
      }
      case MOVE -> {
        int low = half(shade, 0, selectLow, lane);
        int high = half(shade, 1, selectLow, lane);
        int lowOrigin = low == 0 ? 0 : sources[0].origin(shade, lane);
        int highOrigin = high == 0 ? 0 : sources[1].origin(shade, lane);
        shade.set(target, lane, low, lowOrigin);
        shade.set(target + 1, lane, high, highOrigin);
      }
      case PACKED -> {
        int low = 0;
        int high = 0;
        int origin = 0;
        for (int k = 0; k < sources.length; k++) {
          int mine = half(shade, k, selectLow, lane);
          int upper = half(shade, k, selectHigh, lane);
          low |= mine;
          high |= upper;
          if ((mine | upper) != 0) {
            origin = sources[k].origin(shade, lane);
          }
        }
        shade.set(target, lane, low != 0 ? -1 : 0, origin | Origins.COMPUTED);
        shade.set(target + 1, lane, high != 0 ? -1 : 0, origin | Origins.COMPUTED);
      }
      case MIX -> {
        int bits = written == -1 ? 0 : shade.bits(target, lane) & ~written;
        int origin = bits == 0 ? 0 : shade.origin(target, lane);
        for (int k = 0; k < sources.length; k++) {
          int at = k == 0 ? first : lane;
          if (at != DppSources.ZERO && sources[k].undefined(shade, at) != 0) {
            bits |= written;
            origin = sources[k].origin(shade, at) | Origins.COMPUTED;
          }
        }
        shade.set(target, lane, bits, origin);
      }
    }
  }

  /** One word of a pair. */
  private int half(Shade shade, int source, int select, int lane) {
    long pair = sources[source].undefined(shade, lane);
    return (int) ((select >> source & 1) != 0 ? pair >>> 32 : pair);
  }
}
