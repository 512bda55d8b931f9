package dev.rocport.verify.tensor;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * NumPy's npy format, versions 1 to 3: magic, version, size of the header (16 bits in version 1, 32
 * in later ones), a dictionary in Python's notation with {@code descr}, {@code fortran_order} and
 * {@code shape}, the elements.
 */
final class Npy {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int HEADER_LIMIT = 1 << 16;
  private static final int CHUNK = 1 << 16;
  private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([<>|=])([a-z])(\\d+)'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([\\d, ]*)\\)");

  private Npy() {}

  static boolean isNpy(byte[] start) {
    return Arrays.equals(start, MAGIC);
  }

  /** Reads a file with one tensor, which is named as the file. */
  static TensorFile read(Path file) throws IOException {
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.npy$", "");
    try (InputStream in = Files.newInputStream(file)) {
      TreeMap<String, Tensor> tensors = new TreeMap<>();
      tensors.put(name, read(file, name, in));
      return new TensorFile(new TreeMap<>(), tensors);
    }
  }

  /** Reads a tensor up to the stream's end; memory is taken as bytes come, not as sizes claim. */
  static Tensor read(Path file, String name, InputStream in) throws IOException {
    byte[] start = in.readNBytes(8);
    if (start.length < 8 || !isNpy(Arrays.copyOf(start, MAGIC.length))) {
      throw new TensorFileException(file, "'" + name + "' is not npy");
    }
    int version = start[6];
    if (version < 1 || version > 3) {
      throw new TensorFileException(
          file, "npy version " + version + " is not supported; use 1 to 3");
    }
    byte[] size = in.readNBytes(version == 1 ? 2 : 4);
    ByteBuffer length = ByteBuffer.wrap(Arrays.copyOf(size, 4)).order(ByteOrder.LITTLE_ENDIAN);
    int n = length.getInt();
    if (size.length < (version == 1 ? 2 : 4) || n < 0 || n > HEADER_LIMIT) {
      throw new TensorFileException(file, "npy header too large: " + n);
    }
    byte[] header = in.readNBytes(n);
    if (header.length < n) {
      throw new TensorFileException(file, "truncated in the npy header");
    }
    return tensor(file, name, new String(header, StandardCharsets.UTF_8), in);
  }

  private static Tensor tensor(Path file, String name, String header, InputStream in)
      throws IOException {
    Matcher descr = DESCR.matcher(header);
    Matcher order = ORDER.matcher(header);
    Matcher dims = SHAPE.matcher(header);
    if (!descr.find() || !order.find() || !dims.find()) {
      throw new TensorFileException(file, "malformed npy header: " + header.strip());
    }
    ElementType type =
        type(descr.group(2), descr.group(3))
            .orElseThrow(
                () -> new TensorFileException(file, "unsupported element type: " + header.strip()));
    List<Long> shape = shape(dims.group(1));
    long bytes = shape == null ? -1 : Safetensors.bytes(shape, type);
    if (shape == null || bytes < 0 || bytes > Integer.MAX_VALUE - CHUNK) {
      throw new TensorFileException(file, "npy shape too large: (" + dims.group(1) + ")");
    }
    byte[] data = in.readNBytes((int) bytes);
    if (data.length < bytes || in.read() >= 0) {
      throw new TensorFileException(
          file, "the data of '%s' does not have the %d bytes of its shape".formatted(name, bytes));
    }
    if (descr.group(1).equals(">")) {
      swap(data, type.bytes());
    }
    byte[] rows = order.group(1).equals("True") ? transposed(data, shape, type.bytes()) : data;
    return new Tensor(name, type, shape, MemorySegment.ofArray(rows));
  }

  private static Optional<ElementType> type(String kind, String size) {
    String bits =
        switch (size) {
          case "1" -> "8";
          case "2" -> "16";
          case "4" -> "32";
          case "8" -> "64";
          default -> "";
        };
    return switch (kind) {
      case "b" -> size.equals("1") ? Optional.of(ElementType.BOOL) : Optional.empty();
      case "f" -> ElementType.named("F" + bits);
      case "i" -> ElementType.named("I" + bits);
      case "u" -> ElementType.named("U" + bits);
      default -> Optional.empty();
    };
  }

  private static @Nullable List<Long> shape(String text) {
    List<Long> shape = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      if (!word.isBlank()) {
        try {
          shape.add(Long.parseLong(word.strip()));
        } catch (NumberFormatException e) {
          return null;
        }
      }
    }
    return shape;
  }

  private static void swap(byte[] data, int size) {
    for (int at = 0; at < data.length; at += size) {
      for (int i = 0; i < size / 2; i++) {
        byte b = data[at + i];
        data[at + i] = data[at + size - 1 - i];
        data[at + size - 1 - i] = b;
      }
    }
  }

  /** Column by column into row by row. */
  private static byte[] transposed(byte[] data, List<Long> shape, int size) {
    byte[] rows = new byte[data.length];
    int n = data.length / size;
    for (int to = 0; to < n; to++) {
      long rest = to;
      long from = 0;
      long stride = n;
      for (int d = shape.size() - 1; d >= 0; d--) {
        stride /= shape.get(d);
        from += rest % shape.get(d) * stride;
        rest /= shape.get(d);
      }
      System.arraycopy(data, (int) from * size, rows, to * size, size);
    }
    return rows;
  }
}
