package dev.rocport.device.isa;

import java.util.Arrays;
import java.util.Optional;

/** A GPU that the device can emulate. All have wavefronts of 64 lanes and no image instructions. */
public enum Target {
  /** MI210, MI250: CDNA 2. Scratch through MUBUF and a buffer descriptor. */
  GFX90A("gfx90a", 0x3f, 1700),
  /** MI300: CDNA 3. Architected flat scratch, FP8. */
  GFX942("gfx942", 0x4c, 2100);

  private final String arch;
  private final int machine;
  private final int megahertz;

  Target(String arch, int machine, int megahertz) {
    this.arch = arch;
    this.machine = machine;
    this.megahertz = megahertz;
  }

  /** The name as {@code --offload-arch} has it, such as {@code gfx90a}. */
  public String arch() {
    return arch;
  }

  /** The low byte of {@code e_flags} in a code object of this target. */
  public int machine() {
    return machine;
  }

  /** The rate of its clock, as the HIP runtime reports it to programs. */
  public int megahertz() {
    return megahertz;
  }

  /** The target of a name as {@code --offload-arch} has it, without features. */
  public static Optional<Target> named(String arch) {
    return Arrays.stream(values()).filter(t -> t.arch.equals(arch)).findFirst();
  }
}
