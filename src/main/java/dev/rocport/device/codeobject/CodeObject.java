package dev.rocport.device.codeobject;

import dev.rocport.device.isa.Target;
import java.nio.BufferUnderflowException;
import java.util.List;
import java.util.Optional;

/**
 * A code object: an ELF file for one GPU, versions 4 to 6. Addresses here are those of the file;
 * {@link #loadedSize} bytes of memory hold it once loaded, and every address moves by the same
 * amount. Source: LLVM's AMDGPUUsage, "ELF Code Object", and the ELF specification.
 *
 * <p>The file may be hostile: whatever points outside of it or of its own segments is refused.
 *
 * @param fullArch the target with its features, such as {@code gfx90a:sramecc+:xnack-}
 * @param text the range of addresses that may run
 * @param relocations where an address of this object has to be written
 */
public record CodeObject(
    Target target,
    String fullArch,
    byte[] image,
    List<Segment> segments,
    Range text,
    long loadedSize,
    List<Relocation> relocations,
    List<KernelInfo> kernels,
    List<Variable> variables,
    List<Section> sections,
    PrintFormats formats) {

  /** The lanes of the waves of all its kernels: those of the target, or on RDNA 64. */
  public int lanes() {
    // Launches ask for each wave, and the reader has refused kernels of two widths.
    boolean wide = !kernels.isEmpty() && !kernels.getFirst().descriptor().isWave32();
    return wide ? 64 : target.lanes();
  }

  /**
   * Bytes {@code offset} to {@code offset + fileSize} of the file go to {@code address}; zeros
   * follow.
   *
   * @param writable whether kernels may write it; what only relocations write, they may not
   */
  public record Segment(
      long address, int offset, int fileSize, long memorySize, boolean writable) {}

  public record Range(long address, long size) {
    boolean contains(long a) {
      return a >= address && a - address < size;
    }
  }

  /** The loaded {@code target} has to be written, as 64 bits, to {@code address}. */
  public record Relocation(long address, long target) {}

  /** A variable of the device code. */
  public record Variable(String name, long address, long size) {}

  /** A section that is not loaded, such as debug information. */
  public record Section(String name, int offset, int size) {}

  /**
   * Reads a code object; one for several GPUs is read for the first of them.
   *
   * @throws BadCodeObjectException with what is wrong with it
   */
  public static CodeObject read(byte[] image) {
    return read(image, Optional.empty());
  }

  /**
   * Reads a code object.
   *
   * @param on the GPU that it will run on, if it is for several
   * @throws BadCodeObjectException with what is wrong with it
   */
  public static CodeObject read(byte[] image, Optional<Target> on) {
    try {
      return new CodeObjectReader(image).read(on);
    } catch (IndexOutOfBoundsException | BufferUnderflowException | ArithmeticException e) {
      throw new BadCodeObjectException("the code object is truncated or points outside itself", e);
    } catch (ClassCastException e) {
      throw new BadCodeObjectException("the code object's metadata has an unexpected form", e);
    }
  }

  /** The sections that are not loaded, of any ELF file. */
  static List<Section> sections(byte[] image) {
    try {
      CodeObjectReader reader = new CodeObjectReader(image);
      reader.checkElf();
      return reader.sections();
    } catch (IndexOutOfBoundsException | BufferUnderflowException | ArithmeticException e) {
      throw new BadCodeObjectException("the ELF file is truncated or points outside itself", e);
    }
  }

  /** The kernel of that name. */
  public Optional<KernelInfo> kernel(String name) {
    return kernels.stream().filter(k -> k.name().equals(name)).findFirst();
  }
}
