package dev.rocport.device.isa;

import static dev.rocport.device.isa.Feature.ARCHITECTED_FLAT_SCRATCH;
import static dev.rocport.device.isa.Feature.ATOMIC_F32_DENORMALS;
import static dev.rocport.device.isa.Feature.FLAT_LDS_BIT;
import static dev.rocport.device.isa.Feature.MATRIX_F64_NEGATION;
import static dev.rocport.device.isa.Feature.MATRIX_HALF_DENORMALS;
import static dev.rocport.device.isa.Feature.RDNA4_ENCODINGS;
import static dev.rocport.device.isa.Feature.SCOPE_BITS;
import static dev.rocport.device.isa.Feature.SCRATCH_ADDRESS_BIT;
import static dev.rocport.device.isa.Feature.SEVERAL_XCDS;
import static dev.rocport.device.isa.Feature.WAVE32;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** A GPU that the device can emulate. None has image instructions here. */
public enum Target {
  /** MI210, MI250: CDNA 2. */
  GFX90A("gfx90a", 0x3f, 1700, 104, 64, 64, FLAT_LDS_BIT),

  /** MI300X: CDNA 3. */
  GFX942(
      "gfx942",
      0x4c,
      2100,
      304,
      192,
      64,
      SCOPE_BITS,
      SCRATCH_ADDRESS_BIT,
      ARCHITECTED_FLAT_SCRATCH,
      MATRIX_F64_NEGATION,
      MATRIX_HALF_DENORMALS,
      ATOMIC_F32_DENORMALS,
      SEVERAL_XCDS),

  /** MI350X: CDNA 4. */
  GFX950(
      "gfx950",
      0x4f,
      2200,
      256,
      288,
      160,
      SCOPE_BITS,
      SCRATCH_ADDRESS_BIT,
      ARCHITECTED_FLAT_SCRATCH,
      MATRIX_F64_NEGATION,
      MATRIX_HALF_DENORMALS,
      ATOMIC_F32_DENORMALS,
      SEVERAL_XCDS),

  /**
   * Radeon RX 7900 XTX: RDNA 3. HIP counts pairs of its 96 compute units, which run blocks
   * together.
   */
  GFX1100("gfx1100", 0x41, 2500, 48, 24, 64, SCRATCH_ADDRESS_BIT, ARCHITECTED_FLAT_SCRATCH, WAVE32),

  /**
   * Radeon 8060S, in Ryzen AI Max+ 395: RDNA 3.5. Its 40 compute units count as pairs; clock and
   * memory, which is a part of the system's, are not from a data sheet.
   */
  GFX1151("gfx1151", 0x4a, 2900, 20, 64, 64, SCRATCH_ADDRESS_BIT, ARCHITECTED_FLAT_SCRATCH, WAVE32),

  /**
   * Radeon RX 9070 XT: RDNA 4. Its 64 compute units count as pairs; the clock is not from a data
   * sheet.
   */
  GFX1201(
      "gfx1201",
      0x4e,
      2970,
      32,
      16,
      64,
      SCRATCH_ADDRESS_BIT,
      ARCHITECTED_FLAT_SCRATCH,
      WAVE32,
      RDNA4_ENCODINGS);

  private final String arch;
  private final int machine;
  private final int megahertz;
  private final int computeUnits;
  private final int gibibytes;
  private final int ldsKibibytes;

  /** Waves ask for it while they run: a test of one bit. */
  @SuppressWarnings("ImmutableEnumChecker") // never written after construction
  private final EnumSet<Feature> features;

  Target(
      String arch,
      int machine,
      int megahertz,
      int computeUnits,
      int gibibytes,
      int ldsKibibytes,
      Feature... features) {
    this.arch = arch;
    this.machine = machine;
    this.megahertz = megahertz;
    this.computeUnits = computeUnits;
    this.gibibytes = gibibytes;
    this.ldsKibibytes = ldsKibibytes;
    this.features = EnumSet.noneOf(Feature.class);
    this.features.addAll(List.of(features));
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

  /** The cycles of that clock in a time. */
  public long cycles(long nanoseconds) {
    return nanoseconds / 1000 * megahertz + nanoseconds % 1000 * megahertz / 1000;
  }

  /** The compute units of the real GPU, as the HIP runtime counts them. */
  public int computeUnits() {
    return computeUnits;
  }

  /** The memory of the real GPU in bytes. */
  public long memory() {
    return (long) gibibytes << 30;
  }

  /** LDS of a compute unit, and the most that one workgroup can have, in bytes. */
  public int lds() {
    return ldsKibibytes << 10;
  }

  /** Lanes of a wavefront. */
  public int lanes() {
    return has(WAVE32) ? 32 : 64;
  }

  public Generation generation() {
    if (has(RDNA4_ENCODINGS)) {
      return Generation.RDNA4;
    }
    return has(WAVE32) ? Generation.RDNA3 : Generation.CDNA;
  }

  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  /**
   * The names of all targets.
   *
   * @param last what separates the last one from the others, such as {@code " or "}
   */
  public static String names(String last) {
    List<String> all = Arrays.stream(values()).map(Target::arch).toList();
    return String.join(", ", all.subList(0, all.size() - 1)) + last + all.getLast();
  }

  /** The targets whose waves have so many lanes. */
  public static List<Target> withLanes(int lanes) {
    return Arrays.stream(values()).filter(t -> t.lanes() == lanes).toList();
  }

  /** The target of a name as {@code --offload-arch} has it, without features. */
  public static Optional<Target> named(String arch) {
    return Arrays.stream(values()).filter(t -> t.arch.equals(arch)).findFirst();
  }
}
