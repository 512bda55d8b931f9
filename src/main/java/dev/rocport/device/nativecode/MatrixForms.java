package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.op.matrix.Element;
import dev.rocport.device.op.matrix.Layout;
import dev.rocport.device.op.matrix.MatrixInstruction;
import dev.rocport.device.op.matrix.Operands;
import dev.rocport.device.op.matrix.Source;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** Matrix instructions on dense matrices of halves, floats, doubles or bytes. */
final class MatrixForms {
  private MatrixForms() {}

  static @Nullable Form of(Instruction i) {
    MatrixInstruction m = MatrixInstruction.of(i).orElse(null);
    return m == null || !knows(m) ? null : (Form.Whole) (f, _) -> new MatrixWork(f, m).emit();
  }

  private static boolean knows(MatrixInstruction m) {
    Operands o = m.operands();
    return m.sparsity().isEmpty()
        && m.a() == m.b()
        && switch (m.a()) {
          case F64, F32, F16, BF16, I8 -> true;
          case XF32, FP8, BF8, OCP_FP8, OCP_BF8 -> false;
        }
        && (m.blgp() == 0 || m.a() == Element.F64)
        && !o.a().isConstant()
        && !o.b().isConstant()
        && isInside(m.layout())
        && (o.c().isConstant() || o.c().equals(o.d()) || areApart(o.c(), o.d(), m));
  }

  /** Modifiers may name a block that is not there, which is a fault. */
  private static boolean isInside(Layout layout) {
    int end = layout.perLaneA() * Wave.LANES - layout.shape().m();
    for (int block = 0; block < layout.shape().blocks(); block++) {
      for (int k = 0; k < layout.depth(); k++) {
        if (layout.columnA(block, k) > end) {
          return false;
        }
      }
    }
    return true;
  }

  /** Rows of D are written while rows of C are still read. */
  private static boolean areApart(Source c, Source d, MatrixInstruction m) {
    int size = m.layout().shape().results() * m.result().dwords() * Wave.LANES;
    return c.accumulators() != d.accumulators() || Math.abs(c.first() - d.first()) >= size;
  }

  /** The registers of so many elements in each lane. */
  static Registers registers(Source source, int elements, int bits) {
    int words = Math.ceilDiv(elements * bits, DataType.B32.elementBits());
    return new Registers(source.accumulators(), source.first() / Wave.LANES, words);
  }
}
