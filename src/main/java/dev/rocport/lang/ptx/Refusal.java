package dev.rocport.lang.ptx;

import dev.rocport.rules.PtxRow;
import org.jspecify.annotations.Nullable;

/** Why an instruction is not translated. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;
  final transient Item.Instruction at;
  final transient @Nullable PtxRow row;

  Refusal(Item.Instruction at, @Nullable PtxRow row, String message) {
    super(message);
    this.at = at;
    this.row = row;
  }
}
