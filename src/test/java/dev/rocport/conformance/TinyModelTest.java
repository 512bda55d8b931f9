package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the model back with a reader of the format that shares nothing with the writer. */
class TinyModelTest {
  private final Map<String, Object> metadata = new LinkedHashMap<>();

  @TempDir private Path folder;

  @Test
  void fileIsTheSameEachTime() throws IOException {
    TinyModel.write(folder.resolve("a"));
    TinyModel.write(folder.resolve("b"));

    assertThat(folder.resolve("a")).hasSameBinaryContentAs(folder.resolve("b"));
  }

  @Test
  void tensorsFollowEachOtherAndFillTheFile() throws IOException {
    ByteBuffer file = read();
    int tensors = header(file);
    long end = 0;
    Map<String, Long> offsets = new LinkedHashMap<>();
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (int t = 0; t < tensors; t++) {
      String name = string(file);
      long count = 1;
      for (int d = file.getInt(); d > 0; d--) {
        count *= file.getLong();
      }
      int type = file.getInt();
      offsets.put(name, file.getLong());
      sizes.put(name, type == 0 ? 4 * count : type == 1 ? 2 * count : count / 32 * 34);
    }
    long data = (file.position() + 31) / 32 * 32L;
    for (String name : offsets.keySet()) {
      assertThat(offsets.get(name)).as(name).isEqualTo((end + 31) / 32 * 32);
      end = offsets.get(name) + sizes.get(name);
    }

    assertThat(sizes).containsKeys("token_embd.weight", "blk.1.ffn_down.weight", "output.weight");
    assertThat((long) file.limit()).isEqualTo((data + end + 31) / 32 * 32);
  }

  @Test
  void vocabularyHasOneTokenForEachLetter() throws IOException {
    header(read());

    assertThat(metadata).containsEntry("general.architecture", "llama");
    assertThat(metadata).containsEntry("llama.block_count", 2);
    String[] tokens = String.valueOf(metadata.get("tokenizer.ggml.tokens")).split(",");
    assertThat(tokens).hasSize(311).startsWith("<unk>", "<s>", "</s>", "<0x00>").endsWith("Y", "Z");
    String[] types = String.valueOf(metadata.get("tokenizer.ggml.token_type")).split(",");
    assertThat(types).hasSize(311).startsWith("2", "3", "3", "6").endsWith("1");
    assertThat(types[3 + 255]).isEqualTo("6");
    assertThat(types[3 + 256]).isEqualTo("1");
  }

  private ByteBuffer read() throws IOException {
    TinyModel.write(folder.resolve("model"));
    return ByteBuffer.wrap(Files.readAllBytes(folder.resolve("model")))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads the metadata; returns the number of tensors. */
  private int header(ByteBuffer file) {
    byte[] magic = new byte[4];
    file.get(magic);
    assertThat(new String(magic, StandardCharsets.US_ASCII)).isEqualTo("GGUF");
    assertThat(file.getInt()).isEqualTo(3);
    int tensors = (int) file.getLong();
    for (long e = file.getLong(); e > 0; e--) {
      String name = string(file);
      metadata.put(name, value(file, file.getInt()));
    }
    return tensors;
  }

  private static Object value(ByteBuffer file, int type) {
    return switch (type) {
      case 4, 5 -> file.getInt();
      case 6 -> file.getFloat();
      case 7 -> file.get() != 0;
      case 8 -> string(file);
      case 9 -> {
        int element = file.getInt();
        StringBuilder all = new StringBuilder();
        for (long i = file.getLong(); i > 0; i--) {
          all.append(value(file, element)).append(i > 1 ? "," : "");
        }
        yield all.toString();
      }
      default -> throw new AssertionError("type " + type);
    };
  }

  private static String string(ByteBuffer file) {
    byte[] text = new byte[(int) file.getLong()];
    file.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
