package dev.rocport.io.gpucode;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A bundle made with {@code --offload-compress}: "CCOB", u16 version, u16 method (0 zlib, 1 zstd),
 * from version 2 on the size of the whole, the size unpacked, 8 bytes of hash, the data. Sizes have
 * 4 bytes, from version 3 on 8. Source: clang's OffloadBundler.
 */
final class CompressedBundle {
  private static final int LARGEST = 1 << 30;

  private CompressedBundle() {}

  /** The bytes of one that begins at an offset; to the end of the buffer in version 1. */
  static long size(ByteBuffer bytes, int at) throws IOException {
    ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int rest = in.limit() - at;
    try {
      long size =
          switch (in.getShort(at + 4)) {
            case 1 -> rest;
            case 2 -> in.getInt(at + 8) & 0xffffffffL;
            default -> in.getLong(at + 8);
          };
      if (size > 0 && size <= rest) {
        return size;
      }
    } catch (IndexOutOfBoundsException e) {
      throw new IOException("the compressed bundle is truncated", e);
    }
    throw new IOException("the compressed bundle states an impossible size");
  }

  static byte[] unpack(byte[] bytes) throws IOException {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      int version = in.getShort(4);
      int method = in.getShort(6);
      int size =
          switch (version) {
            case 1 -> in.getInt(8);
            case 2 -> in.getInt(12);
            case 3 -> Math.toIntExact(in.getLong(16));
            default -> throw new IOException("unsupported compressed bundle version " + version);
          };
      int data = version == 1 ? 20 : version == 2 ? 24 : 32;
      if (size < 0 || size > LARGEST || data > bytes.length) {
        throw new IOException("the compressed bundle states an impossible size");
      }
      byte[] out = new byte[size];
      switch (method) {
        case 0 -> inflate(bytes, data, out);
        case 1 ->
            new ZstdJavaDecompressor().decompress(bytes, data, bytes.length - data, out, 0, size);
        default -> throw new IOException("unknown compression method of a bundle: " + method);
      }
      return out;
    } catch (IndexOutOfBoundsException | ArithmeticException | MalformedInputException e) {
      throw new IOException("the compressed bundle is corrupt", e);
    }
  }

  private static void inflate(byte[] bytes, int from, byte[] out) throws IOException {
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(bytes, from, bytes.length - from);
      int at = 0;
      while (at < out.length) {
        int n = inflater.inflate(out, at, out.length - at);
        if (n == 0) {
          throw new IOException("the compressed bundle is truncated");
        }
        at += n;
      }
    } catch (DataFormatException e) {
      throw new IOException("the compressed bundle is corrupt", e);
    }
  }
}
