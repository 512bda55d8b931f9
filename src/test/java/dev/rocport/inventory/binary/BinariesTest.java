package dev.rocport.inventory.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.inventory.binary.Inside.Code;
import dev.rocport.inventory.binary.Inside.GpuCode;
import dev.rocport.inventory.binary.Inside.Library;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dependencies and contents of binaries; hostile files do no harm. */
class BinariesTest {
  private static final byte[] FATBIN = BinaryBytes.fatbin(new int[] {2, 80}, new int[] {1, 90});

  private static byte[] library() {
    return BinaryBytes.library(
        "libmine.so.1",
        List.of("libcudart.so.12", "libcublas.so.12", "libc.so.6"),
        Map.of(".nv_fatbin", FATBIN));
  }

  private static Inside look(byte[] bytes) {
    return Binaries.of(bytes, "f", "f");
  }

  @Test
  void readsDependenciesAndGpuTargetsOfALibrary() {
    Inside in = look(library());
    assertThat(in.libraries())
        .containsExactly(
            new Library("f", "libmine.so.1", false),
            new Library("f", "libcudart.so.12", true),
            new Library("f", "libcublas.so.12", true),
            new Library("f", "libc.so.6", true));
    assertThat(in.code())
        .containsExactly(new GpuCode("f", Code.CUBIN, 80, ""), new GpuCode("f", Code.PTX, 90, ""));
    assertThat(in.troubles()).isEmpty();
  }

  @Test
  void severalFatBinariesStandInASectionWithZerosBetween() {
    byte[] section = new byte[16 + FATBIN.length * 2];
    System.arraycopy(FATBIN, 0, section, 0, FATBIN.length);
    byte[] other = BinaryBytes.fatbin(new int[] {2, 75}, new int[] {2, 80});
    System.arraycopy(other, 0, section, FATBIN.length + 16, other.length);
    Inside in = look(BinaryBytes.library("x", List.of(), Map.of("__nv_relfatbin", section)));
    assertThat(in.code()).extracting(GpuCode::architecture).containsExactly(80, 90, 75);
    assertThat(in.troubles()).isEmpty();
  }

  @Test
  void readsTheArchitectureOfACubinByItsAbi() {
    assertThat(look(BinaryBytes.cubin(7, 0x00500550)).code())
        .containsExactly(new GpuCode("f", Code.CUBIN, 80, ""));
    assertThat(look(BinaryBytes.cubin(8, 0x06006402)).code())
        .containsExactly(new GpuCode("f", Code.CUBIN, 100, ""));
  }

  @Test
  void readsVersionAndTargetOfPtx() {
    byte[] ptx = "// c\n.version 8.4\n.target sm_90a, debug\n".getBytes(StandardCharsets.UTF_8);
    assertThat(Binaries.of(ptx, "k.ptx", "k.ptx").code())
        .containsExactly(new GpuCode("k.ptx", Code.PTX, 90, "8.4"));
    assertThat(Binaries.of(new byte[9], "k.ptx", "k.ptx").troubles()).hasSize(1);
  }

  @Test
  void archivesWindowsProgramsAndLtoIrAreLookedInto() {
    byte[] object = BinaryBytes.library("", List.of(), Map.of(".nv_fatbin", FATBIN));
    assertThat(look(BinaryBytes.archive(new byte[3], object)).code()).hasSize(2);
    Inside windows = look(BinaryBytes.windows(List.of("cudart64_12.dll", "nvcuda.dll"), FATBIN));
    assertThat(windows.libraries())
        .contains(new Library("f", "cudart64_12.dll", true), new Library("f", "nvcuda.dll", true));
    assertThat(windows.code()).hasSize(2);
    assertThat(windows.troubles()).isEmpty();
    byte[] lto = {(byte) 0xed, 0x43, 0x4e, 0x7f, 0, 0, 0, 0};
    assertThat(look(lto).code()).containsExactly(new GpuCode("f", Code.LTO_IR, 0, ""));
  }

