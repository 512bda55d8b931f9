package dev.rocport.device.codeobject;

import dev.rocport.device.isa.GenericTarget;
import dev.rocport.device.isa.Target;
import dev.rocport.io.gpucode.OffloadBundle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds the code object for a GPU in the data that a compiler embeds in a program: a bundle of
 * clang's offload bundler, or a single code object.
 */
public final class FatBinary {
  private FatBinary() {}

  /**
   * The code object for a target, or empty where the bundle has none.
   *
   * @throws BadCodeObjectException where the bytes are neither a bundle nor a code object
   */
  public static Optional<byte[]> select(byte[] bytes, Target target) {
    ByteBuffer b = ByteBuffer.wrap(bytes);
    if (OffloadBundle.isAt(b, 0)) {
      return fromBundle(bytes, target);
    }
    if (OffloadBundle.isCompressedAt(b, 0)) {
      return fromBundle(unpacked(b), target);
    }
    boolean fits = CodeObject.read(bytes, Optional.of(target)).target() == target;
    return fits ? Optional.of(bytes) : Optional.empty();
  }

  /** The targets that a bundle has code for, as its entries name them, or that of a code object. */
  public static List<String> targets(byte[] bytes) {
    ByteBuffer b = ByteBuffer.wrap(bytes);
    if (OffloadBundle.isCompressedAt(b, 0)) {
      return targets(unpacked(b));
    }
    return OffloadBundle.isAt(b, 0)
        ? entries(bytes).stream().map(OffloadBundle.Entry::id).toList()
        : List.of(CodeObject.read(bytes).fullArch());
  }

  /** Code for the GPU itself comes before code for all GPUs that have its instructions. */
  private static Optional<byte[]> fromBundle(byte[] bytes, Target target) {
    Optional<byte[]> own = entry(bytes, target.arch());
    return own.isPresent()
        ? own
        : GenericTarget.having(target).flatMap(g -> entry(bytes, g.arch()));
  }

  private static Optional<byte[]> entry(byte[] bytes, String wanted) {
    for (OffloadBundle.Entry e : entries(bytes)) {
      int at = e.id().lastIndexOf("--");
      if (at < 0 || !e.id().startsWith("hip")) {
        continue;
      }
      String arch = e.id().substring(at + 2);
      int colon = arch.indexOf(':');
      if ((colon < 0 ? arch : arch.substring(0, colon)).equals(wanted)
          && !arch.contains("xnack+")
          && !arch.contains("sramecc-")) {
        int from = (int) e.offset();
        return Optional.of(Arrays.copyOfRange(bytes, from, from + (int) e.size()));
      }
    }
    return Optional.empty();
  }

  private static byte[] unpacked(ByteBuffer compressed) {
    try {
      return OffloadBundle.unpacked(compressed).array();
    } catch (IOException e) {
      throw new BadCodeObjectException(String.valueOf(e.getMessage()), e);
    }
  }

  private static List<OffloadBundle.Entry> entries(byte[] bytes) {
    try {
      List<OffloadBundle.Entry> entries = OffloadBundle.at(ByteBuffer.wrap(bytes), 0).entries();
      if (!entries.stream().allMatch(e -> e.fits(bytes.length))) {
        throw new BadCodeObjectException("an entry of the fat binary lies outside it");
      }
      return entries;
    } catch (IOException e) {
      throw new BadCodeObjectException("the fat binary is truncated", e);
    }
  }
}
