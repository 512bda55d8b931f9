package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values that a vector ALU opcode reads and writes in addition to the operands of the
 * instruction.
 *
 * @param result the type of the destination register, or null where there is none
 * @param sources in the order of the operands; one more than there are operands where the opcode
 *     reads its destination
 * @param takesMask reads a mask from a scalar register: VCC, or a last operand
 * @param keepsHalf a result of 16 bits leaves the other half of the register alone
 */
public record Signature(
    @Nullable DataType result, List<DataType> sources, boolean takesMask, boolean keepsHalf) {

  /** That of a mnemonic; empty for those that are no operation on a lane alone. */
  public static Optional<Signature> of(String name) {
    return VectorTranslator.definition(name)
        .map(
            d ->
                new Signature(
                    d.result(),
                    d.implied() == null
                        ? d.sources()
                        : d.sources().subList(0, d.sources().size() - 1),
                    d.takesMask(),
                    d.keepsHalf()));
  }
}
