package dev.rocport.lsp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The messages of a client up to a size. A larger one is skipped without being held in memory. Ends
 * at bytes that are no message, since nothing tells where the next one begins.
 */
final class BoundedInput extends InputStream {
  private static final int LONGEST_HEADER = 8192;

  /** Bytes of a skipped message that are shown. */
  private static final int HEAD = 1 << 16;

  private static final Pattern LENGTH =
      Pattern.compile("(?im)^Content-Length:[ \\t]*([0-9]{1,12})[ \\t]*$");

  private final InputStream in;
  private final int most;
  private final Consumer<String> skipped;
  private byte[] frame = {};
  private int at;

  /**
   * Creates a stream.
   *
   * @param most bytes of the largest message
   * @param skipped receives the first characters of each message that is skipped
   */
  BoundedInput(InputStream in, int most, Consumer<String> skipped) {
    this.in = in;
    this.most = most;
    this.skipped = skipped;
  }

  @Override
  public int read() throws IOException {
    return hasFrame() ? frame[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!hasFrame()) {
      return -1;
    }
    int n = Math.min(length, frame.length - at);
    System.arraycopy(frame, at, into, offset, n);
    at += n;
    return n;
  }

  private boolean hasFrame() throws IOException {
    while (at == frame.length) {
      byte[] header = header();
      Matcher m = LENGTH.matcher(new String(header, StandardCharsets.ISO_8859_1).replace("\r", ""));
      if (!m.find()) {
        return false;
      }
      long length = Long.parseLong(m.group(1));
      if (length > most) {
        byte[] head = in.readNBytes(HEAD);
        in.skipNBytes(length - head.length);
        skipped.accept(new String(head, StandardCharsets.UTF_8));
        continue;
      }
      byte[] body = in.readNBytes((int) length);
      if (body.length < length) {
        return false;
      }
      ByteArrayOutputStream whole = new ByteArrayOutputStream(header.length + body.length);
      whole.writeBytes(header);
      whole.writeBytes(body);
      frame = whole.toByteArray();
      at = 0;
    }
    return true;
  }

  /** Returns the bytes up to the empty line; nothing at the end or if there is no such line. */
  private byte[] header() throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    int ends = 0;
    while (ends < 2) {
      int b = in.read();
      if (b < 0 || header.size() > LONGEST_HEADER) {
        return new byte[0];
      }
      header.write(b);
      ends = b == '\n' ? ends + 1 : b == '\r' ? ends : 0;
    }
    return header.toByteArray();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
