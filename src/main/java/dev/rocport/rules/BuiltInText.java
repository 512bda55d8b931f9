package dev.rocport.rules;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Files of {@code rules/} that are used unchanged. */
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
        throw new InvalidFileException("rules/" + path + " is missing: rebuild rocport");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new InvalidFileException("cannot read " + path + ": " + e, e);
    }
  }

  /**
   * A table that rocport brings.
   *
   * @param path below {@code rules/}
   * @param header the columns that it must have, as its first line
   */
  public static TsvTable table(String path, String header) {
    return TsvTable.parse(path, read(path), header);
  }
}
