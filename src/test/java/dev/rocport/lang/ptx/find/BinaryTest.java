package dev.rocport.lang.ptx.find;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BinaryTest {
  private static final int EM_CUDA = 190;
  private static final int EM_X86_64 = 62;

  @TempDir private Path folder;

  @Test
  void cubinNamesItsGpu() throws IOException {
    assertThat(says(elf(EM_CUDA, 7, 0x00500500 | 90))).isEqualTo("a cubin: machine code for sm_90");
    assertThat(says(elf(EM_CUDA, 8, 0x06006402 | 100 << 8))).contains("machine code for sm_100");
  }

  @Test
  void hostObjectIsNone() throws IOException {
    assertThat(in(elf(EM_X86_64, 0, 0))).isEmpty();
  }

  @Test
  void fatBinaryNamesItsParts() throws IOException {
    byte[] fat = fat(part(2, 80, 300), part(2, 90, 5000), part(1, 90, 64));
    assertThat(says(fat)).isEqualTo("a fat binary: PTX for sm_90; machine code for sm_80, sm_90");
  }

  /** The contents of a fat binary belong to it. */
  @Test
  void nestedCubinsAreNotReportedAgain() throws IOException {
    byte[] cubin = elf(EM_CUDA, 7, 90);
    ByteBuffer part = ByteBuffer.wrap(part(2, 90, cubin.length)).order(ByteOrder.LITTLE_ENDIAN);
    part.position(64);
    part.put(cubin);
    assertThat(in(fat(part.array()))).hasSize(1);
  }

  @Test
  void findsThemInLibrariesWhereverTheyLie() throws IOException {
    byte[] fat = fat(part(2, 86, 100));
    for (int at : List.of(64, 4096, (1 << 20) - 8, (1 << 20) + 56, (1 << 20) + 64, 3 << 20)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(elf(EM_X86_64, 0, 0));
      out.write(new byte[at - out.size()]);
      out.writeBytes(fat);
      out.writeBytes(elf(EM_CUDA, 7, 75));
      out.write(new byte[100]);
      List<Binary> found = in(out.toByteArray());
      assertThat(found)
          .extracting(Binary::offset)
          .containsExactly((long) at, (long) at + fat.length);
      assertThat(Binary.says(found))
          .isEqualTo("a fat binary and a cubin: machine code for sm_75, sm_86");
    }
  }

  @Test
  void brokenHeadsEndNothing() throws IOException {
    byte[] fat = fat(part(2, 80, 300));
    for (int cut = 1; cut < fat.length; cut += 7) {
      assertThat(in(Arrays.copyOf(fat, cut))).hasSizeLessThanOrEqualTo(1);
    }
    ByteBuffer.wrap(fat).order(ByteOrder.LITTLE_ENDIAN).putLong(16 + 8, -5);
    assertThat(in(fat)).hasSize(1);
  }

  private String says(byte[] bytes) throws IOException {
    return Binary.says(in(bytes));
  }

  private List<Binary> in(byte[] bytes) throws IOException {
    return Binary.in(Files.write(folder.resolve("x.bin"), bytes));
  }

  private static byte[] elf(int machine, int abi, int flags) {
    ByteBuffer b = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    b.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0x33, (byte) abi});
    b.putShort(18, (short) machine).putInt(48, flags);
    return b.array();
  }

  private static byte[] part(int kind, int sm, int size) {
    ByteBuffer b = ByteBuffer.allocate(64 + size).order(ByteOrder.LITTLE_ENDIAN);
    b.putShort(0, (short) kind).putInt(4, 64).putLong(8, size).putInt(28, sm);
    return b.array();
  }

  private static byte[] fat(byte[]... parts) {
    int size = Arrays.stream(parts).mapToInt(p -> p.length).sum();
    ByteBuffer b = ByteBuffer.allocate(16 + size).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(0xba55ed50).putShort((short) 1).putShort((short) 16).putLong(size);
    for (byte[] p : parts) {
      b.put(p);
    }
    return b.array();
  }
}
