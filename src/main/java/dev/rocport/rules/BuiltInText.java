package dev.rocport.rules;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Files of {@code rules/} that are used as they are. */
public final class BuiltInText {
  private BuiltInText() {}

  /**
   * The text of one of them.
   *
   * @param path below {@code rules/}
   */
  public static String read(String path) {
    try (InputStream in = BuiltInText.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new RuleException("rules/" + path + " is missing: build rocport again");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new RuleException("cannot read " + path + ": " + e, e);
    }
  }
}
