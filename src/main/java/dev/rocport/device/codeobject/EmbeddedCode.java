package dev.rocport.device.codeobject;

import dev.rocport.device.isa.GenericTarget;
import dev.rocport.device.isa.Target;
import dev.rocport.io.elf.ElfFile;
import dev.rocport.io.gpucode.OffloadBundle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * All code objects for a GPU in a file: a program or library, which has a bundle for each of its
 * translation units, a bundle, or a code object.
 */
public final class EmbeddedCode {
  private static final int AMDGPU = 224;
  private static final int MACHINE = 0xff;

  private EmbeddedCode() {}

  /**
   * Passes on each code object for a target, or for a generic target that it belongs to.
   *
   * @param name of the file, for messages
   * @throws IOException if the file has no form that can hold GPU code, or is damaged
   * @throws BadCodeObjectException if a bundle or a code object is damaged
   */
  public static void read(ByteBuffer file, String name, Target target, Consumer<CodeObject> objects)
      throws IOException {
    ByteBuffer b = file.slice();
    if (OffloadBundle.isAt(b, 0) || OffloadBundle.isCompressedAt(b, 0)) {
      bundles(b, target, objects);
      return;
    }
    ElfFile elf = ElfFile.of(b, name);
    if (elf.machine() == AMDGPU) {
      if (isFor(elf.flags() & MACHINE, target)) {
        objects.accept(CodeObject.read(bytes(b), Optional.of(target)));
      }
      return;
    }
    for (ElfFile.Section section : elf.sections()) {
      if (section.name().startsWith(".hip_fatbin")) {
        bundles(section.content(), target, objects);
      }
    }
  }

  private static boolean isFor(int machine, Target target) {
    return machine == target.machine()
        || GenericTarget.of(machine).filter(g -> g.members().contains(target)).isPresent();
  }

  private static void bundles(ByteBuffer section, Target target, Consumer<CodeObject> objects)
      throws IOException {
    OffloadBundle.each(
        section,
        (_, bundle) ->
            FatBinary.select(bytes(bundle), target)
                .map(code -> CodeObject.read(code, Optional.of(target)))
                .ifPresent(objects));
  }

  private static byte[] bytes(ByteBuffer b) {
    byte[] bytes = new byte[b.limit()];
    b.get(0, bytes);
    return bytes;
  }
}
