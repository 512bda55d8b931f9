package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import org.jspecify.annotations.Nullable;

/** Instructions between one lane and scalar registers. */
final class LaneAccessForms {
  private LaneAccessForms() {}

  static @Nullable Form of(Instruction i) {
    return switch (i.name()) {
      case "v_readfirstlane_b32" -> read(i, true);
      case "v_readlane_b32" -> Scalars.knows(i.operands().get(2)) ? read(i, false) : null;
      default -> write(i);
    };
  }

  private static @Nullable Form read(Instruction i, boolean first) {
    int to = Scalars.register(i, 0);
    Operand from = i.operands().get(1);
    boolean accumulator = from instanceof Operand.Accumulator;
    int register =
        switch (from) {
          case Operand.Vector(int r, int _) -> r;
          case Operand.Accumulator(int r, int _) -> r;
          default -> -1;
        };
    if (to < 0 || register < 0) {
      return null;
    }
    return (Form.Whole)
        (f, stop) -> {
          f.uses(accumulator, register, 1);
          String lane;
          if (first) {
            String exec = f.exec();
            String at = f.ir.value("call i64 @llvm.cttz.i64(i64 %s, i1 false)", exec);
            lane = f.ir.value("and i64 %s, %d", at, f.size - 1);
          } else {
            String n = Scalars.word(f, i.operands().get(2), DataType.B32);
            lane = f.ir.value("zext i32 %s to i64", f.ir.value("and i32 %s, %d", n, f.size - 1));
          }
          f.scalar(to, f.ir.value("load i32, ptr %s", f.place(accumulator, register, lane)));
        };
  }

  private static @Nullable Form write(Instruction i) {
    if (!(i.operands().get(0) instanceof Operand.Vector(int register, int _))
        || !Scalars.knows(i.operands().get(1))
        || !Scalars.knows(i.operands().get(2))) {
      return null;
    }
    return (Form.Whole)
        (f, stop) -> {
          f.changes(false, register, 1);
          String value = Scalars.word(f, i.operands().get(1), DataType.B32);
          String n = Scalars.word(f, i.operands().get(2), DataType.B32);
          String lane =
              f.ir.value("zext i32 %s to i64", f.ir.value("and i32 %s, %d", n, f.size - 1));
          f.ir.line("store i32 %s, ptr %s", value, f.place(false, register, lane));
        };
  }
}
