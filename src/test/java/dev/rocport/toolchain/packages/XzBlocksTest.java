package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class XzBlocksTest {
  private static final int BEFORE = 7;

  @TempDir private Path folder;
  private final byte[] plain = new byte[10_000];

  /** A file with an xz file inside, whose blocks have these sizes. */
  private Path file(int... blocks) throws IOException {
    new Random(5).nextBytes(plain);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(new byte[BEFORE]);
    int at = 0;
    try (XZOutputStream out = new XZOutputStream(bytes, new LZMA2Options(0))) {
      for (int block : blocks) {
        out.write(plain, at, block);
        out.endBlock();
        at += block;
      }
    }
    byte[] all = Arrays.copyOf(bytes.toByteArray(), bytes.size() + 3);
    return Files.write(folder.resolve("a.deb"), all);
  }

  private static long size(Path file) throws IOException {
    return Files.size(file) - BEFORE - 3;
  }

  @Test
  void blocksComeInTheirOrder() throws IOException {
    Path file = file(1000, 1, 4000, 300, 200, 4000, 499);
    try (InputStream in = XzBlocks.open(file, BEFORE, size(file), 3).orElseThrow()) {
      assertThat(in.read()).isEqualTo(plain[0] & 0xff);
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(plain, 1, plain.length));
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void oneBlockOrOneProcessorNeedsNoThreads() throws IOException {
    Path one = file(10_000);
    assertThat(XzBlocks.open(one, BEFORE, size(one), 3)).isEmpty();
    Path two = file(5000, 5000);
    assertThat(XzBlocks.open(two, BEFORE, size(two), 1)).isEmpty();
  }

  @Test
  void damageIsAnError() throws IOException {
    Path file = file(3000, 3000, 4000);
    byte[] bytes = Files.readAllBytes(file);
    bytes[BEFORE + 4500] ^= 0x40;
    Files.write(file, bytes);
    try (InputStream in = XzBlocks.open(file, BEFORE, size(file), 2).orElseThrow()) {
      assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
    }
  }
}
