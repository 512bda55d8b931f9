package dev.rocport.io.gpucode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.gpucode.OffloadBundle.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OffloadBundleTest {
  private static final Entry HOST = new Entry("host-x86_64-unknown-linux--", 4096, 0);
  private static final Entry CODE = new Entry("hipv4-amdgcn-amd-amdhsa--gfx90a", 4096, 100);

  private static ByteBuffer bundle(int before, Entry... entries) {
    ByteBuffer b = ByteBuffer.allocate(before + 4196).order(ByteOrder.LITTLE_ENDIAN);
    b.position(before);
    b.put(OffloadBundle.MAGIC.getBytes(StandardCharsets.US_ASCII)).putLong(entries.length);
    for (Entry e : entries) {
      byte[] id = e.id().getBytes(StandardCharsets.UTF_8);
      b.putLong(e.offset()).putLong(e.size()).putLong(id.length).put(id);
    }
    return b.rewind().order(ByteOrder.BIG_ENDIAN);
  }

  @Test
  void namesItsEntriesAndItsEnd() throws IOException {
    ByteBuffer b = bundle(8, HOST, CODE);
    assertThat(OffloadBundle.isAt(b, 0)).isFalse();
    assertThat(OffloadBundle.isAt(b, 8)).isTrue();
    OffloadBundle bundle = OffloadBundle.at(b, 8);
    assertThat(bundle.entries()).containsExactly(HOST, CODE);
    assertThat(bundle.entries()).extracting(Entry::isHost).containsExactly(true, false);
    assertThat(bundle.end()).isEqualTo(8 + 4096 + 100);
  }

  @Test
  void truncatedHeadsAreRefused() {
    byte[] whole = bundle(0, HOST, CODE).array();
    int heads = 32 + 24 + HOST.id().length() + 24 + CODE.id().length();
    for (int length = 24; length < heads; length++) {
      ByteBuffer part = ByteBuffer.wrap(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> OffloadBundle.at(part, 0)).isInstanceOf(IOException.class);
    }
    ByteBuffer longName = bundle(0, CODE).order(ByteOrder.LITTLE_ENDIAN).putLong(48, 1L << 40);
    assertThatThrownBy(() -> OffloadBundle.at(longName, 0)).isInstanceOf(IOException.class);
  }

  @Test
  void contentsThatAreNotThereDoNotFit() {
    assertThat(CODE.fits(4196)).isTrue();
    assertThat(CODE.fits(4195)).isFalse();
    assertThat(new Entry("", -1, 8).fits(100)).isFalse();
    assertThat(new Entry("", 8, -1).fits(100)).isFalse();
    assertThat(new Entry("", Long.MAX_VALUE, Long.MAX_VALUE).fits(100)).isFalse();
  }

  @Test
  void compressedBundlesAreRecognised() {
    ByteBuffer b = ByteBuffer.wrap("CCOB".getBytes(StandardCharsets.US_ASCII));
    assertThat(OffloadBundle.isCompressedAt(b, 0)).isTrue();
    assertThat(OffloadBundle.isAt(b, 0)).isFalse();
    assertThat(OffloadBundle.isCompressedAt(b, 1)).isFalse();
  }

  @Test
  void aSectionHasOneBundleAfterTheOther() throws IOException {
    ByteBuffer section = ByteBuffer.allocate(3 * 4200);
    section.put(0, bundle(0, HOST, CODE).put(4196 - 1, (byte) 1).array());
    section.put(2 * 4200, bundle(0, HOST, CODE).put(4196 - 1, (byte) 2).array());
    List<Byte> last = new ArrayList<>();
    OffloadBundle.each(
        section,
        (bundle, bytes) -> {
          assertThat(bundle.entries()).containsExactly(HOST, CODE);
          ByteBuffer code = CODE.content(bytes);
          assertThat(code.limit()).isEqualTo(100);
          last.add(code.get(99));
        });
    assertThat(last).containsExactly((byte) 1, (byte) 2);
  }

  @Test
  void aSectionThatEndsInsideABundleIsRefused() {
    ByteBuffer whole = bundle(8, HOST, CODE);
    for (int length = 32; length < whole.limit(); length += 11) {
      ByteBuffer part = ByteBuffer.wrap(Arrays.copyOf(whole.array(), length));
      assertThatThrownBy(() -> OffloadBundle.each(part, (_, _) -> {}))
          .isInstanceOf(IOException.class);
    }
  }
}
