package dev.rocport.device.codeobject;

/**
 * Kernel names in readable form. Source: the Itanium C++ ABI, "Mangling"; only plain and nested
 * names are demangled, all others are unchanged.
 */
public final class KernelName {
  private KernelName() {}

  /** {@code space::kernel} for {@code _ZN5space6kernelEPf}; the name itself where unsure. */
  public static String readable(String name) {
    if (!name.startsWith("_Z") || name.length() < 4) {
      return name;
    }
    boolean nested = name.charAt(2) == 'N';
    int at = nested ? 3 : 2;
    StringBuilder out = new StringBuilder();
    do {
      if (name.startsWith("12_GLOBAL__N_1", at)) {
        at += 14;
        out.append("(anonymous namespace)::");
        continue;
      }
      int digits = at;
      while (digits < name.length() && Character.isDigit(name.charAt(digits))) {
        digits++;
      }
      if (digits == at || digits - at > 4) {
        return name;
      }
      int end = digits + Integer.parseInt(name.substring(at, digits));
      if (end > name.length()) {
        return name;
      }
      out.append(name, digits, end).append("::");
      at = end;
    } while (nested && at < name.length() && name.charAt(at) != 'E');
    out.setLength(out.length() - 2);
    int rest = nested ? at + 1 : at;
    // Parameters follow; an I would begin template arguments.
    boolean template = rest <= name.length() && name.startsWith("I", rest);
    return template || name.startsWith("I", at) ? name : out.toString();
  }
}
