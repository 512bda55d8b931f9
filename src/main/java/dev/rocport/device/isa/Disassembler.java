package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.ArrayList;
import java.util.List;

/** Prints instructions in LLVM's syntax for AMDGPU. */
public final class Disassembler {
  private final Target target;

  private Disassembler(Target target) {
    this.target = target;
  }

  public static Disassembler of(Target target) {
    return new Disassembler(target);
  }

  /** The instruction as LLVM 19's disassembler prints it, with single spaces. */
  public String print(Instruction instruction) {
    return switch (target.generation()) {
      case CDNA -> cdna(instruction);
      case RDNA3, RDNA4 -> new RdnaText(target).print(instruction);
    };
  }

  private String cdna(Instruction instruction) {
    String name = instruction.opcode().mnemonic() + suffix(instruction);
    List<String> operands =
        switch (instruction.opcode().encoding()) {
          case SOP2, SOPK, SOP1, SOPC, SOPP -> new ScalarText(target).operands(instruction);
          case SMEM, DS, FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF -> MemoryText.operands(instruction);
          default -> vector(instruction);
        };
    String modifiers =
        switch (instruction.modifiers()) {
          case Modifiers.None _ -> "";
          case Modifiers.Memory m -> MemoryText.modifiers(target, instruction, m);
          default -> VectorText.modifiers(target, instruction);
        };
    return (name + " " + String.join(", ", operands)).strip() + modifiers;
  }

  private static String suffix(Instruction instruction) {
    return switch (instruction.modifiers()) {
      case Modifiers.Sdwa _ -> "_sdwa";
      case Modifiers.Dpp _ -> "_dpp";
      default -> {
        Opcode opcode = instruction.opcode();
        boolean plain = opcode.slots().isEmpty();
        yield switch (opcode.encoding()) {
          case VOP1, VOP2, VOPC -> plain || VectorText.hasOneForm(opcode) ? "" : "_e32";
          case VOP3 -> plain || opcode.number() >= 0x1c0 ? "" : "_e64";
          default -> "";
        };
      }
    };
  }

  private static List<String> vector(Instruction instruction) {
    List<String> texts = new ArrayList<>();
    List<Slot> slots = instruction.opcode().slots();
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      Operand operand = instruction.operands().get(i);
      // the literal of madmk and madak is printed whole
      String text =
          operand instanceof Operand.Literal(int bits) && slot.name().equals("simm32")
              ? OperandText.hex(bits)
              : OperandText.of(operand, slot.type());
      texts.add(slot.destination() ? text : VectorText.source(instruction, slot, text, i));
    }
    return texts;
  }
}
