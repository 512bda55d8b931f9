package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Translator;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Floats in scalar registers, which RDNA 3.5 and 4 have: what a vector instruction of that name
 * does in one lane. Results of 16 bits have zeros above. v_s_* are transcendental functions of RDNA
 * 4 on scalar registers.
 */
public final class ScalarFloats implements Translator {
  private static final String TRANSCENDENTAL = "v_s_";
  private static final String HIGH = "s_cvt_hi_f32_f16";
  private static final int SIGN = 0x80000000;
  private static final int SIGN_OF_HALF = 0x8000;

  /** Scalar opcodes whose vector opcode has another name. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("s_fmac_f32", "v_fma_f32"),
          Map.entry("s_fmaak_f32", "v_fma_f32"),
          Map.entry("s_fmamk_f32", "v_fma_f32"),
          Map.entry("s_fmac_f16", "v_fma_f16"),
          Map.entry(HIGH, "v_cvt_f32_f16"),
          Map.entry("s_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"));

  @Override
  public Optional<Op> translate(Instruction instruction) {
    return definition(instruction).flatMap(d -> operation(instruction, d));
  }

  private static Optional<Definition> definition(Instruction instruction) {
    return vectorName(instruction).flatMap(VectorTranslator::definition);
  }

  /** The vector opcode that does the same in each lane; empty for other instructions. */
  public static Optional<String> vectorName(Instruction instruction) {
    String name = instruction.name();
    Encoding encoding = instruction.opcode().encoding();
    if (name.startsWith(TRANSCENDENTAL)) {
      return Optional.of("v_" + name.substring(TRANSCENDENTAL.length()));
    }
    boolean scalar =
        encoding == Encoding.SOP1 || encoding == Encoding.SOP2 || encoding == Encoding.SOPC;
    boolean real =
        instruction.opcode().slots().stream()
            .anyMatch(s -> s.type() == DataType.F32 || s.type() == DataType.F16);
    return scalar && real
        ? Optional.of(NAMES.getOrDefault(name, "v" + name.substring(1)))
        : Optional.empty();
  }

  private static Optional<Op> operation(Instruction instruction, Definition definition) {
    Modifiers.Vop3 bits =
        instruction.modifiers() instanceof Modifiers.Vop3 m
            ? m
            : new Modifiers.Vop3(0, 0, 0, false, 0);
    if (bits.omod() != 0 || bits.clamp() || bits.opSel() != 0) {
      return Optional.empty();
    }
    int to = -1;
    List<Read> reads = new ArrayList<>();
    for (int i = 0; i < instruction.operands().size(); i++) {
      Opcode.Slot slot = instruction.opcode().slots().get(i);
      Operand operand = instruction.operands().get(i);
      if (slot.destination()) {
        to = operand instanceof Operand.Scalar(int code, int _) ? code : -1;
        continue;
      }
      int shift = instruction.name().equals(HIGH) ? 16 : 0;
      int n = reads.size();
      Read read = Read.of(operand, slot.type(), shift, bits.abs() >> n & 1, bits.neg() >> n & 1);
      if (read == null) {
        return Optional.empty();
      }
      reads.add(read);
    }
    if (reads.size() == definition.sources().size() - 1 && to >= 0) {
      reads.add(new Read(to, 0, 0, -1, 0)); // adds to its destination
    }
    boolean compares = definition.test() != null;
    return reads.size() == definition.sources().size() && compares == (to < 0)
        ? Optional.of(new Work(instruction, definition, List.copyOf(reads), to))
        : Optional.empty();
  }

  /**
   * A source.
   *
   * @param code of a register, or -1
   * @param constant where there is no register
   */
  private record Read(int code, int constant, int shift, int and, int xor) {
    static @Nullable Read of(Operand operand, DataType type, int shift, int abs, int neg) {
      int sign = type.elementBits() == 16 ? SIGN_OF_HALF : SIGN;
      int and = abs != 0 ? ~sign : -1;
      int xor = neg != 0 ? sign : 0;
      return switch (operand) {
        case Operand.Scalar(int code, int _) when code == Operand.NULL ->
            new Read(-1, 0, shift, and, xor);
        case Operand.Scalar(int code, int _) -> new Read(code, 0, shift, and, xor);
        case Operand.Inline _, Operand.Literal _ ->
            new Read(-1, (int) type.constant(operand), shift, and, xor);
        default -> null;
      };
    }

    long of(Wave wave) {
      int word = (code < 0 ? constant : wave.s[code]) >>> shift;
      return ((word & and) ^ xor) & 0xffffffffL;
    }
  }

  private static final class Work extends Op {
    private final Definition usual;
    private final List<Read> reads;
    private final int to;

    Work(Instruction instruction, Definition usual, List<Read> reads, int to) {
      super(instruction);
      this.usual = usual;
      this.reads = reads;
      this.to = to;
    }

    private long read(Wave wave, int i) {
      return i < reads.size() ? reads.get(i).of(wave) : 0;
    }

    @Override
    public void execute(Wave wave) {
      int mode = wave.mode & Wave.MODE_OF_ARITHMETIC;
      boolean plain = mode == Wave.USUAL_MODE || !usual.modal();
      Definition definition = plain ? usual : UnusualMode.of(usual, mode);
      long a = read(wave, 0);
      long b = read(wave, 1);
      long c = read(wave, 2);
      if (to < 0) {
        wave.scc = Definition.known(definition.test()).test(a, b, c, false) ? 1 : 0;
        return;
      }
      long result = Definition.known(definition.lane()).apply(a, b, c, false);
      DataType type = Definition.known(usual.result());
      wave.s[to] = type.isHalf() ? (int) result & 0xffff : (int) result;
    }
  }
}
