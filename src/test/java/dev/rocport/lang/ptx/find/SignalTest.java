package dev.rocport.lang.ptx.find;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SignalTest {
  private static final String WAIT =
      "{ .reg .u32 %r<1>; .reg .pred %p<2>; MASK wait: ld.global.sys.acquire.u32 %r0, [$1];"
          + " setp.CMP.u32 %p0, %r0, $2; @POL%p0 bra wait; DONE }";

  private static @Nullable String of(String template, String constraints) throws Signal.Refused {
    Signal s = Signal.of(template, constraints);
    return s == null ? null : s.symbol() + s.arguments();
  }

  @Test
  void threadNumber() throws Signal.Refused {
    assertThat(of("mov.u32 $0, %tid.x;", "=r")).isEqualTo("rocport_getthreadid[]");
    assertThat(of("mov.u32 $0, %tid.y;", "=r")).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "sys,relaxed,system", "gpu,relaxed,gpu", "cta,relaxed,cta",
    "sys,release,system", "gpu,release,gpu", "cta,release,cta"
  })
  void writes(String scope, String order, String word) throws Signal.Refused {
    String name = "rocport_atomicwrite_" + order + "_" + word;
    assertThat(of("st.global." + scope + "." + order + ".u32 [$1], $2;", "=r,l,r"))
        .isEqualTo(name + "_nomask[0, 1]");
    assertThat(of("st." + order + "." + scope + ".global.b32 [$0], $1;", "l,r"))
        .isEqualTo(name + "_nomask[0, 1]");
    assertThat(
            of(
                "{ .reg .pred %p<1>; setp.ne.u32 %p0, $3, 0; @%p0 st.global."
                    + scope
                    + "."
                    + order
                    + ".u32 [$1], $2; } mov.u32 $0, 0;",
                "=r,l,r,r,~{memory}"))
        .isEqualTo(name + "_mask[0, 1, 2]");
  }

  /** The backward branch determines when the wait continues, whatever the name of the operation. */
  @ParameterizedTest
  @CsvSource({
    "eq,,eq", "eq,!,ne", "ne,,ne", "ne,!,eq", "lt,,lt", "lt,!,ge", "le,,le", "le,!,gt", "gt,,gt",
    "gt,!,le", "ge,,ge", "ge,!,lt", "lo,,lt", "hs,!,lt"
  })
  void waitsWhileTheBranchIsTaken(String compare, @Nullable String not, String word)
      throws Signal.Refused {
    String text =
        WAIT.replace("CMP", compare).replace("POL", not == null ? "" : not).replace("DONE", "");
    String name = "rocport_atomicspinwait_acquire_system_while_" + word;
    assertThat(of(text.replace("MASK", ""), "=r,l,r")).isEqualTo(name + "_nomask[0, 1]");
    String masked =
        WAIT.replace("CMP", compare)
            .replace("POL", not == null ? "" : not)
            .replace("MASK", "setp.ne.u32 %p1, $3, 0; @!%p1 bra done;")
            .replace("DONE", "done:");
    assertThat(of(masked, "=r,l,r,r")).isEqualTo(name + "_mask[0, 1, 2]");
  }

  @Test
  void sidesOfAComparisonMayBeExchanged() throws Signal.Refused {
    String text =
        WAIT.replace("CMP.u32 %p0, %r0, $2", "lt.u32 %p0, $2, %r0")
            .replace("MASK", "")
            .replace("POL", "")
            .replace("DONE", "");
    assertThat(of(text, "=r,l,r")).contains("_while_gt_");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "st.global.sys.acquire.u32 [$1], $2;",
        "st.global.acq_rel.gpu.u32 [$1], $2;",
        "{ .reg .u32 %r<1>; .reg .pred %p<1>; w: ld.global.sys.release.u32 %r0, [$1];"
            + " setp.eq.u32 %p0, %r0, $2; @%p0 bra w; }",
        "{ .reg .u32 %r<1>; .reg .pred %p<1>; w: ld.global.sys.acquire.u32 %r0, [$1];"
            + " setp.lt.s32 %p0, %r0, $2; @%p0 bra w; }"
      })
  void unsupportedOrdersAreRejected(String template) {
    assertThatThrownBy(() -> Signal.of(template, "=r,l,r")).isInstanceOf(Signal.Refused.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "st.global.u32 [$1], $2;",
        "st.global.sys.release.u64 [$1], $2;",
        "st.global.sys.release.u32 [$1+4], $2;",
        "st.shared.cta.release.u32 [$1], $2;",
        "st.global.sys.release.u32 [$1], 1;",
        "{ .reg .pred %p<1>; setp.ne.u32 %p0, $2, 0; @!%p0 st.global.sys.release.u32 [$1], $2; }",
        "{ .reg .u32 %r<1>; .reg .pred %p<1>; w: ld.global.sys.acquire.u32 %r0, [$1];"
            + " setp.eq.u32 %p0, %r0, $2; @%p0 bra x; x: }",
        "{ .reg .u32 %r<1>; .reg .pred %p<2>; w: ld.global.sys.acquire.u32 %r0, [$1];"
            + " setp.eq.u32 %p0, %r0, $2; @%p1 bra w; }",
        "st.global.sys.release.u32 [$1], $2; mov.u32 $0, 1;"
      })
  void codeBeyondASignalIsNotASignal(String template) throws Signal.Refused {
    assertThat(Signal.of(template, "=r,l,r")).isNull();
  }
}
