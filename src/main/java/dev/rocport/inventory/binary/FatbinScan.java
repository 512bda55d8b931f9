package dev.rocport.inventory.binary;

import dev.rocport.inventory.binary.Inside.Code;
import dev.rocport.io.gpucode.NvFatbin;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The fat binaries of a section or file: one after the other, separated by zeros. */
final class FatbinScan {
  private static final int LARGEST_ARCHITECTURE = 999;

  private FatbinScan() {}

  /** Notes the code of all fat binaries in a section or file. */
  static void scan(ByteBuffer content, String place, Inside inside) {
    ByteBuffer b = content.slice().order(ByteOrder.LITTLE_ENDIAN);
    long at = 0;
    while (at + NvFatbin.HEADER <= b.limit()) {
      if (b.getInt((int) at) != NvFatbin.MAGIC) {
        if (b.getLong((int) at) != 0) {
          inside.trouble(place, "its fat binary section also contains other data");
          return;
        }
        at += 8;
        continue;
      }
      NvFatbin fatbin = NvFatbin.at(b, (int) at);
      long end = at + fatbin.header() + fatbin.size();
      if (fatbin.header() < NvFatbin.HEADER || fatbin.size() < 0 || end < at || end > b.limit()) {
        inside.trouble(place, "a fat binary is truncated");
        return;
      }
      entries(b, at + fatbin.header(), end, place, inside);
      at = end + 7 & ~7L;
    }
  }

  private static void entries(ByteBuffer b, long from, long end, String place, Inside inside) {
    long at = from;
    while (at + NvFatbin.ENTRY_HEADER <= end) {
      NvFatbin.Entry entry = NvFatbin.entry(b, (int) at);
      if (!entry.fits(end - at)) {
        inside.trouble(place, "a fat binary has a damaged entry");
        return;
      }
      int architecture = entry.architecture();
      boolean known = architecture > 0 && architecture <= LARGEST_ARCHITECTURE;
      Code code =
          switch (entry.kind()) {
            case NvFatbin.PTX -> Code.PTX;
            case NvFatbin.CUBIN, 4 -> Code.CUBIN;
            default -> Code.OTHER;
          };
      inside.code(place, code, known ? architecture : 0, "");
      at += entry.header() + entry.size();
    }
  }
}
