package dev.rocport.verify;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZIOException;
import org.tukaani.xz.XZInputStream;

/**
 * Files in a tar archive of the form ustar, compressed with gzip or xz: plain files and folders
 * only.
 *
 * @param files content by path; paths are relative and never lead out
 */
record Archive(SortedMap<String, byte[]> files) {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final int PREFIX = 155;
  private static final int MOST_FILES = 20_000;
  private static final int MOST_KIB = 128 << 10;
  private static final long LARGEST = 64L << 20;
  private static final long MOST_BYTES = 256L << 20;

  Archive {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }

  /**
   * Reads an archive.
   *
   * @throws VerifyException if it is invalid, truncated, too large, or contains anything harmful:
   *     links, devices, absolute paths, paths that lead out
   */
  static Archive read(Path file) throws IOException, VerifyException {
    SortedMap<String, byte[]> files = new TreeMap<>();
    try (InputStream in = new BufferedInputStream(plain(file), 1 << 16)) {
      long total = 0;
      byte[] header = new byte[BLOCK];
      while (next(in, header)) {
        String path = path(file, header);
        long size = octal(file, header, 124, 12);
        byte type = header[156];
        total += size + BLOCK;
        if (size > LARGEST || total > MOST_BYTES || files.size() >= MOST_FILES) {
          throw new VerifyException(file + ": too large at '" + path + "'");
        }
        if (type == '5') {
          continue;
        }
        if (type != '0' && type != 0) {
          throw new VerifyException(file + ": '" + path + "' is neither a file nor a folder");
        }
        byte[] content = in.readNBytes((int) size);
        if (content.length < size) {
          throw new EOFException();
        }
        in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
        if (files.put(path, content) != null) {
          throw new VerifyException(file + ": '" + path + "' occurs twice");
        }
      }
      // Reads to the end, which has gzip's checksum.
      for (int n = in.read(header); n > 0; n = in.read(header)) {
        total += n;
        if (total > MOST_BYTES) {
          throw new VerifyException(file + ": too large");
        }
      }
    } catch (EOFException e) {
      throw new VerifyException(file + ": truncated");
    } catch (ZipException e) {
      throw new VerifyException(file + ": not a gzip archive, or damaged: " + e.getMessage());
    } catch (XZIOException e) {
      throw new VerifyException(file + ": a damaged xz archive: " + e.getMessage());
    }
    for (String path : files.keySet()) {
      for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
        if (files.containsKey(path.substring(0, at))) {
          throw new VerifyException(file + ": '" + path + "' has a file as its parent folder");
        }
      }
    }
    return new Archive(files);
  }

  /** The archive without its compression, gzip or xz. */
  private static InputStream plain(Path file) throws IOException {
    BufferedInputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    in.mark(XZ.HEADER_MAGIC.length);
    boolean xz = Arrays.equals(in.readNBytes(XZ.HEADER_MAGIC.length), XZ.HEADER_MAGIC);
    in.reset();
    return xz ? new XZInputStream(in, MOST_KIB) : new GZIPInputStream(in);
  }

  /** Whether there is another header; two blocks of zeros, or the stream's end, are the last. */
  private static boolean next(InputStream in, byte[] header) throws IOException {
    int n = in.readNBytes(header, 0, BLOCK);
    if (n == 0) {
      return false;
    }
    if (n < BLOCK) {
      throw new EOFException();
    }
    return !Arrays.equals(header, new byte[BLOCK]);
  }

  private static String path(Path file, byte[] header) throws VerifyException {
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += i >= 148 && i < 156 ? ' ' : header[i] & 0xff;
    }
    if (octal(file, header, 148, 8) != sum) {
      throw new VerifyException(file + ": not a tar archive, or damaged");
    }
    String prefix = text(header, 345, PREFIX);
    String name = text(header, 0, NAME);
    String path = prefix.isEmpty() ? name : prefix + "/" + name;
    boolean leadsOut =
        path.isEmpty()
            || path.startsWith("/")
            || path.chars().anyMatch(c -> c < ' ' || c == '\\')
            || Arrays.asList(path.split("/", -1)).contains("..");
    if (leadsOut) {
      throw new VerifyException(file + ": invalid path: '" + path.strip() + "'");
    }
    return Path.of(path).normalize().toString();
  }

  private static String text(byte[] header, int at, int length) {
    int end = at;
    while (end < at + length && header[end] != 0) {
      end++;
    }
    return new String(header, at, end - at, StandardCharsets.UTF_8);
  }

  private static long octal(Path file, byte[] header, int at, int length) throws VerifyException {
    try {
      String digits = text(header, at, length).strip();
      return digits.isEmpty() ? 0 : Long.parseUnsignedLong(digits, 8) & Long.MAX_VALUE;
    } catch (NumberFormatException e) {
      throw new VerifyException(file + ": not a tar archive, or damaged");
    }
  }

  /** Writes the archive: the same files give the same bytes. Scripts become executable. */
  void write(OutputStream to) throws IOException {
    try (GZIPOutputStream out = new GZIPOutputStream(to)) {
      for (var e : files.entrySet()) {
        out.write(header(e.getKey(), e.getValue().length));
        out.write(e.getValue());
        out.write(new byte[(BLOCK - e.getValue().length % BLOCK) % BLOCK]);
      }
      out.write(new byte[2 * BLOCK]);
    }
  }

  private static byte[] header(String path, int size) throws IOException {
    byte[] header = new byte[BLOCK];
    int cut = path.length() <= NAME ? -1 : path.indexOf('/', path.length() - NAME - 1);
    if (path.length() > NAME && (cut < 0 || cut > PREFIX)) {
      throw new IOException("a path is too long for an archive: " + path);
    }
    put(header, 0, path.substring(cut + 1));
    put(header, 100, path.endsWith(".sh") ? "0000755" : "0000644");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, "%011o".formatted(size));
    put(header, 136, "00000000000");
    put(header, 148, "        ");
    header[156] = '0';
    put(header, 257, "ustar");
    put(header, 263, "00");
    put(header, 345, cut < 0 ? "" : path.substring(0, cut));
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, "%06o".formatted(sum));
    header[154] = 0;
    header[155] = ' ';
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
