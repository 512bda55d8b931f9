package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.memory.Width;
import org.jspecify.annotations.Nullable;

/** SMEM: loads of scalar registers. */
final class ScalarMemoryForms {
  private ScalarMemoryForms() {}

  static @Nullable Form of(Instruction i) {
    if (i.name().contains("_prefetch_")) {
      return new Form.Nothing();
    }
    int dwords =
        switch (i.name()) {
          case "s_load_dword", "s_load_i8", "s_load_u8", "s_load_i16", "s_load_u16" -> 1;
          case "s_load_dwordx2" -> 2;
          case "s_load_dwordx3" -> 3;
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
    Width part = Width.of(i.name().substring("s_load_".length())).orElse(null);
    int bytes = part == null || part.bytes() >= 4 ? 4 * dwords : part.bytes();
    return (Form.Whole)
        (f, stop) -> {
          Ir ir = f.ir;
          String start = ir.value("add i64 %s, %d", f.pair(base), m.offset());
          if (soffset >= 0) {
            start =
                ir.value(
                    "add i64 %s, %s", start, ir.value("zext i32 %s to i64", f.scalar(soffset)));
          }
          String address = ir.value("and i64 %s, %d", start, -Math.min(4, bytes));
          String end = ir.value("add i64 %s, %d", address, bytes);
          Allocations.permit(f, address, end, false, stop);
          String at = ir.value("inttoptr i64 %s to ptr", address);
          // Two at a time: an aligned load of 64 bits is whole, also where another worker stores.
          for (int d = 0; d + 1 < dwords; d += 2) {
            String here = ir.value("getelementptr i8, ptr %s, i64 %d", at, 4 * d);
            f.pair(to + d, ir.value("load i64, ptr %s, align 4", here));
          }
          if (part != null && bytes < 4) {
            String type = "i" + 8 * bytes;
            String value = ir.value("load %s, ptr %s, align %d", type, at, bytes);
            f.scalar(to, ir.value("%s %s %s to i32", part.signed() ? "sext" : "zext", type, value));
          } else if (dwords % 2 != 0) {
            String here = ir.value("getelementptr i8, ptr %s, i64 %d", at, 4 * (dwords - 1));
            f.scalar(to + dwords - 1, ir.value("load i32, ptr %s, align 4", here));
          }
        };
  }
}
