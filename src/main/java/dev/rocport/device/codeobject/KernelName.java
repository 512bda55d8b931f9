package dev.rocport.device.codeobject;

/**
 * Kernel names in readable form. Source: the Itanium C++ ABI, "Mangling"; plain and nested names
 * are demangled, with template arguments that are numbers or plain types. All others are unchanged.
 */
public final class KernelName {
  private KernelName() {}

  /**
   * {@code space::kernel} for {@code _ZN5space6kernelEPf}, {@code kernel<float, 3>} for {@code
   * _Z6kernelIfLi3EEvPf}; the name itself where unsure.
   */
  public static String readable(String name) {
    if (!name.startsWith("_Z") || name.length() < 4) {
      return name;
    }
    return new MangledName(name).name().orElse(name);
  }
}
