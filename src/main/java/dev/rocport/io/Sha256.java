package dev.rocport.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, as hex digits in lower case. */
public final class Sha256 {
  private static final int CHUNK = 1 << 16;

  private Sha256() {}

  public static String of(byte[] bytes) {
    return hex(digest().digest(bytes));
  }

  /** The hash of a file of any size. */
  public static String of(Path file) throws IOException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[CHUNK];
    try (InputStream in = Files.newInputStream(file)) {
      int n;
      while ((n = in.read(buffer)) > 0) {
        digest.update(buffer, 0, n);
      }
    }
    return hex(digest.digest());
  }

  /** The first 16 digits, of a text: enough to distinguish findings and options. */
  public static String fingerprint(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8)).substring(0, 16);
  }

  public static String hex(byte[] hash) {
    return HexFormat.of().formatHex(hash);
  }

  /** For content that comes in parts. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
