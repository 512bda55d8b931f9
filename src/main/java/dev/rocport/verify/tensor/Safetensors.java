package dev.rocport.verify.tensor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The safetensors format: 8 bytes with the size of a JSON header, the header, the tensors' bytes.
 * The header gives each tensor's {@code dtype}, {@code shape} and {@code data_offsets} (first byte
 * and first byte behind it, from the header's end), and text under {@code __metadata__}. Tensors
 * fill the rest of the file, without gaps and without overlaps.
 */
public final class Safetensors {
  private static final String METADATA = "__metadata__";
  private static final Set<String> FIELDS = Set.of("dtype", "shape", "data_offsets");
  private static final int PREFIX = 8;
  private static final int ALIGNMENT = 8;

  /** Larger headers are refused: a hundred thousand tensors need less. */
  private static final long HEADER_LIMIT = 16L << 20;

  private static final int DIMENSIONS = 64;

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();

  private Safetensors() {}

  /** A tensor's place in the file. */
  private record Span(Tensor tensor, long begin, long end) {}

  /**
   * Reads a file. The tensors' bytes are mapped, not read: only bytes that the file really has are
   * accessed.
   *
   * @throws TensorFileException if the file violates the format
   */
  static TensorFile read(Path file) throws IOException {
    MemorySegment all;
    try (FileChannel channel = FileChannel.open(file)) {
      all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
    }
    return new Reader(file, all).read();
  }

  /** The same of the bytes of a file. */
  static TensorFile read(Path file, byte[] content) throws TensorFileException {
    return new Reader(file, MemorySegment.ofArray(content).asReadOnly()).read();
  }

  private static final class Reader {
    private final Path file;
    private final MemorySegment all;

    Reader(Path file, MemorySegment all) {
      this.file = file;
      this.all = all;
    }

    TensorFile read() throws TensorFileException {
      if (all.byteSize() < PREFIX) {
        throw wrong("truncated: %d bytes cannot hold a header".formatted(all.byteSize()));
      }
      long size = all.get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 0);
      if (size < 2 || size > HEADER_LIMIT) {
        throw wrong(
            "not safetensors: a header of %s bytes; the limit is %d"
                .formatted(Long.toUnsignedString(size), HEADER_LIMIT));
      }
      if (size > all.byteSize() - PREFIX) {
        throw wrong(
            "truncated: the header specifies %d bytes, the file has %d"
                .formatted(size, all.byteSize()));
      }
      JsonNode header = header(all.asSlice(PREFIX, size));
      MemorySegment data = all.asSlice(PREFIX + size);
      SortedMap<String, String> metadata = new TreeMap<>();
      List<Span> spans = new ArrayList<>();
      for (Map.Entry<String, JsonNode> e : header.properties()) {
        if (e.getKey().equals(METADATA)) {
          metadata(e.getValue(), metadata);
        } else {
          spans.add(span(e.getKey(), e.getValue(), data));
        }
      }
      contiguous(spans, data.byteSize());
      SortedMap<String, Tensor> tensors = new TreeMap<>();
      spans.forEach(s -> tensors.put(s.tensor().name(), s.tensor()));
      return new TensorFile(metadata, tensors);
    }

    private JsonNode header(MemorySegment bytes) throws TensorFileException {
      try {
        String text = StandardCharsets.UTF_8.newDecoder().decode(bytes.asByteBuffer()).toString();
        if (!text.startsWith("{")) {
          throw wrong("not safetensors: the header is not a JSON object");
        }
        JsonNode node = JSON.readTree(text.stripTrailing());
        if (!node.isObject()) {
          throw wrong("the header is not a JSON object");
        }
        return node;
      } catch (CharacterCodingException e) {
        throw wrong("the header is not UTF-8");
      } catch (JacksonException e) {
        throw wrong("the header is not JSON, or has a duplicate name: " + e.getOriginalMessage());
      } catch (StackOverflowError e) {
        throw wrong("the header is nested too deeply");
      }
    }

    private void metadata(JsonNode node, SortedMap<String, String> into)
        throws TensorFileException {
      if (!node.isObject()) {
        throw wrong(METADATA + " is not an object");
      }
      for (Map.Entry<String, JsonNode> e : node.properties()) {
        if (!e.getValue().isString()) {
          throw wrong(METADATA + ": '" + e.getKey() + "' is not a string");
        }
        into.put(e.getKey(), e.getValue().asString());
      }
    }

