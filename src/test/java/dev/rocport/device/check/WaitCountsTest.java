package dev.rocport.device.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Target;
import org.junit.jupiter.api.Test;

final class WaitCountsTest {
  private static final int ANY = Integer.MAX_VALUE;

  private static WaitCounts of(Target target, int word) {
    return WaitCounts.of(Decoder.of(target).decode(word, 0));
  }

  @Test
  void readsThoseOfCdna() {
    assertThat(of(Target.GFX90A, 0xbf8c0070)).isEqualTo(new WaitCounts(0, 0, 0));
    assertThat(of(Target.GFX90A, 0xbf8c0f72)).isEqualTo(new WaitCounts(2, 0, 15));
    assertThat(of(Target.GFX942, 0xbf8c8f71)).isEqualTo(new WaitCounts(33, 0, 15));
  }

  /** {@code s_waitcnt vmcnt(0) lgkmcnt(0)}, then each alone, as LLVM 19 writes them. */
  @Test
  void readsThoseOfRdna() {
    assertThat(of(Target.GFX1100, 0xbf890007)).isEqualTo(new WaitCounts(0, ANY, 0));
    assertThat(of(Target.GFX1100, 0xbf8907f7)).isEqualTo(new WaitCounts(1, ANY, 63));
    assertThat(of(Target.GFX1100, 0xbf89fc27)).isEqualTo(new WaitCounts(63, ANY, 2));
  }

  /** {@code s_wait_loadcnt 0x2} and so on, as LLVM 21 writes them. */
  @Test
  void readsThoseOfRdna4() {
    assertThat(of(Target.GFX1201, 0xbfc00002)).isEqualTo(new WaitCounts(2, ANY, ANY));
    assertThat(of(Target.GFX1201, 0xbfc10001)).isEqualTo(new WaitCounts(ANY, 1, ANY));
    assertThat(of(Target.GFX1201, 0xbfc60003)).isEqualTo(new WaitCounts(ANY, ANY, 3, ANY));
    assertThat(of(Target.GFX1201, 0xbfc70001)).isEqualTo(new WaitCounts(ANY, ANY, ANY, 1));
    assertThat(of(Target.GFX1201, 0xbfc80201)).isEqualTo(new WaitCounts(2, ANY, 1, ANY));
    assertThat(of(Target.GFX1201, 0xbfc90100)).isEqualTo(new WaitCounts(ANY, 1, 0, ANY));
  }

  /** {@code s_waitcnt_vscnt null, 0x0}: stores have a counter of their own. */
  @Test
  void readsThatOfStores() {
    assertThat(of(Target.GFX1100, 0xbc7c0000)).isEqualTo(new WaitCounts(ANY, 0, ANY));
    assertThat(of(Target.GFX1100, 0xbc7c0003)).isEqualTo(new WaitCounts(ANY, 3, ANY));
  }
}
