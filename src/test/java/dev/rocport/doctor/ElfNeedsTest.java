package dev.rocport.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElfNeedsTest {
  @TempDir Path folder;

  /**
   * A file with a loaded and a dynamic segment; its strings are loaded 0x1000 above their place.
   */
  private static byte[] library() {
    ByteBuffer b = ByteBuffer.allocate(512).order(ByteOrder.LITTLE_ENDIAN);
    b.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1});
    b.putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) 2);
    b.putInt(64, 1).putLong(64 + 8, 0).putLong(64 + 16, 0x1000).putLong(64 + 32, 512);
    b.putInt(120, 2).putLong(120 + 8, 200).putLong(120 + 16, 0x10c8).putLong(120 + 32, 80);
    long[] dynamic = {1, 1, 5, 0x1000 + 300, 1, 17, 0, 0};
    for (int i = 0; i < dynamic.length; i++) {
      b.putLong(200 + 8 * i, dynamic[i]);
    }
    b.put(300, "\0libcudart.so.12\0libc.so.6\0".getBytes(StandardCharsets.US_ASCII));
    return b.array();
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("x.so"), bytes);
  }

  @Test
  void readsLinkedLibraries() throws IOException {
    assertThat(ElfNeeds.of(write(library()))).containsExactly("libcudart.so.12", "libc.so.6");
  }

  @Test
  void aDamagedFileNeedsNothingAndFailsNothing() throws IOException {
    byte[] whole = library();
    for (int length = 0; length < whole.length; length += 7) {
      assertThat(ElfNeeds.of(write(Arrays.copyOf(whole, length)))).hasSizeLessThanOrEqualTo(2);
    }
    Random random = new Random(42);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = whole.clone();
      for (int k = 0; k < 8; k++) {
        bytes[6 + random.nextInt(294)] = (byte) random.nextInt();
      }
      assertThat(ElfNeeds.of(write(bytes))).isNotNull();
    }
    assertThat(ElfNeeds.of(folder)).isEmpty();
    assertThat(ElfNeeds.of(folder.resolve("none"))).isEmpty();
  }
}
