package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.ActionOp;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.Optional;

/** A register and a constant of 16 bits; hardware registers. */
final class Sopk {
  private static final int HW_MODE = 1;
  private static final int HW_ID = 4;
  private static final int HW_XCC_ID = 20;
  private static final int HW_ID1 = 23;
  private static final int HW_ID2 = 24;
  private static final int HW_SHADER_CYCLES = 29;
  private static final int HW_SHADER_CYCLES_HIGH = 30;

  /** MODE's bit for vector registers moved by M0, which {@link Wave#indexed} keeps. */
  private static final int INDEXED = 1 << 27;

  /** MODE's bits that this device does not obey: exceptions and skipping vector instructions. */
  private static final int EXCEPTIONS_AND_SKIP = 0x1ff << 12 | 1 << 28;

  private Sopk() {}

  private interface Work {
    void apply(Wave wave, int register, int constant);
  }

  private record Constant(int register, int constant, Work work) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      work.apply(wave, register, constant);
    }
  }

  private static Op constant(Instruction i, boolean signed, Work work) {
    int value = Operands.immediate(i, 1);
    return new ActionOp(
        i, new Constant(Operands.register(i, 0), signed ? (short) value : value & 0xffff, work));
  }

  private interface Test {
    boolean holds(int a, int b);
  }

  private static Op compare(Instruction i, boolean signed, Test test) {
    return constant(i, signed, (w, r, k) -> w.scc = test.holds(w.s[r], k) ? 1 : 0);
  }

  static Optional<Op> translate(Instruction i) {
    return Optional.ofNullable(
        switch (i.name()) {
          case "s_movk_i32" -> constant(i, true, (w, r, k) -> w.s[r] = k);
          case "s_cmovk_i32" ->
              constant(
                  i,
                  true,
                  (w, r, k) -> {
                    if (w.scc != 0) {
                      w.s[r] = k;
                    }
                  });
          case "s_cmpk_eq_i32" -> compare(i, true, (a, b) -> a == b);
          case "s_cmpk_lg_i32" -> compare(i, true, (a, b) -> a != b);
          case "s_cmpk_gt_i32" -> compare(i, true, (a, b) -> a > b);
          case "s_cmpk_ge_i32" -> compare(i, true, (a, b) -> a >= b);
          case "s_cmpk_lt_i32" -> compare(i, true, (a, b) -> a < b);
          case "s_cmpk_le_i32" -> compare(i, true, (a, b) -> a <= b);
          case "s_cmpk_eq_u32" -> compare(i, false, (a, b) -> a == b);
          case "s_cmpk_lg_u32" -> compare(i, false, (a, b) -> a != b);
          case "s_cmpk_gt_u32" -> compare(i, false, (a, b) -> Integer.compareUnsigned(a, b) > 0);
          case "s_cmpk_ge_u32" -> compare(i, false, (a, b) -> Integer.compareUnsigned(a, b) >= 0);
          case "s_cmpk_lt_u32" -> compare(i, false, (a, b) -> Integer.compareUnsigned(a, b) < 0);
          case "s_cmpk_le_u32" -> compare(i, false, (a, b) -> Integer.compareUnsigned(a, b) <= 0);
          case "s_addk_i32" ->
              constant(
                  i,
                  true,
                  (w, r, k) -> {
                    int a = w.s[r];
                    int sum = a + k;
                    w.scc = ((a ^ sum) & (k ^ sum)) >>> 31;
                    w.s[r] = sum;
                  });
          case "s_mulk_i32" -> constant(i, true, (w, r, k) -> w.s[r] *= k);
          case "s_getreg_b32" -> new GetRegister(i);
          case "s_setreg_b32", "s_setreg_imm32_b32" -> new SetRegister(i);
          case "s_call_b64" -> new Call(i);
          // every access is complete when its instruction ends
          case "s_version",
              "s_waitcnt_vscnt",
              "s_waitcnt_vmcnt",
              "s_waitcnt_expcnt",
              "s_waitcnt_lgkmcnt" ->
              new ActionOp(i, (_, _) -> {});
          default -> null;
        });
  }

  private static final class Call extends Op {
    private final int to;
    private final int offset;

    Call(Instruction i) {
      super(i);
      this.to = Operands.register(i, 0);
      this.offset = (short) Operands.immediate(i, 1);
    }

    @Override
    public void execute(Wave wave) {
      wave.s64(to, wave.code.address(wave.pc));
      wave.pc += offset;
    }
  }

  /**
   * The bits of a hardware register that a simm16 names: number 5:0, offset 10:6, width - 1 15:11.
   */
  private record Field(int number, int offset, int mask) {
    static Field of(int simm16) {
      int width = (simm16 >>> 11 & 31) + 1;
      return new Field(simm16 & 63, simm16 >>> 6 & 31, width == 32 ? -1 : (1 << width) - 1);
    }
  }

  private static final class GetRegister extends Op {
    private final int to;
    private final Field field;
    private final boolean rdna;
    private final boolean rdna4;

    GetRegister(Instruction i) {
      super(i);
      this.to = Operands.register(i, 0);
      this.field = Field.of(Operands.immediate(i, 1));
      this.rdna = i.opcode().generation() != Generation.CDNA;
      this.rdna4 = i.opcode().generation() == Generation.RDNA4;
    }

    /** Of the GPU at its full rate; RDNA 3 has 20 bits of it. */
    private static long fullCycles(Wave wave) {
      return wave.group.environment().target().cycles(System.nanoTime());
    }

    private int ofRdna(Wave wave) {
      return switch (field.number) {
        case HW_MODE -> mode(wave);
        // Where the wave runs: this device has one place for all.
        case HW_ID1 -> wave.number & 15;
        case HW_ID2 -> 0;
        case HW_SHADER_CYCLES -> rdna4 ? (int) fullCycles(wave) : (int) fullCycles(wave) & 0xfffff;
        case HW_SHADER_CYCLES_HIGH -> {
          if (!rdna4) {
            throw missing();
          }
          yield (int) (fullCycles(wave) >>> 32);
        }
        default -> throw missing();
      };
    }

    private int ofCdna(Wave wave) {
      return switch (field.number) {
        case HW_MODE -> mode(wave);
        // Where the wave runs: this device has one place for all.
        case HW_ID -> wave.number & 15;
        case HW_XCC_ID -> 0;
        default -> throw missing();
      };
    }

    private WaveTrap missing() {
      return WaveTrap.missing("this device has no hardware register " + field.number);
    }

    @Override
    public void execute(Wave wave) {
      int value = rdna ? ofRdna(wave) : ofCdna(wave);
      wave.s[to] = value >>> field.offset & field.mask;
    }
  }

  private static final class SetRegister extends Op {
    private final Field field;
    private final Source value;

    SetRegister(Instruction i) {
      super(i);
      int at = i.operands().get(0) instanceof Operand.Immediate ? 0 : 1;
      this.field = Field.of(Operands.immediate(i, at));
      this.value = Operands.source(i, 1 - at);
    }

    @Override
    public void execute(Wave wave) {
      if (field.number != HW_MODE) {
        throw WaveTrap.missing("this device cannot set hardware register " + field.number);
      }
      int mask = field.mask << field.offset;
      int before = mode(wave);
      int mode = (before & ~mask) | (value.word(wave) << field.offset & mask);
      if ((mode & ~before & EXCEPTIONS_AND_SKIP) != 0) {
        throw WaveTrap.missing(
            "this device supports no exceptions and no VSKIP: MODE 0x%x".formatted(mode));
      }
      wave.mode = mode & ~INDEXED;
      wave.indexed = (mode & INDEXED) != 0;
    }
  }

  private static int mode(Wave wave) {
    return (wave.mode & ~INDEXED) | (wave.indexed ? INDEXED : 0);
  }
}
