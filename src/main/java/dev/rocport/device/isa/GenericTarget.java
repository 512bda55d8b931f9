package dev.rocport.device.isa;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one code object for several GPUs is compiled for: the instructions that they have in common.
 * Source: LLVM's AMDGPUUsage, "Generic processors" and "AMDGPU EF_AMDGPU_MACH values".
 */
public enum GenericTarget {
  /** Without FP8 and XF32, in which the two differ. */
  GFX9_4("gfx9-4-generic", 0x5f, Target.GFX942, Target.GFX950),

  GFX11("gfx11-generic", 0x54, Target.GFX1100, Target.GFX1151),

  GFX12("gfx12-generic", 0x59, Target.GFX1201);

  private final String arch;
  private final int machine;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list
  private final List<Target> members;

  GenericTarget(String arch, int machine, Target... members) {
    this.arch = arch;
    this.machine = machine;
    this.members = List.of(members);
  }

  /** The name as {@code --offload-arch} has it, such as {@code gfx11-generic}. */
  public String arch() {
    return arch;
  }

  /** The GPUs that the device can emulate and that run its code. */
  public List<Target> members() {
    return members;
  }

  /** The generic target of a name as {@code --offload-arch} has it, without features. */
  public static Optional<GenericTarget> named(String arch) {
    return Arrays.stream(values()).filter(g -> g.arch.equals(arch)).findFirst();
  }

  /**
   * The generic target of a code object.
   *
   * @param machine the low byte of its {@code e_flags}
   */
  public static Optional<GenericTarget> of(int machine) {
    return Arrays.stream(values()).filter(g -> g.machine == machine).findFirst();
  }

  /** The generic target whose code runs on a GPU; empty if there is none. */
  public static Optional<GenericTarget> having(Target gpu) {
    return Arrays.stream(values()).filter(g -> g.members.contains(gpu)).findFirst();
  }

  /**
   * The GPUs that run code for these targets, each once, in their order.
   *
   * @param archs as {@code --target} has them
   */
  public static List<String> gpus(List<String> archs) {
    return archs.stream()
        .flatMap(
            a ->
                named(a)
                    .map(g -> g.members.stream().map(Target::arch))
                    .orElseGet(() -> Stream.of(a)))
        .distinct()
        .toList();
  }
}
