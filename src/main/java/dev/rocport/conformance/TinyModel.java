package dev.rocport.conformance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * A language model of the architecture {@code llama} with random weights, as a GGUF file: two
 * layers, half-precision attention, feed-forward networks of 8-bit blocks. Each letter is a token,
 * and only letters have logits other than 0, so that what it generates is text.
 */
final class TinyModel {
  private static final int EMBEDDING = 256;
  private static final int HEADS = 4;
  private static final int KEY_HEADS = 2;
  private static final int FORWARD = 512;
  private static final int LAYERS = 2;
  private static final int CONTEXT = 256;
  private static final int ALIGNMENT = 32;

  /** Values of a block of the format Q8_0. */
  private static final int BLOCK = 32;

  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final int BYTES = 256;
  private static final int FIRST_LETTER = 3 + BYTES;
  private static final int VOCABULARY = FIRST_LETTER + LETTERS.length();

  /** Types of metadata, by their numbers in the format. */
  private enum Kind {
    UINT32(4),
    INT32(5),
    FLOAT32(6),
    BOOL(7),
    STRING(8),
    ARRAY(9);

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  /** Types of tensors. */
  private enum Type {
    F32(0),
    F16(1),
    Q8_0(8);

    private final int number;

    Type(int number) {
      this.number = number;
    }
  }

  private record Tensor(String name, List<Integer> shape, Type type, byte[] data) {}

  private final Random random = new Random(42);
  private final Bytes entries = new Bytes();
  private final List<Tensor> tensors = new ArrayList<>();
  private int entryCount;

  private TinyModel() {}

  /** Writes the model, which is the same each time. */
  static void write(Path file) throws IOException {
    TinyModel model = new TinyModel();
    model.metadata();
    model.vocabulary();
    model.weights();
    Files.write(file, model.bytes());
  }

  private void metadata() {
    text("general.architecture", "llama");
    text("general.name", "random weights");
    number("llama.context_length", CONTEXT);
    number("llama.embedding_length", EMBEDDING);
    number("llama.block_count", LAYERS);
    number("llama.feed_forward_length", FORWARD);
    number("llama.attention.head_count", HEADS);
    number("llama.attention.head_count_kv", KEY_HEADS);
    number("llama.rope.dimension_count", EMBEDDING / HEADS);
    number("llama.vocab_size", VOCABULARY);
    entry("llama.attention.layer_norm_rms_epsilon", Kind.FLOAT32).float32(1e-5f);
  }

  private void vocabulary() {
    List<String> tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
    for (int b = 0; b < BYTES; b++) {
      tokens.add("<0x%02X>".formatted(b));
    }
    LETTERS.chars().forEach(c -> tokens.add(Character.toString(c)));
    text("tokenizer.ggml.model", "llama");
    Bytes names = array("tokenizer.ggml.tokens", Kind.STRING);
    tokens.forEach(names::string);
    Bytes scores = array("tokenizer.ggml.scores", Kind.FLOAT32);
    for (int t = 0; t < VOCABULARY; t++) {
      scores.float32(-t);
    }
    Bytes types = array("tokenizer.ggml.token_type", Kind.INT32);
    for (int t = 0; t < VOCABULARY; t++) {
      // Unknown, control, byte, normal.
      types.int32(t == 0 ? 2 : t < 3 ? 3 : t < FIRST_LETTER ? 6 : 1);
    }
    number("tokenizer.ggml.unknown_token_id", 0);
    number("tokenizer.ggml.bos_token_id", 1);
    number("tokenizer.ggml.eos_token_id", 2);
    entry("tokenizer.ggml.add_bos_token", Kind.BOOL).int8(1);
    entry("tokenizer.ggml.add_space_prefix", Kind.BOOL).int8(0);
  }

  private void weights() {
    int key = EMBEDDING / HEADS * KEY_HEADS;
    tensor("token_embd", Type.F32, List.of(EMBEDDING, VOCABULARY), i -> random.nextGaussian());
    for (int layer = 0; layer < LAYERS; layer++) {
      String block = "blk." + layer + ".";
      norm(block + "attn_norm");
      matrix(block + "attn_q", Type.F16, EMBEDDING, EMBEDDING);
      matrix(block + "attn_k", Type.F16, EMBEDDING, key);
      matrix(block + "attn_v", Type.F16, EMBEDDING, key);
      matrix(block + "attn_output", Type.F16, EMBEDDING, EMBEDDING);
      norm(block + "ffn_norm");
      matrix(block + "ffn_gate", Type.Q8_0, EMBEDDING, FORWARD);
      matrix(block + "ffn_up", Type.Q8_0, EMBEDDING, FORWARD);
      matrix(block + "ffn_down", Type.Q8_0, FORWARD, EMBEDDING);
    }
    norm("output_norm");
    tensor(
        "output",
        Type.F32,
        List.of(EMBEDDING, VOCABULARY),
        i -> i / EMBEDDING < FIRST_LETTER ? 0 : random.nextGaussian() / 4);
  }

