package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Translator;
import java.util.Optional;

/** Translates MFMA, SMFMAC, WMMA and SWMMAC instructions. */
public final class MatrixTranslator implements Translator {
  @Override
  public Optional<Op> translate(Instruction instruction) {
    return MatrixInstruction.of(instruction)
        .map(
            m ->
                switch (m.result()) {
                  case F64 -> new DoubleProduct(instruction, m.layout(), m.operands(), m.blgp());
                  case I32 -> new IntProduct(instruction, m.layout(), m.operands(), m.sparsity());
                  default ->
                      new FloatProduct(
                          instruction, m.layout(), m.a(), m.b(), m.operands(), m.sparsity());
                })
        .or(() -> ScaledMatrix.of(instruction).map(m -> new ScaledProduct(instruction, m)))
        .or(() -> WaveMatrix.of(instruction).map(m -> new WaveProduct(instruction, m)));
  }
}
