package dev.rocport.inventory.binary;

import dev.rocport.inventory.binary.Inside.Code;
import dev.rocport.io.elf.ElfFile;
import dev.rocport.io.gpucode.NvFatbin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Examines programs, libraries, objects, archives and device code files. */
public final class Binaries {
  /** Java maps no more at once. */
  private static final long LARGEST = Integer.MAX_VALUE;

  private static final int PROBE = 64;
  private static final int LONGEST_PTX_HEAD = 1 << 16;

  /** First word of LTO-IR. */
  private static final int LTO_MAGIC = 0x7f4e43ed;

  private static final Pattern PTX_VERSION =
      Pattern.compile("(?m)^[ \\t]*+\\.version\\s+(\\d+\\.\\d+)");
  private static final Pattern PTX_TARGET =
      Pattern.compile("(?m)^[ \\t]*+\\.target\\s+sm_(\\d{2,4})");

  private final Inside inside = new Inside();

  private Binaries() {}

  /**
   * What is in a file; nothing for files that are neither binaries nor PTX.
   *
   * @param place how the file is called in what is found
   * @throws IOException if it cannot be read
   */
  public static Inside of(Path file, String place) throws IOException {
    Binaries b = new Binaries();
    byte[] head;
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(PROBE);
    }
    String name = file.getFileName().toString();
    if (ZipScan.isZip(head)) {
      ZipScan.scan(file, place, b);
    } else if (isBinary(ByteBuffer.wrap(head)) || isDeviceCode(name)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        if (channel.size() > LARGEST) {
          b.inside.trouble(place, "larger than 2 GiB: not examined");
        } else {
          b.look(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()), place, name);
        }
      } catch (InternalError e) {
        // A mapped file that shrinks while it is read.
        b.inside.trouble(place, "changed while it was read");
      }
    }
    return b.inside;
  }

  /** What is in a binary in memory. */
  static Inside of(byte[] bytes, String place, String name) {
    Binaries b = new Binaries();
    b.look(ByteBuffer.wrap(bytes), place, name);
    return b.inside;
  }

  Inside inside() {
    return inside;
  }

  /** True for names that device code goes by. */
  static boolean isDeviceCode(String name) {
    return name.toLowerCase(Locale.ROOT).matches(".*\\.(ptx|cubin|fatbin|ltoir)");
  }

  static boolean isBinary(ByteBuffer head) {
    if (head.remaining() < 8) {
      return false;
    }
    ByteBuffer b = head.slice().order(ByteOrder.LITTLE_ENDIAN);
    return ElfFile.isElf(b)
        || Archive.isArchive(b)
        || NvFatbin.isFatbin(b)
        || PeFile.isPe(b)
        || b.getInt(0) == LTO_MAGIC;
  }

  /** Examines a file by its first bytes, then by its name. */
  void look(ByteBuffer bytes, String place, String name) {
    ByteBuffer b = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    try {
      if (ElfFile.isElf(b)) {
        elf(b, place, name);
      } else if (Archive.isArchive(b)) {
        inside.library(place, name, false);
        Archive.scan(b, place, this);
      } else if (NvFatbin.isFatbin(b)) {
        FatbinScan.scan(b, place, inside);
      } else if (PeFile.isPe(b)) {
        inside.library(place, name, false);
        PeFile.scan(b, place, inside);
      } else if (b.remaining() >= 4 && b.getInt(0) == LTO_MAGIC) {
        inside.code(place, Code.LTO_IR, 0, "");
      } else if (name.toLowerCase(Locale.ROOT).endsWith(".ptx")) {
        ptx(b, place);
      } else if (isDeviceCode(name)) {
        inside.trouble(place, "does not match its name: neither ELF nor a fat binary");
      }
    } catch (IOException e) {
      inside.trouble(place, String.valueOf(e.getMessage()));
    } catch (IndexOutOfBoundsException | IllegalArgumentException | ArithmeticException e) {
      inside.trouble(place, "damaged: it ends before its declared contents");
    }
  }

  private void elf(ByteBuffer b, String place, String name) throws IOException {
    ElfFile elf = ElfFile.of(b, place);
    if (elf.machine() == ElfFile.CUDA) {
      inside.code(place, Code.CUBIN, NvFatbin.architecture(elf.abiVersion(), elf.flags()), "");
      return;
    }
    String own = elf.soname();
    inside.library(place, own.isEmpty() ? name : own, false);
    for (String needed : elf.needed()) {
      inside.library(place, needed, true);
    }
    for (ElfFile.Section s : elf.sections()) {
      if (NvFatbin.SECTIONS.contains(s.name())) {
        FatbinScan.scan(s.content(), place, inside);
      }
    }
  }

  private void ptx(ByteBuffer b, String place) {
    byte[] head = new byte[Math.min(b.remaining(), LONGEST_PTX_HEAD)];
    b.get(0, head);
    String text = new String(head, StandardCharsets.ISO_8859_1);
    Matcher version = PTX_VERSION.matcher(text);
    Matcher target = PTX_TARGET.matcher(text);
    if (!version.find()) {
      inside.trouble(place, "does not match its name: no .version directive of PTX");
      return;
    }
    int architecture = target.find() ? Integer.parseInt(target.group(1)) : 0;
    inside.code(place, Code.PTX, architecture, version.group(1));
  }
}
