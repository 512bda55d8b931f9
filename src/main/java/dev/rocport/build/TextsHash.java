package dev.rocport.build;

import dev.rocport.source.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A SHA-256 over a sequence of texts, told apart by their lengths. */
final class TextsHash {
  private final MessageDigest digest = Sha256.digest();

  TextsHash add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
    digest.update(bytes);
    return this;
  }

  TextsHash add(Iterable<String> texts) {
    texts.forEach(this::add);
    return add("");
  }

  String hex() {
    return Sha256.hex(digest.digest());
  }
}
