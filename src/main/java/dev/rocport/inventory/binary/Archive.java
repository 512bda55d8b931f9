package dev.rocport.inventory.binary;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Static archives: {@code !<arch>}, then members, each after a 60-byte header with its size in
 * decimal digits at 48.
 */
final class Archive {
  private static final String MAGIC = "!<arch>\n";
  private static final int HEADER = 60;
  private static final int MOST_MEMBERS = 200_000;

  private Archive() {}

  static boolean isArchive(ByteBuffer b) {
    return b.remaining() >= MAGIC.length() && text(b, 0, MAGIC.length()).equals(MAGIC);
  }

  /** Examines the members; findings are reported for the archive. */
  static void scan(ByteBuffer bytes, String place, Binaries to) {
    ByteBuffer b = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    long at = MAGIC.length();
    int members = 0;
    while (at + HEADER <= b.limit()) {
      String digits = text(b, (int) at + 48, 10).strip();
      if (!digits.matches("\\d{1,10}") || ++members > MOST_MEMBERS) {
        to.inside().trouble(place, "a damaged archive: some members were not examined");
        return;
      }
      long size = Long.parseLong(digits);
      long start = at + HEADER;
      if (size > b.limit() - start) {
        to.inside()
            .trouble(place, "a damaged archive: a member extends past the end of the archive");
        return;
      }
      ByteBuffer member = b.slice((int) start, (int) size).order(ByteOrder.LITTLE_ENDIAN);
      // Linkers do not accept nested archives, so this terminates.
      if (!isArchive(member) && Binaries.isBinary(member)) {
        to.look(member, place, "");
      }
      at = start + size + (size & 1);
    }
  }

  private static String text(ByteBuffer b, int at, int length) {
    byte[] bytes = new byte[length];
    b.get(b.position() + at, bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
