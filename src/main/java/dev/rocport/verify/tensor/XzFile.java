package dev.rocport.verify.tensor;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZIOException;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/** A file in the format xz: what was recorded often takes a tenth of its size. */
public final class XzFile {
  /** How the name ends. */
  public static final String ENDING = ".xz";

  /** Memory of the decoder. */
  private static final int MOST_KIB = 128 << 10;

  /** Bytes of an unpacked file. */
  private static final int LARGEST = 1 << 30;

  private XzFile() {}

  /**
   * Whether a file begins like one.
   *
   * @param start its first bytes
   */
  static boolean isXz(byte[] start) {
    for (int i = 0; i < XZ.HEADER_MAGIC.length; i++) {
      if (i >= start.length || start[i] != XZ.HEADER_MAGIC[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Unpacks a file.
   *
   * @throws TensorFileException if it is damaged, or larger than 1 GiB when unpacked
   */
  public static byte[] read(Path file) throws IOException {
    try (InputStream in =
        new XZInputStream(new BufferedInputStream(Files.newInputStream(file)), MOST_KIB)) {
      byte[] content = in.readNBytes(LARGEST);
      if (in.read() >= 0) {
        throw new TensorFileException(file, "larger than 1 GiB when unpacked");
      }
      return content;
    } catch (XZIOException | EOFException e) {
      throw new TensorFileException(file, "damaged xz file: " + e.getMessage());
    }
  }

  /** Packs bytes. The result depends on nothing else. */
  public static byte[] pack(byte[] content) throws IOException {
    LZMA2Options options = new LZMA2Options();
    // Who reads the file needs as much memory.
    options.setDictSize(
        Math.clamp(content.length, LZMA2Options.DICT_SIZE_MIN, LZMA2Options.DICT_SIZE_DEFAULT));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (XZOutputStream out = new XZOutputStream(packed, options)) {
      out.write(content);
    }
    return packed.toByteArray();
  }
}