  @Test
  void zipEntriesHaveTheirPlace(@TempDir Path folder) throws IOException {
    Path wheel = folder.resolve("x.whl");
    zip(wheel, Map.of("pkg/lib/libmine.so", library(), "pkg/readme.txt", new byte[100]));
    Inside in = Binaries.of(wheel, "x.whl");
    assertThat(in.code()).extracting(GpuCode::place).containsOnly("x.whl!/pkg/lib/libmine.so");
    assertThat(in.libraries()).hasSize(4);
  }

  @Test
  void namesEntriesThatAreTooLargeToUnpack(@TempDir Path folder) throws IOException {
    Path bomb = folder.resolve("bomb.zip");
    byte[] large = Arrays.copyOf(library(), 65 << 20);
    zip(bomb, Map.of("libcudart.so.12", large));
    Inside in = Binaries.of(bomb, "bomb.zip");
    assertThat(in.code()).isEmpty();
    assertThat(in.libraries()).extracting(Library::file).containsExactly("libcudart.so.12");
    assertThat(in.troubles())
        .extracting(Inside.Trouble::message)
        .first()
        .asString()
        .contains("too large");
  }

  private static void zip(Path file, Map<String, byte[]> entries) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> e : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(e.getKey()));
        zip.write(e.getValue());
      }
    }
  }

  @Test
  void truncatedFilesAreTroubleAndNoCrash(@TempDir Path folder) throws IOException {
    List<byte[]> whole =
        List.of(
            library(),
            FATBIN,
            BinaryBytes.archive(library()),
            BinaryBytes.windows(List.of("cudart64_12.dll"), FATBIN));
    for (byte[] bytes : whole) {
      for (int length = 0; length < bytes.length; length += 1 + bytes.length / 97) {
        look(Arrays.copyOf(bytes, length));
      }
      assertThat(look(Arrays.copyOf(bytes, bytes.length - 48)).troubles()).isNotEmpty();
    }
    Path zip = folder.resolve("cut.zip");
    zip(zip, Map.of("a.so", library()));
    Files.write(zip, Arrays.copyOf(Files.readAllBytes(zip), 90));
    assertThat(Binaries.of(zip, "cut.zip").troubles()).hasSize(1);
  }

  @Test
  void hugeCountsAndEntriesWithoutSizeEnd() {
    byte[] many = library();
    ByteBuffer b = ByteBuffer.wrap(many).order(ByteOrder.LITTLE_ENDIAN);
    b.putShort(60, (short) 0).putLong((int) b.getLong(40) + 32, 0x7fffffffL);
    assertThat(look(many).troubles()).hasSize(1);
    byte[] endless = FATBIN.clone();
    ByteBuffer.wrap(endless).order(ByteOrder.LITTLE_ENDIAN).putInt(16 + 4, 0).putLong(16 + 8, 0);
    assertThat(look(endless).troubles()).hasSize(1);
    byte[] negative = FATBIN.clone();
    ByteBuffer.wrap(negative).order(ByteOrder.LITTLE_ENDIAN).putLong(8, -1);
    assertThat(look(negative).troubles()).hasSize(1);
  }

  @Test
  void sectionsThatLieOverEachOtherAreNotReadAgainAndAgain() {
    byte[] elf = library();
    ByteBuffer b = ByteBuffer.wrap(elf).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 1; i < 4; i++) {
      int section = (int) b.getLong(40) + i * 64;
      b.putLong(section + 24, 0).putLong(section + 32, elf.length);
    }
    assertThat(look(elf).troubles())
        .extracting(Inside.Trouble::message)
        .containsExactly("damaged ELF file: its sections overlap");
  }

  @Test
  void noiseInHeadersCrashesNothing() {
    Random random = new Random(7);
    List<byte[]> whole =
        List.of(library(), FATBIN, BinaryBytes.windows(List.of("nvcuda.dll"), FATBIN));
    int told = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] bytes = whole.get(i % whole.size()).clone();
      for (int k = 0; k < 1 + i % 5; k++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      told += look(bytes).troubles().size();
    }
    assertThat(told).isPositive();
  }
}
