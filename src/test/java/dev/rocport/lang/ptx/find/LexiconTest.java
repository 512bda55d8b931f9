package dev.rocport.lang.ptx.find;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.rules.RuleCatalog;
import org.junit.jupiter.api.Test;

final class LexiconTest {
  private static final Lexicon LEXICON = new Lexicon(RuleCatalog.builtIn());

  @Test
  void saysWhatAnInstructionDoes() {
    Lexicon.Entry shuffle = LEXICON.of("shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1");
    assertThat(shuffle.family()).isEqualTo("warp");
    assertThat(shuffle.meaning()).startsWith("Reads a register of another lane");
    assertThat(shuffle.translated()).isTrue();
  }

  @Test
  void explainsWhyAnInstructionIsNotTranslated() {
    Lexicon.Entry e = LEXICON.of("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1");
    assertThat(e.translated()).isFalse();
    assertThat(e.note()).isNotBlank();
    assertThat(e.effort()).isEqualTo("redesign");
  }

  @Test
  void knowsItByItsHeadWhereOperandsCannotBeRead() {
    assertThat(LEXICON.of("shfl.sync.bfly.b32 \ufffc, (").isKnown()).isTrue();
  }

  @Test
  void namesTheRegistersThatItReads() {
    assertThat(LEXICON.of("mov.u32 $0, %laneid").meaning()).contains("; %laneid: ");
  }

  @Test
  void doesNotKnowOtherInstructions() {
    assertThat(LEXICON.of("frobnicate.u32 %r1").isKnown()).isFalse();
  }
}
