package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import org.jspecify.annotations.Nullable;

/**
 * v_lshlrev_b64 by a constant below 32, as code for RDNA has it for each address: in vectors of
 * words, since the host would have to take apart and join those of pairs.
 */
final class ShiftForms {
  private ShiftForms() {}

  static @Nullable Form of(Instruction i) {
    boolean plain =
        i.modifiers() instanceof Modifiers.None
            || i.modifiers().equals(new Modifiers.Vop3(0, 0, 0, false, 0));
    if (!plain
        || !(i.operands().get(0) instanceof Operand.Vector(int to, int _))
        || !(i.operands().get(1) instanceof Operand.Inline by)
        || !(i.operands().get(2) instanceof Operand.Vector(int from, int _))) {
      return null;
    }
    long count = DataType.B32.constant(by);
    if (count <= 0 || count >= Integer.SIZE) {
      return null;
    }
    String shift = LaneWork.n((int) count);
    return (Form.Lanes)
        f -> {
          f.uses(false, from, 2);
          Run run = f.run();
          f.changes(false, to, 2);
          run.step(
              c -> {
                String low = c.register(false, from);
                String high = c.register(false, from + 1);
                c.register(false, to, c.i32("shl", low, shift));
                c.register(false, to + 1, c.call(c.ints, "fshl", "i32", high, low, shift));
              });
        };
  }
}
