package dev.rocport.build.unit;

import dev.rocport.io.elf.ElfFile;
import dev.rocport.io.gpucode.NvFatbin;
import dev.rocport.io.gpucode.OffloadBundle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads the GPU code in an object or program.
 *
 * <p>Linked code is in the section {@code .hip_fatbin} as one or more offload bundles of clang.
 * Code that is linked later has one section per target, whose name begins with the magic of such a
 * bundle.
 */
public final class EmbeddedCode {
  private static final String KERNEL_DESCRIPTOR = ".kd";

  private EmbeddedCode() {}

  /** Returns the code in a file, in order of the target; bundles of the same target are merged. */
  public static List<CodeObject> of(ElfFile file) throws IOException {
    List<CodeObject> found = new ArrayList<>();
    for (ElfFile.Section s : file.sections()) {
      if (s.name().startsWith(OffloadBundle.MAGIC)
          && !s.name().startsWith(OffloadBundle.MAGIC + "host")) {
        found.add(new CodeObject(target(s.name()), false, List.of()));
      } else if (s.name().equals(".hip_fatbin")) {
        OffloadBundle.each(s.content(), (bundle, bytes) -> add(bundle, bytes, found));
      }
    }
    found.sort(Comparator.comparing(CodeObject::target));
    return merged(found);
  }

  /** Returns true if nvcc made the file. */
  public static boolean isNvidia(ElfFile file) {
    return file.sections().stream().anyMatch(s -> NvFatbin.SECTIONS.contains(s.name()));
  }

  private static void add(OffloadBundle bundle, ByteBuffer bytes, List<CodeObject> found)
      throws IOException {
    for (OffloadBundle.Entry e : bundle.entries()) {
      if (!e.isHost() && e.size() > 0) {
        found.add(code(target(e.id()), e.content(bytes)));
      }
    }
  }

  private static CodeObject code(String target, ByteBuffer bytes) throws IOException {
    List<String> kernels = new ArrayList<>();
    for (ElfFile.Symbol s : ElfFile.of(bytes, "GPU code for " + target).symbols()) {
      if (s.defined() && s.type() == 1 && s.name().endsWith(KERNEL_DESCRIPTOR)) {
        kernels.add(s.name().substring(0, s.name().length() - KERNEL_DESCRIPTOR.length()));
      }
    }
    kernels.sort(Comparator.naturalOrder());
    return new CodeObject(target, true, kernels);
  }

  private static List<CodeObject> merged(List<CodeObject> sorted) {
    List<CodeObject> all = new ArrayList<>();
    for (CodeObject c : sorted) {
      if (!all.isEmpty() && all.getLast().target().equals(c.target())) {
        CodeObject last = all.removeLast();
        List<String> kernels = new ArrayList<>(last.kernels());
        kernels.addAll(c.kernels());
        kernels.sort(Comparator.naturalOrder());
        all.add(new CodeObject(c.target(), last.linked() && c.linked(), kernels));
      } else {
        all.add(c);
      }
    }
    return all;
  }

  /**
   * Returns the part after the triple: {@code hipv4-amdgcn-amd-amdhsa--gfx90a} gives {@code
   * gfx90a}.
   */
  private static String target(String id) {
    int at = id.lastIndexOf("gfx");
    return at < 0 ? id : id.substring(at);
  }
}
