package dev.rocport.verify.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsTest {
  @TempDir Path folder;

  private Path file(long size, String header, byte[] data) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(size).array());
    out.write(header.getBytes(StandardCharsets.UTF_8));
    out.write(data);
    return Files.write(folder.resolve("t.safetensors"), out.toByteArray());
  }

  private Path file(String header, int bytes) throws IOException {
    return file(header.getBytes(StandardCharsets.UTF_8).length, header, new byte[bytes]);
  }

  @Test
  void readsBackWhatIsWritten() throws IOException {
    TreeMap<String, String> metadata = new TreeMap<>(Map.of("gpu", "NVIDIA \"H200\"", "seed", "7"));
    byte[] floats =
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putFloat(1.5f).putFloat(-2).array();
    Tensor t = new Tensor("a/b", ElementType.F32, List.of(2L, 1L), MemorySegment.ofArray(floats));
    Tensor empty = new Tensor("none", ElementType.BF16, List.of(3L, 0L), MemorySegment.NULL);
    Path file = folder.resolve("w.safetensors");
    try (var out = Files.newOutputStream(file)) {
      Safetensors.write(metadata, List.of(t, empty), out);
    }
    TensorFile read = TensorFile.read(file);
    assertThat(read.metadata()).isEqualTo(metadata);
    assertThat(read.tensors().keySet()).containsExactly("a/b", "none");
    assertThat(read.tensors().get("a/b").value(1)).isEqualTo(-2);
    assertThat(read.tensors().get("a/b").shape()).containsExactly(2L, 1L);
    assertThat(read.tensors().get("none").count()).isZero();
  }

  @Test
  void readsCompressedFiles() throws IOException {
    byte[] content =
        Files.readAllBytes(
            file("{\"a\":{\"dtype\":\"I8\",\"shape\":[4096],\"data_offsets\":[0,4096]}}", 4096));
    byte[] packed = XzFile.pack(content);
    assertThat(packed).hasSizeLessThan(content.length / 10);
    Path file = Files.write(folder.resolve("t.safetensors.xz"), packed);
    assertThat(TensorFile.read(file).tensors().get("a").count()).isEqualTo(4096);
    assertThat(XzFile.read(file)).isEqualTo(content);
    for (int length : new int[] {20, packed.length - 1}) {
      Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(packed, length));
      assertThatThrownBy(() -> TensorFile.read(cut))
          .isInstanceOf(TensorFileException.class)
          .hasMessageContaining("damaged xz file");
    }
    packed[packed.length / 2] ^= 1;
    Path damaged = Files.write(folder.resolve("damaged"), packed);
    assertThatThrownBy(() -> TensorFile.read(damaged)).isInstanceOf(TensorFileException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not UTF-16BE but no object | [] | not a JSON object",
        "unknown type | {'a':{'dtype':'F12','shape':[1],'data_offsets':[0,4]}} | unknown type F12",
        "gap | {'a':{'dtype':'U8','shape':[3],'data_offsets':[1,4]}} | gap or an overlap",
        "overlap |"
            + " {'a':{'dtype':'U8','shape':[3],'data_offsets':[0,3]},'b':{'dtype':'U8','shape':[2],'data_offsets':[2,4]}}"
            + " | gap or an overlap",
        "beyond the end | {'a':{'dtype':'U8','shape':[5],'data_offsets':[0,5]}} | truncated",
        "rest | {'a':{'dtype':'U8','shape':[3],'data_offsets':[0,3]}} | belong to no tensor",
        "wrong size | {'a':{'dtype':'F32','shape':[2],'data_offsets':[0,4]}} | are not 4 bytes",
        "huge shape | {'a':{'dtype':'F32','shape':[4611686018427387904,4],'data_offsets':[0,4]}} |"
            + " are not 4 bytes",
        "negative | {'a':{'dtype':'U8','shape':[-4],'data_offsets':[0,4]}} | shape has -4",
        "fraction | {'a':{'dtype':'U8','shape':[4.0],'data_offsets':[0,4]}} | shape has 4.0",
        "too large a number |"
            + " {'a':{'dtype':'U8','shape':[99999999999999999999],'data_offsets':[0,4]}} | shape"
            + " has",
        "reversed | {'a':{'dtype':'U8','shape':[0],'data_offsets':[4,0]}} | truncated or wrong",
        "twice |"
            + " {'a':{'dtype':'U8','shape':[4],'data_offsets':[0,4]},'a':{'dtype':'U8','shape':[4],'data_offsets':[0,4]}}"
            + " | duplicate",
        "another field | {'a':{'dtype':'U8','shape':[4],'data_offsets':[0,4],'x':1}} |"
            + " expected",
        "metadata | {'__metadata__':{'a':1},'a':{'dtype':'U8','shape':[4],'data_offsets':[0,4]}} |"
            + " not a string",
        "cut JSON | {'a':{'dtype':'U8' | not JSON",
      })
  void aWrongHeaderIsRefused(String name, String header, String message) throws IOException {
    Path file = file(header.replace('\'', '"'), 4);
    assertThatThrownBy(() -> TensorFile.read(file))
        .as(name)
        .isInstanceOf(TensorFileException.class)
        .hasMessageContaining(message)
        .hasMessageContaining(file.toString());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 100, 1L << 40, Long.MAX_VALUE, -1})
  void aWrongSizeOfTheHeaderIsRefusedAndTakesNoMemory(long size) throws IOException {
    Path file = file(size, "{}", new byte[0]);
    assertThatThrownBy(() -> TensorFile.read(file)).isInstanceOf(TensorFileException.class);
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() throws IOException {
    byte[] bytes = new byte[8 + 4];
    bytes[0] = 4;
    bytes[8] = '{';
    bytes[9] = (byte) 0xff;
    Path file = Files.write(folder.resolve("u.safetensors"), bytes);
    assertThatThrownBy(() -> TensorFile.read(file)).hasMessageContaining("not UTF-8");
  }

  @Test
  void deepNestingIsRefused() throws IOException {
    Path file = file("{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}", 0);
    assertThatThrownBy(() -> TensorFile.read(file)).isInstanceOf(TensorFileException.class);
  }

  @Test
  void everyCutOfAFileIsRefused() throws IOException {
    byte[] whole =
        Files.readAllBytes(
            file("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}", 4));
    for (int n = 0; n < whole.length; n++) {
      Path cut = folder.resolve("cut");
      Files.write(cut, java.util.Arrays.copyOf(whole, n));
      assertThatThrownBy(() -> TensorFile.read(cut)).isInstanceOf(TensorFileException.class);
    }
  }

  @Test
  void namesAMissingFile() {
    assertThatThrownBy(() -> TensorFile.read(folder.resolve("nowhere")))
        .hasMessageContaining("nowhere: no such file");
  }
}
