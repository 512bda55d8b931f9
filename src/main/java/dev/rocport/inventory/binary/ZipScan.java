package dev.rocport.inventory.binary;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Wheels, jars and other zips; what is compressed in them is unpacked in memory, within limits. */
final class ZipScan {
  private static final int MOST_ENTRIES = 100_000;

  /** Bytes of an entry that is unpacked. */
  private static final int LARGEST_ENTRY = 64 << 20;

  /** Bytes that are unpacked of a file. */
  private static final long MOST = 512L << 20;

  private static final int PROBE = 64;

  private ZipScan() {}

  static boolean isZip(byte[] head) {
    return head.length >= 4
        && head[0] == 'P'
        && head[1] == 'K'
        && ((head[2] == 3 && head[3] == 4) || (head[2] == 5 && head[3] == 6));
  }

  static void scan(Path file, String place, Binaries to) {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      long room = MOST;
      for (int i = 0; entries.hasMoreElements(); i++) {
        ZipEntry entry = entries.nextElement();
        if (i == MOST_ENTRIES) {
          to.inside().trouble(place, "more than 100,000 entries: the rest was not examined");
          return;
        }
        if (!entry.isDirectory()) {
          room -= entry(zip, entry, place, room, to);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      to.inside().trouble(place, "a damaged zip: " + e.getMessage());
    }
  }

  /** Looks at an entry; returns how many bytes were unpacked. */
  private static long entry(ZipFile zip, ZipEntry entry, String place, long room, Binaries to) {
    String inner = place + "!/" + entry.getName();
    String name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] head = in.readNBytes(PROBE);
      if (!Binaries.isBinary(ByteBuffer.wrap(head)) && !Binaries.isDeviceCode(name)) {
        return head.length;
      }
      int most = (int) Math.min(LARGEST_ENTRY, room);
      byte[] rest = in.readNBytes(Math.max(0, most - head.length) + 1);
      int all = head.length + rest.length;
      if (all > most) {
        // Even so, its name is evidence.
        to.inside().library(inner, name, false);
        to.inside().trouble(inner, "too large to unpack: only its name was examined");
        return all;
      }
      byte[] bytes = new byte[all];
      System.arraycopy(head, 0, bytes, 0, head.length);
      System.arraycopy(rest, 0, bytes, head.length, rest.length);
      to.look(ByteBuffer.wrap(bytes), inner, name);
      return all;
    } catch (IOException e) {
      to.inside().trouble(inner, "cannot be unpacked: " + e.getMessage());
      return 0;
    }
  }
}
