package dev.rocport.toolchain;

import dev.rocport.io.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/** The hash of all inputs of a cached artifact. */
public final class ContentHash {
  private final MessageDigest digest = Sha256.digest();

  /** Takes in a text. */
  public ContentHash add(String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Takes in files: their paths below a folder, and what is in them. */
  public ContentHash add(Path root, List<Path> files) throws IOException {
    for (Path file : files) {
      add(root.relativize(file) + "\n");
      digest.update(Files.readAllBytes(file));
    }
    return this;
  }

  /** Its first 16 hex digits; nothing more can be taken in. */
  public String name() {
    return HexFormat.of().formatHex(digest.digest(), 0, 8);
  }
}
