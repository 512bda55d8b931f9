package dev.rocport.verify.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NpyTest {
  @TempDir Path folder;

  private static byte[] npy(int version, String header, int... data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    out.write(text.length & 0xff);
    out.write(text.length >> 8);
    if (version > 1) {
      out.writeBytes(new byte[2]);
    }
    out.writeBytes(text);
    for (int b : data) {
      out.write(b);
    }
    return out.toByteArray();
  }

  private static String header(String descr, boolean fortran, String shape) {
    return "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n"
        .formatted(descr, fortran ? "True" : "False", shape);
  }

  private TensorFile read(byte[] bytes) throws IOException {
    return TensorFile.read(Files.write(folder.resolve("x.npy"), bytes));
  }

  private static long[] values(Tensor t) {
    return LongStream.range(0, t.count()).map(i -> (long) t.value(i)).toArray();
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3"})
  void allVersionsAreRead(int version) throws IOException {
    Tensor t = read(npy(version, header("<i2", false, "2, 1"), 1, 0, 255, 255)).tensors().get("x");
    assertThat(t.type()).isEqualTo(ElementType.I16);
    assertThat(t.shape()).containsExactly(2L, 1L);
    assertThat(values(t)).containsExactly(1, -1);
  }

  @Test
  void theOtherByteOrderIsTurned() throws IOException {
    Tensor t = read(npy(1, header(">u4", false, "1,"), 0, 0, 1, 2)).tensors().get("x");
    assertThat(values(t)).containsExactly(258);
  }

  @Test
  void theOtherOrderOfAxesIsTurned() throws IOException {
    // [[1, 2, 3], [4, 5, 6]], column by column
    Tensor t = read(npy(1, header("|u1", true, "2, 3"), 1, 4, 2, 5, 3, 6)).tensors().get("x");
    assertThat(values(t)).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void aScalarHasNoDimensions() throws IOException {
    Tensor t = read(npy(1, header("|b1", false, ""), 1)).tensors().get("x");
    assertThat(t.shape()).isEmpty();
    assertThat(t.count()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), };truncated",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), };malformed",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), };unsupported",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), };too large",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), };too large",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2000000000,), };too large",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), };does not have",
        "{'descr': '<f4', 'shape': (), };malformed",
      })
  void aWrongHeaderIsRefused(String header, String message) {
    assertThatThrownBy(() -> read(npy(1, "X" + header, 1, 2, 3)))
        .isInstanceOf(TensorFileException.class)
        .hasMessageContaining(message.equals("truncated") ? "does not have" : message);
  }

  @Test
  void anUnknownVersionIsRefused() {
    assertThatThrownBy(() -> read(npy(4, header("<f4", false, ""), 1, 2, 3, 4)))
        .hasMessageContaining("version 4");
  }

  @Test
  void anArchiveHoldsTensorsByName() throws IOException {
    Path file = folder.resolve("a.npz");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("first.npy"));
      zip.write(npy(1, header("|u1", false, "2,"), 7, 8));
      zip.putNextEntry(new ZipEntry("second.npy"));
      zip.write(npy(1, header("<f2", false, "1,"), 0, 0x3c));
    }
    TensorFile read = TensorFile.read(file);
    assertThat(read.tensors().keySet()).containsExactly("first", "second");
    assertThat(read.tensors().get("second").value(0)).isEqualTo(1);
    byte[] whole = Files.readAllBytes(file);
    Path cut = Files.write(folder.resolve("cut.npz"), java.util.Arrays.copyOf(whole, 60));
    assertThatThrownBy(() -> TensorFile.read(cut)).hasMessageContaining("not a complete zip");
  }
}
