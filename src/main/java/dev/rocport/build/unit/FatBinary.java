package dev.rocport.build.unit;

import dev.rocport.io.elf.ElfFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads the GPU code in an object or program.
 *
 * <p>Linked code is in the section {@code .hip_fatbin} as one or more bundles: the magic {@code
 * __CLANG_OFFLOAD_BUNDLE__}, the number of entries (64 bits), then for each entry its offset from
 * the magic, its size, the length of its name (64 bits each) and its name. Code that is linked
 * later has one section per target, whose name begins with the magic. This is the format of
 * clang-offload-bundler.
 */
public final class FatBinary {
  private static final String MAGIC = "__CLANG_OFFLOAD_BUNDLE__";
  private static final String COMPRESSED = "CCOB";
  private static final String KERNEL_DESCRIPTOR = ".kd";
  private static final int ALIGN = 4096;

  private FatBinary() {}

  /** Returns the code in a file, in order of the target; bundles of the same target are merged. */
  public static List<CodeObject> of(ElfFile file) throws IOException {
    List<CodeObject> found = new ArrayList<>();
    for (ElfFile.Section s : file.sections()) {
      if (s.name().startsWith(MAGIC) && !s.name().startsWith(MAGIC + "host")) {
        found.add(new CodeObject(target(s.name()), false, List.of()));
      } else if (s.name().equals(".hip_fatbin")) {
        bundles(s.content(), found);
      }
    }
    found.sort(Comparator.comparing(CodeObject::target));
    return merged(found);
  }

  /** Returns true if nvcc made the file. */
  public static boolean isNvidia(ElfFile file) {
    return file.sections().stream()
        .anyMatch(s -> s.name().equals(".nv_fatbin") || s.name().equals("__nv_relfatbin"));
  }

  private static void bundles(ByteBuffer b, List<CodeObject> found) throws IOException {
    int at = 0;
    while (at + MAGIC.length() + 8 <= b.limit()) {
      if (startsWith(b, at, COMPRESSED)) {
        throw new IOException(
            "compressed GPU code is not supported; build without --offload-compress");
      }
      at = startsWith(b, at, MAGIC) ? bundle(b, at, found) : at + 8;
    }
  }

  /** Reads one bundle; returns the offset at which the next one may begin. */
  private static int bundle(ByteBuffer b, int start, List<CodeObject> found) throws IOException {
    try {
      int at = start + MAGIC.length();
      int count = Math.toIntExact(b.getLong(at));
      at += 8;
      int end = at;
      for (int i = 0; i < count; i++) {
        int offset = Math.toIntExact(b.getLong(at));
        int size = Math.toIntExact(b.getLong(at + 8));
        byte[] name = new byte[Math.toIntExact(b.getLong(at + 16))];
        b.get(at + 24, name);
        at += 24 + name.length;
        end = Math.max(end, Math.max(at, start + offset + size));
        String id = new String(name, StandardCharsets.UTF_8);
        if (!id.startsWith("host") && size > 0) {
          found.add(code(target(id), b.slice(start + offset, size)));
        }
      }
      return Math.max(at, (end + ALIGN - 1) / ALIGN * ALIGN);
    } catch (IndexOutOfBoundsException | ArithmeticException | NegativeArraySizeException e) {
      throw new IOException("damaged bundle of GPU code", e);
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

  private static boolean startsWith(ByteBuffer b, int at, String text) {
    if (at + text.length() > b.limit()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (b.get(at + i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
