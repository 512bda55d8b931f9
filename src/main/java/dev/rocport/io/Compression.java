package dev.rocport.io;

import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compresses bytes fast, in the form of zlib. */
public final class Compression {
  private Compression() {}

  public static byte[] compress(byte[] content) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      deflater.setInput(content);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(content.length / 2 + 64);
      byte[] buffer = new byte[1 << 14];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /**
   * Returns the content again.
   *
   * @param length bytes of the content
   * @throws DataFormatException if the compressed bytes are damaged, or of another length
   */
  public static byte[] decompress(byte[] compressed, int length) throws DataFormatException {
    Inflater inflater = new Inflater();
    try {
      byte[] content = new byte[length];
      inflater.setInput(compressed);
      int n = 0;
      while (n < length && !inflater.finished() && !inflater.needsInput()) {
        n += inflater.inflate(content, n, length - n);
      }
      if (n != length) {
        throw new DataFormatException("the compressed bytes end too early");
      }
      return content;
    } finally {
      inflater.end();
    }
  }
}
