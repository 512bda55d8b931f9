package dev.rocport.device.isa;

/** Prints the temporal hint and the scope of RDNA 4's memory accesses. */
final class CacheText {
  private static final String[] SCOPES = {"", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"};
  private static final int DEVICE = 2;
  private static final int SYSTEM = 3;
  private static final int RESERVED = 7;

  private CacheText() {}

  static String of(Opcode opcode, Modifiers.Memory m) {
    int hint = m.temporal();
    String text = hint == 0 ? "" : " th:" + hint(opcode, hint, m.scope());
    return m.scope() == 0 ? text : text + " scope:" + SCOPES[m.scope()];
  }

  private static String hint(Opcode opcode, int hint, int scope) {
    if (opcode.name().contains("_atomic_")) {
      return atomic(hint, scope);
    }
    boolean stores = opcode.name().contains("_store");
    if (hint == RESERVED && !stores) {
      return OperandText.hex(hint);
    }
    return (stores ? "TH_STORE_" : "TH_LOAD_")
        + switch (hint) {
          case 1 -> "NT";
          case 2 -> "HT";
          case 3 -> scope == SYSTEM ? "BYPASS" : stores ? "RT_WB" : "LU";
          case 4 -> "NT_RT";
          case 5 -> "RT_NT";
          case 6 -> "NT_HT";
          default -> "NT_WB";
        };
  }

  private static String atomic(int hint, int scope) {
    boolean late = (hint & 2) != 0;
    boolean returns = (hint & 1) != 0;
    if ((hint & 4) != 0) {
      return "TH_ATOMIC_"
          + (scope >= DEVICE ? "CASCADE" + (late ? "_NT" : "_RT") : OperandText.hex(hint));
    }
    return "TH_ATOMIC_" + (late ? returns ? "NT_RETURN" : "NT" : "RETURN");
  }
}
