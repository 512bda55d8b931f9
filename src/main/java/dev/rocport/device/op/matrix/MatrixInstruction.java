package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Wave;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an MFMA or SMFMAC instruction does. Its mnemonic gives the dimensions, the blocks and the
 * types.
 *
 * @param a the elements of A
 * @param b the elements of B
 * @param result the type of C and D
 * @param blgp the modifier that moves the lanes of B, or negates doubles
 * @param sparsity where the elements of a sparse A are
 */
public record MatrixInstruction(
    Layout layout,
    Element a,
    Element b,
    DataType result,
    Operands operands,
    int blgp,
    Optional<Sparsity> sparsity) {
  private static final Pattern NAME =
      Pattern.compile(
          "v_(mfma|smfmac)_(f32|f64|i32)_(\\d+)x(\\d+)x(\\d+)(?:_\\d+b)?_?"
              + "(?:((?:ocp)?[fb][fp]?8)_((?:ocp)?[fb][fp]?8)|(x?f32|f16|f64|bf16(?:_1k)?|i8))");

  /** Reads an instruction; empty if it is no such one, or of an unknown form. */
  public static Optional<MatrixInstruction> of(Instruction instruction) {
    Matcher name = NAME.matcher(instruction.name());
    if (instruction.opcode().encoding() != Encoding.VOP3P
        || !name.matches()
        || !(instruction.modifiers() instanceof Modifiers.Matrix bits)) {
      return Optional.empty();
    }
    String one = name.group(8) == null ? name.group(6) : name.group(8);
    String other = name.group(8) == null ? name.group(7) : name.group(8);
    Optional<Element> typeA = Element.named(one);
    Optional<Element> typeB = Element.named(other);
    if (typeA.isEmpty() || typeB.isEmpty()) {
      return Optional.empty();
    }
    DataType result =
        switch (name.group(2)) {
          case "f32" -> DataType.F32;
          case "f64" -> DataType.F64;
          default -> DataType.I32;
        };
    int m = Integer.parseInt(name.group(3));
    int n = Integer.parseInt(name.group(4));
    int k = Integer.parseInt(name.group(5));
    int dwords = instruction.opcode().slots().getFirst().type().dwords();
    int blocks = dwords / result.dwords() * Wave.LANES / (m * n);
    Shape shape = new Shape(m, n, k, blocks, result.dwords());
    Optional<Operands> operands = Operands.of(instruction, result);
    if (operands.isEmpty()) {
      return Optional.empty();
    }
    boolean sparse = !name.group(1).equals("mfma");
    int depth = sparse ? k / 2 : k;
    Layout layout = new Layout(shape, depth, bits);
    Optional<Sparsity> sparsity =
        sparse
            ? Optional.of(
                new Sparsity(
                    operands.get().c(), depth, layout.perLaneA(), bits.cbsz(), bits.abid()))
            : Optional.empty();
    // SMFMAC adds to its destination; its third source holds the indices.
    Operands read = sparse ? operands.get().accumulating() : operands.get();
    return Optional.of(
        new MatrixInstruction(
            layout, typeA.get(), typeB.get(), result, read, bits.blgp(), sparsity));
  }
}
