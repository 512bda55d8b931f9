package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import org.jspecify.annotations.Nullable;

/** SMEM: loads of scalar registers. */
final class ScalarMemoryForms {
  private ScalarMemoryForms() {}

  static @Nullable Form of(Instruction i) {
    int dwords =
        switch (i.name()) {
          case "s_load_dword" -> 1;
          case "s_load_dwordx2" -> 2;
          case "s_load_dwordx4" -> 4;
          case "s_load_dwordx8" -> 8;
          case "s_load_dwordx16" -> 16;
          default -> 0;
        };
    if (dwords == 0
        || !(i.modifiers() instanceof Modifiers.Memory m)
        || !(i.operand("sdst") instanceof Operand.Scalar(int to, int _))
        || !(i.operand("sbase") instanceof Operand.Scalar(int base, int _))
        || base == Operand.NULL) {
      return null;
    }
    int soffset = i.operand("soffset") instanceof Operand.Scalar(int code, int _) ? code : -1;
    return (Form.Whole)
        (f, stop) -> {
          Ir ir = f.ir;
          String start = ir.value("add i64 %s, %d", f.pair(base), m.offset());
          if (soffset >= 0) {
            start =
                ir.value(
                    "add i64 %s, %s", start, ir.value("zext i32 %s to i64", f.scalar(soffset)));
          }
          String address = ir.value("and i64 %s, -4", start);
          String end = ir.value("add i64 %s, %d", address, 4 * dwords);
          Allocations.permit(f, address, end, false, stop);
          String at = ir.value("inttoptr i64 %s to ptr", address);
          // Two at a time: an aligned load of 64 bits is whole, also where another worker stores.
          for (int d = 0; d + 1 < dwords; d += 2) {
            String here = ir.value("getelementptr i8, ptr %s, i64 %d", at, 4 * d);
            f.pair(to + d, ir.value("load i64, ptr %s, align 4", here));
          }
          if (dwords == 1) {
            f.scalar(to, ir.value("load i32, ptr %s, align 4", at));
          }
        };
  }
}