  private void norm(String name) {
    tensor(name, Type.F32, List.of(EMBEDDING), i -> 1 + random.nextGaussian() / 10);
  }

  /** A matrix whose products are about as large as what it multiplies. */
  private void matrix(String name, Type type, int inputs, int outputs) {
    double size = 1 / Math.sqrt(inputs);
    tensor(name, type, List.of(inputs, outputs), i -> random.nextGaussian() * size);
  }

  private void tensor(String name, Type type, List<Integer> shape, IntToDoubleFunction values) {
    int count = shape.stream().reduce(1, Math::multiplyExact);
    float[] all = new float[count];
    for (int i = 0; i < count; i++) {
      all[i] = (float) values.applyAsDouble(i);
    }
    Bytes data = new Bytes();
    switch (type) {
      case F32 -> {
        for (float value : all) {
          data.float32(value);
        }
      }
      case F16 -> {
        for (float value : all) {
          data.float16(value);
        }
      }
      case Q8_0 -> {
        for (int start = 0; start < count; start += BLOCK) {
          quantized(all, start, data);
        }
      }
    }
    tensors.add(new Tensor(name + ".weight", shape, type, data.all()));
  }

  /** A block: its scale, then its values in units of the scale. */
  private static void quantized(float[] all, int start, Bytes data) {
    float most = 0;
    for (int i = start; i < start + BLOCK; i++) {
      most = Math.max(most, Math.abs(all[i]));
    }
    float scale = most / Byte.MAX_VALUE;
    data.float16(scale);
    for (int i = start; i < start + BLOCK; i++) {
      data.int8(Math.round(all[i] / scale));
    }
  }

  private byte[] bytes() {
    Bytes file = new Bytes();
    file.raw("GGUF".getBytes(StandardCharsets.US_ASCII));
    file.int32(3);
    file.int64(tensors.size());
    file.int64(entryCount);
    file.raw(entries.all());
    long offset = 0;
    for (Tensor tensor : tensors) {
      file.string(tensor.name());
      file.int32(tensor.shape().size());
      tensor.shape().forEach(file::int64);
      file.int32(tensor.type().number);
      file.int64(offset);
      offset = aligned(offset + tensor.data().length);
    }
    for (Tensor tensor : tensors) {
      file.align(ALIGNMENT);
      file.raw(tensor.data());
    }
    file.align(ALIGNMENT);
    return file.all();
  }

  private static long aligned(long size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private Bytes entry(String name, Kind kind) {
    entryCount++;
    entries.string(name);
    entries.int32(kind.number);
    return entries;
  }

  private void text(String name, String value) {
    entry(name, Kind.STRING).string(value);
  }

  private void number(String name, int value) {
    entry(name, Kind.UINT32).int32(value);
  }

  /** An entry with a value for each token, which follow. */
  private Bytes array(String name, Kind kind) {
    entry(name, Kind.ARRAY).int32(kind.number);
    entries.int64(VOCABULARY);
    return entries;
  }

  /** Little-endian bytes. */
  private static final class Bytes {
    private ByteBuffer buffer = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);

    private ByteBuffer room(int size) {
      if (buffer.remaining() < size) {
        buffer =
            ByteBuffer.allocate(Math.max(2 * buffer.capacity(), buffer.position() + size))
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(buffer.flip());
      }
      return buffer;
    }

    void int8(int value) {
      room(Byte.BYTES).put((byte) value);
    }

    void int32(int value) {
      room(Integer.BYTES).putInt(value);
    }

    void int64(long value) {
      room(Long.BYTES).putLong(value);
    }

    void float16(float value) {
      room(Short.BYTES).putShort(Float.floatToFloat16(value));
    }

    void float32(float value) {
      room(Float.BYTES).putFloat(value);
    }

    void raw(byte[] value) {
      room(value.length).put(value);
    }

    void string(String value) {
      byte[] text = value.getBytes(StandardCharsets.UTF_8);
      int64(text.length);
      raw(text);
    }

    void align(int to) {
      while (buffer.position() % to != 0) {
        int8(0);
      }
    }

    byte[] all() {
      byte[] all = new byte[buffer.position()];
      buffer.get(0, all);
      return all;
    }
  }
}
