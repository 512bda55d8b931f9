package dev.rocport.device.codeobject;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The formats that kernels name by a hash when they print into a buffer ({@code
 * -mprintf-kind=buffered}). Source: the behavior of clang and of the ROCm runtime.
 */
public final class PrintFormats {
  private final Map<Long, byte[]> byHash = new HashMap<>();

  private PrintFormats() {}

  /** The formats that the notes of a code object hold. */
  static PrintFormats of(List<Map<?, ?>> metadata) {
    PrintFormats formats = new PrintFormats();
    for (Map<?, ?> note : metadata) {
      if (note.get("amdhsa.printf") instanceof List<?> entries) {
        formats.add(entries);
      }
    }
    return formats;
  }

  /** Adds the entries of {@code amdhsa.printf}, {@code 0:0:HASH,FORMAT}. */
  private void add(List<?> entries) {
    for (Object entry : entries) {
      String text = (String) entry;
      int sizes = text.indexOf(':', text.indexOf(':') + 1);
      int comma = text.indexOf(',', sizes);
      if (sizes < 0 || comma < 0) {
        continue;
      }
      try {
        long hash = Long.parseUnsignedLong(text.substring(sizes + 1, comma), 16);
        byHash.put(hash, unescaped(text.substring(comma + 1)));
      } catch (NumberFormatException _) {
        // An entry of OpenCL, whose kernels HIP does not start.
      }
    }
  }

  /** The bytes of a format, without a zero at the end. */
  public Optional<byte[]> get(long hash) {
    return Optional.ofNullable(byHash.get(hash));
  }

  private static byte[] unescaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\72", i)) {
        out.append(':');
        i += 2;
        continue;
      }
      char c = text.charAt(i);
      int escape = c == '\\' && i + 1 < text.length() ? "abfnrv".indexOf(text.charAt(i + 1)) : -1;
      if (escape < 0) {
        out.append(c);
      } else {
        out.append("\u0007\b\f\n\r\u000b".charAt(escape));
        i++;
      }
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }
}
