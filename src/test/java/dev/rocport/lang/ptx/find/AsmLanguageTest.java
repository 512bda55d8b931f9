package dev.rocport.lang.ptx.find;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AsmLanguageTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mov.u32 %0, %%tid.x;",
        "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.u32 [%0], %1; }",
        "bar.sync 0;",
        "membar.gl;",
        "fence.acq_rel.gpu;",
        "trap;",
        "wait: ld.global.sys.acquire.u32 %r0, [$0]; @%p0 bra wait;",
        "vadd.u32.u32.u32.sat %0, %1, %2, %3;",
        "cp.async.ca.shared.global [%0], [%1], 16;",
        "add.f16x2 %0, %1, %2;"
      })
  void ptx(String template) {
    assertThat(AsmLanguage.of(template)).isEqualTo(AsmLanguage.PTX);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rdtsc",
        "lock; cmpxchgl %2, %1",
        "movl %%eax, %0; cpuid",
        "pause",
        "mov %0, x0",
        "mrs %0, cntvct_el0",
        "dmb ish",
        "vadd.f32 q0, q1, q2",
        "vmin.u32 d0, d1, d2",
        "add.w r0, r1, r2",
        "ld.d $t0, $a0, 0",
        "fadd.s fa0, fa1, fa2",
        "fence rw, rw",
        "and. %0, %1, %2",
        "ret"
      })
  void host(String template) {
    assertThat(AsmLanguage.of(template)).isEqualTo(AsmLanguage.HOST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"v_exp_f32 $0, $1", "s_waitcnt vmcnt(0)\n s_barrier", "ds_read_b32 %0, %1"})
  void amd(String template) {
    assertThat(AsmLanguage.of(template)).isEqualTo(AsmLanguage.AMD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n", "// nothing"})
  void none(String template) {
    assertThat(AsmLanguage.of(template)).isEqualTo(AsmLanguage.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mov.u32 is no function;",
        "cannot add.s32 %r1 to it",
        "the mov.u32 %r1, %tid.x; instruction is not known",
        "%d items; 100%;",
        "bar.sync 0;"
      })
  void textsAreNoInstructions(String text) {
    assertThat(AsmLanguage.isInstructions(text)).isFalse();
  }
}