    private Span span(String name, JsonNode node, MemorySegment data) throws TensorFileException {
      if (!node.isObject() || !new HashSet<>(node.propertyNames()).equals(FIELDS)) {
        throw wrong("tensor '" + name + "': expected dtype, shape and data_offsets");
      }
      String label = node.get("dtype").isString() ? node.get("dtype").asString() : "none";
      ElementType type =
          ElementType.named(label)
              .orElseThrow(() -> wrong("tensor '%s': unknown type %s".formatted(name, label)));
      List<Long> shape = numbers(name, "shape", node.get("shape"));
      List<Long> offsets = numbers(name, "data_offsets", node.get("data_offsets"));
      if (offsets.size() != 2 || shape.size() > DIMENSIONS) {
        throw wrong("tensor '" + name + "': expected two offsets and at most 64 dimensions");
      }
      long begin = offsets.get(0);
      long end = offsets.get(1);
      if (begin > end || end > data.byteSize()) {
        throw wrong(
            "tensor '%s': no bytes %d to %d in %d bytes of data; the file is truncated or wrong"
                .formatted(name, begin, end, data.byteSize()));
      }
      if (bytes(shape, type) != end - begin) {
        throw wrong(
            "tensor '%s': %s of %s are not %d bytes"
                .formatted(name, Tensor.shapeText(shape), type, end - begin));
      }
      return new Span(new Tensor(name, type, shape, data.asSlice(begin, end - begin)), begin, end);
    }

    private List<Long> numbers(String name, String field, JsonNode node)
        throws TensorFileException {
      List<Long> numbers = new ArrayList<>();
      if (!node.isArray()) {
        throw wrong("tensor '%s': %s is not a list".formatted(name, field));
      }
      for (JsonNode n : node) {
        if (!n.isIntegralNumber() || !n.canConvertToLong() || n.asLong() < 0) {
          throw wrong("tensor '%s': %s has %s".formatted(name, field, n));
        }
        numbers.add(n.asLong());
      }
      return numbers;
    }

    private void contiguous(List<Span> spans, long size) throws TensorFileException {
      spans.sort(Comparator.comparingLong(Span::begin).thenComparingLong(Span::end));
      long at = 0;
      for (Span s : spans) {
        if (s.begin() != at) {
          throw wrong(
              "tensor '%s' begins at %d instead of %d: a gap or an overlap"
                  .formatted(s.tensor().name(), s.begin(), at));
        }
        at = s.end();
      }
      if (at != size) {
        throw wrong("%d bytes belong to no tensor".formatted(size - at));
      }
    }

    private TensorFileException wrong(String why) {
      return new TensorFileException(file, why);
    }
  }

  /** Bytes of a tensor; -1 where they are more than a {@code long} counts. */
  static long bytes(List<Long> shape, ElementType type) {
    if (shape.contains(0L)) {
      return 0;
    }
    try {
      long bytes = type.bytes();
      for (long d : shape) {
        bytes = Math.multiplyExact(bytes, d);
      }
      return bytes;
    } catch (ArithmeticException e) {
      return -1;
    }
  }

  /** Writes a file: the tensors in the order given, names and metadata as they are. */
  public static void write(
      SortedMap<String, String> metadata, Collection<Tensor> tensors, OutputStream out)
      throws IOException {
    byte[] header = headerOf(metadata, tensors);
    ByteBuffer prefix = ByteBuffer.allocate(PREFIX).order(ByteOrder.LITTLE_ENDIAN);
    out.write(prefix.putLong(header.length).array());
    out.write(header);
    for (Tensor t : tensors) {
      out.write(t.data().toArray(ValueLayout.JAVA_BYTE));
    }
  }

  private static byte[] headerOf(SortedMap<String, String> metadata, Collection<Tensor> tensors)
      throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator g = JSON.createGenerator(text)) {
      g.writeStartObject();
      g.writeObjectPropertyStart(METADATA);
      metadata.forEach(g::writeStringProperty);
      g.writeEndObject();
      long at = 0;
      for (Tensor t : tensors) {
        g.writeObjectPropertyStart(t.name());
        g.writeStringProperty("dtype", t.type().name());
        g.writeArrayPropertyStart("shape");
        t.shape().forEach(g::writeNumber);
        g.writeEndArray();
        g.writeArrayPropertyStart("data_offsets");
        g.writeNumber(at);
        at += t.data().byteSize();
        g.writeNumber(at);
        g.writeEndArray();
        g.writeEndObject();
      }
      g.writeEndObject();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(text.toString().getBytes(StandardCharsets.UTF_8));
    while (bytes.size() % ALIGNMENT != 0) {
      bytes.write(' ');
    }
    return bytes.toByteArray();
  }
}
