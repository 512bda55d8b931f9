package dev.rocport.verify.compare;

import dev.rocport.io.Sha256;
import dev.rocport.verify.tensor.ElementType;
import dev.rocport.verify.tensor.Tensor;
import dev.rocport.verify.tensor.TensorFile;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The summary of a tensor that is too large to be stored in a file: the metadata {@code
 * tensor.NAME} that {@code rocport_golden.h} writes, as words {@code key=value}.
 *
 * @param statistics {@code finite}, {@code nan}, {@code inf}, {@code zero}, {@code min}, ...
 */
public record Summary(
    ElementType type, List<Long> shape, String sha256, Map<String, String> statistics) {
  private static final String KEY = "tensor.";

  public Summary {
    shape = List.copyOf(shape);
    statistics = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(statistics));
  }

  /** The names of the tensors that a file only has summaries of. */
  public static List<String> names(TensorFile file) {
    return file.metadata().keySet().stream()
        .filter(k -> k.startsWith(KEY))
        .map(k -> k.substring(KEY.length()))
        .filter(n -> !n.contains("@"))
        .toList();
  }

  /** The summary of a tensor; empty if there is none or it is invalid. */
  public static Optional<Summary> of(TensorFile file, String name) {
    String text = file.metadata().get(KEY + name);
    return text == null ? Optional.empty() : parse(text);
  }

  static Optional<Summary> parse(String text) {
    Map<String, String> words = new LinkedHashMap<>();
    for (String word : text.split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        words.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    Optional<ElementType> type = ElementType.named(words.getOrDefault("dtype", ""));
    String sha = words.getOrDefault("sha256", "");
    List<Long> shape = new ArrayList<>();
    try {
      for (String d : words.getOrDefault("shape", "").split(",", -1)) {
        if (!d.isEmpty()) {
          shape.add(Long.parseLong(d));
        }
      }
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
    if (type.isEmpty() || !sha.matches("[0-9a-f]{64}")) {
      return Optional.empty();
    }
    List.of("dtype", "shape", "sha256").forEach(words::remove);
    return Optional.of(new Summary(type.get(), shape, sha, words));
  }

  /** SHA-256 of a tensor's bytes. */
  static String hash(Tensor tensor) {
    MessageDigest digest = Sha256.digest();
    long size = tensor.data().byteSize();
    for (long at = 0; at < size; at += 1 << 20) {
      digest.update(tensor.data().asSlice(at, Math.min(1 << 20, size - at)).asByteBuffer());
    }
    return Sha256.hex(digest.digest());
  }

  /** The count of that name; -1 if there is none. */
  long count(String name) {
    try {
      return Long.parseLong(statistics.getOrDefault(name, "-1"));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Number of elements. */
  public long elements() {
    return shape.stream().reduce(1L, (product, d) -> product * d);
  }

  /** {@code F32 [2, 3]}. */
  public String text() {
    return type + " " + shape;
  }
}
