package dev.rocport.build.compile;

import dev.rocport.io.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hashes of source files, cached until a file changes. */
public final class FileHashes {
  private static final Pattern TIME = Pattern.compile("__(?:DATE|TIME|TIMESTAMP)__");
  private static final Pattern HAS_INCLUDE =
      Pattern.compile("__has_include(?:_next)?\\s*\\(\\s*[<\"]([^>\"\\n]+)[>\"]");

  private final Map<Path, Known> known = new ConcurrentHashMap<>();

  /**
   * Properties of a file that objects depend on.
   *
   * @param hash SHA-256 of the content
   * @param modified time of the last change, in milliseconds
   * @param timed whether the text uses the build time
   * @param probes headers whose presence the text checks
   */
  record Facts(String hash, long modified, boolean timed, List<String> probes) {}

  private record Known(long size, long modified, Object key, Facts facts) {}

  /** Returns the facts of a file; empty if it cannot be read. */
  Optional<Facts> of(Path file) {
    try {
      BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
      Object key = a.fileKey() == null ? file : a.fileKey();
      long nanos = a.lastModifiedTime().to(java.util.concurrent.TimeUnit.NANOSECONDS);
      Known k = known.get(file);
      if (k == null || k.size() != a.size() || k.modified() != nanos || !k.key().equals(key)) {
        k = new Known(a.size(), nanos, key, facts(file, a.lastModifiedTime().toMillis()));
        known.put(file, k);
      }
      return Optional.of(k.facts());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Facts facts(Path file, long modified) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    List<String> probes = new ArrayList<>();
    Matcher m = HAS_INCLUDE.matcher(text);
    while (m.find()) {
      probes.add(m.group(1));
    }
    boolean timed = TIME.matcher(text).find();
    return new Facts(Sha256.of(bytes), modified, timed, List.copyOf(probes));
  }
}
