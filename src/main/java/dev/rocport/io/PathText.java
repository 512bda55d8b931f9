package dev.rocport.io;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Paths as text and back, one to one: the name of a file may be any bytes but zero and slash, while
 * a string can hold Unicode only. Bytes that are not UTF-8 become {@code \xNN}.
 */
public final class PathText {
  private static final String ESCAPE = "\\x";

  private PathText() {}

  /** The text of a relative path, with {@code /}. */
  public static String of(Path relative) {
    String text = relative.toString();
    if (text.indexOf('\ufffd') < 0 && !text.contains(ESCAPE)) {
      return text;
    }
    return escaped(bytes(relative));
  }

  /** The text of a path whose name are these bytes. */
  public static String of(byte[] raw) {
    String text = new String(raw, StandardCharsets.UTF_8);
    return text.indexOf('\ufffd') < 0 && !text.contains(ESCAPE) ? text : escaped(raw);
  }

  private static String escaped(byte[] raw) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < raw.length) {
      int good = validRun(raw, at);
      if (good > 0) {
        String run = new String(raw, at, good, StandardCharsets.UTF_8);
        out.append(run.replace(ESCAPE, "\\x5cx"));
        at += good;
      } else {
        out.append(ESCAPE).append("%02x".formatted(raw[at++] & 0xff));
      }
    }
    return out.toString();
  }

  /** The path below {@code root} that {@link #of} gave this text. */
  public static Path resolve(Path root, String text) {
    if (!text.contains(ESCAPE)) {
      return root.resolve(text);
    }
    StringBuilder uri = new StringBuilder("file:///");
    for (byte b : bytes(text)) {
      uri.append("%%%02X".formatted(b & 0xff));
    }
    // Slashes must stay slashes: the rest may be escaped without harm.
    Path absolute = Path.of(URI.create(uri.toString().replace("%2F", "/")));
    return root.resolve(absolute.getRoot().relativize(absolute));
  }

  /** The bytes of the path that {@link #of} gave this text. */
  public static byte[] bytes(String text) {
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    int at = 0;
    while (at < text.length()) {
      int escape = text.indexOf(ESCAPE, at);
      if (escape < 0 || escape + 4 > text.length()) {
        break;
      }
      raw.writeBytes(text.substring(at, escape).getBytes(StandardCharsets.UTF_8));
      raw.write(Integer.parseInt(text, escape + 2, escape + 4, 16));
      at = escape + 4;
    }
    raw.writeBytes(text.substring(at).getBytes(StandardCharsets.UTF_8));
    return raw.toByteArray();
  }

  /**
   * The path that a user's file names, as seen from a folder; empty where no file can have that
   * name.
   */
  public static Optional<Path> named(Path folder, String text) {
    try {
      return Optional.of(folder.resolve(text));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** The path that {@link #named} gives, without {@code .} and, where possible, {@code ..}. */
  public static Optional<Path> normalized(Path folder, String text) {
    return named(folder, text).map(Path::normalize);
  }

  /** Whether a user's text names a path within the folder that it is relative to. */
  public static boolean isWithin(String text) {
    return !text.isBlank()
        && normalized(Path.of(""), text)
            .filter(p -> !p.isAbsolute() && !p.startsWith(".."))
            .isPresent();
  }

  /** The bytes of a path's name: only its URI shows them. */
  private static byte[] bytes(Path relative) {
    String uri = Path.of("/").resolve(relative).toUri().getRawPath();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 1; i < uri.length(); i++) {
      char c = uri.charAt(i);
      if (c == '%') {
        out.write(Integer.parseInt(uri, i + 1, i + 3, 16));
        i += 2;
      } else {
        out.write(c);
      }
    }
    byte[] raw = out.toByteArray();
    // A folder's URI ends in a slash.
    boolean slash = raw.length > 0 && raw[raw.length - 1] == '/';
    return slash ? Arrays.copyOf(raw, raw.length - 1) : raw;
  }

  /** Length of the UTF-8 text that begins at {@code at}; 0 if there is none. */
  private static int validRun(byte[] raw, int at) {
    ByteBuffer in = ByteBuffer.wrap(raw, at, raw.length - at);
    StandardCharsets.UTF_8.newDecoder().decode(in, CharBuffer.allocate(raw.length - at), true);
    return in.position() - at;
  }
}
