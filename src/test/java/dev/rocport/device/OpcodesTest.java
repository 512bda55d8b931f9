package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.ImageDim;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many of each target's opcodes have an operation. {@code main} prints them by encoding. */
final class OpcodesTest {
  private static final Modifiers.Memory MEMORY =
      new Modifiers.Memory(0, 0, false, false, false, false, false, false, false, 0);

  private static final Modifiers.Image IMAGE =
      new Modifiers.Image(ImageDim.D2, 1, false, false, false, MEMORY);

  /**
   * The opcodes of an encoding. VOP3 has the 64-bit forms of VOP1, VOP2 and VOPC too.
   *
   * @param missing mnemonics
   */
  private record Count(int all, List<String> missing) {
    int implemented() {
      return all - missing.size();
    }
  }

  private static Map<Encoding, Count> count(Target target) {
    Map<Encoding, List<Opcode>> opcodes =
        Decoder.of(target).opcodes().stream()
            .collect(
                Collectors.groupingBy(
                    Opcode::encoding, () -> new EnumMap<>(Encoding.class), Collectors.toList()));
    Map<Encoding, Count> counts = new EnumMap<>(Encoding.class);
    opcodes.forEach(
        (encoding, of) ->
            counts.put(
                encoding,
                new Count(
                    of.size(),
                    of.stream().filter(o -> !has(o)).map(Opcode::mnemonic).sorted().toList())));
    return counts;
  }

  private static boolean has(Opcode opcode) {
    Instruction one = plain(opcode);
    boolean half = opcode.encoding() == Encoding.VOPDX || opcode.encoding() == Encoding.VOPDY;
    return LoadedCode.translate(half ? dual(one) : one).isPresent();
  }

  private static Instruction dual(Instruction half) {
    Opcode whole =
        new Opcode("v_dual", Encoding.VOPD, 0, List.of(), "v_dual", half.opcode().generation());
    return new Instruction(whole, 8, List.of(), new Modifiers.Dual(half, half));
  }

  private static Instruction plain(Opcode opcode) {
    List<Operand> operands = new ArrayList<>();
    for (Opcode.Slot slot : opcode.slots()) {
      operands.add(operand(opcode, slot));
    }
    return new Instruction(opcode, 8, operands, modifiers(opcode));
  }

  private static Operand operand(Opcode opcode, Opcode.Slot slot) {
    int dwords = slot.type().dwords();
    boolean mask =
        slot.name().equals("src2")
            && (opcode.name().contains("_cndmask_") || opcode.name().contains("_co_u32"));
    boolean lane = opcode.name().equals("v_writelane_b32") && slot.name().startsWith("src");
    if (slot.name().equals("simm32")) {
      return new Operand.Literal(0);
    }
    if ((slot.name().startsWith("simm") && !opcode.name().equals("s_barrier_wait"))
        || slot.name().equals("format")) {
      return new Operand.Immediate(0);
    }
    if (opcode.name().startsWith("s_barrier_")) {
      return slot.name().equals("simm16") ? new Operand.Immediate(0xffff) : new Operand.Inline(193);
    }
    boolean vector =
        opcode.encoding().name().startsWith("VOP") && !opcode.name().startsWith("v_s_");
    return slot.name().equals("sdst") || mask || lane || (!vector && slot.name().startsWith("s"))
        ? new Operand.Scalar(0, dwords)
        : new Operand.Vector(0, dwords);
  }

  private static Modifiers modifiers(Opcode opcode) {
    return switch (opcode.encoding()) {
      case SOP1, SOP2, SOPC, SOPK, SOPP, VOP1, VOP2, VOPC, VOPDX, VOPDY -> new Modifiers.None();
      case VOP3 ->
          opcode.name().startsWith("v_bitop3_")
              ? new Modifiers.TruthTable(0x96, 0)
              : new Modifiers.None();
      case VOP3P ->
          opcode.name().endsWith("_f8f6f4")
              ? new Modifiers.ScaledMatrix(0, 0, 0, 0)
              : opcode.name().startsWith("v_mfma") || opcode.name().startsWith("v_smfmac")
                  ? new Modifiers.Matrix(0, 0, 0)
                  : new Modifiers.Packed(0, 7, 0, 0, false);
      case MIMG, VIMAGE, VSAMPLE -> IMAGE;
      default -> MEMORY;
    };
  }

  @ParameterizedTest
  @CsvSource({
    "GFX90A, 1372, 1440",
    "GFX942, 1418, 1488",
    "GFX950, 1504, 1574",
    "GFX1100, 1347, 1462",
    "GFX1151, 1406, 1521",
    "GFX1201, 1423, 1540"
  })
  void soManyAreThere(Target target, int implemented, int all) {
    Map<Encoding, Count> counts = count(target);
    assertThat(counts.values().stream().mapToInt(Count::all).sum()).isEqualTo(all);
    assertThat(counts.values().stream().mapToInt(Count::implemented).sum()).isEqualTo(implemented);
  }

  public static void main(String[] args) {
    for (Target target : Target.values()) {
      Map<Encoding, Count> counts = count(target);
      System.out.printf(
          "%s: %d of %d%n",
          target.arch(),
          counts.values().stream().mapToInt(Count::implemented).sum(),
          counts.values().stream().mapToInt(Count::all).sum());
      counts.forEach(
          (encoding, c) ->
              System.out.printf(
                  "  %-8s %4d of %4d  %s%n",
                  encoding, c.implemented(), c.all(), new TreeSet<>(c.missing())));
    }
  }
}
