package dev.rocport.build.compile;

import dev.rocport.io.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A SHA-256 over a sequence of texts with their lengths. */
public final class TextsHash {
  private final MessageDigest digest = Sha256.digest();

  public TextsHash add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
    digest.update(bytes);
    return this;
  }

  public TextsHash add(Iterable<String> texts) {
    texts.forEach(this::add);
    return add("");
  }

  public String hex() {
    return Sha256.hex(digest.digest());
  }
}
