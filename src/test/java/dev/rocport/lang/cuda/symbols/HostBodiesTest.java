package dev.rocport.lang.cuda.symbols;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.LaunchMask;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What stays of host code for the parser; each line that is blanked ends in {@code // -}. */
final class HostBodiesTest {
  @Test
  void launchesAreKeptWithTheCodeThatSetsTheirBlocks() {
    check(
        """
        __global__ void k(int* p) { p[threadIdx.x] = 1; }
        void run(int* p, int n) {
          int wide = n * 2; // -
          int threads = 64;
          int doubled = wide; // -
          threads = base();
          dim3 block(threads, rows);
          int rows = 2;
          print(wide); // -
          if (n > 4) {
            print(n); // -
            k<<<n, block>>>(p);
          }
          for (int i = 0; i < n; i++) { // -
            print(i); // -
          } // -
        }
        """);
  }

  @Test
  void constantsAreKeptSinceDeviceCodeMayNameThem() {
    check(
        """
        int f(int n) {
          const int lanes = 32;
          int other = lanes; // -
          static constexpr int half = lanes / 2;
          return other + half; // -
        }
        """);
  }

  @Test
  void launchesInMacrosAreKept() {
    check(
        """
        #define START(k) k<<<1, 64>>>()
        #define AGAIN(k) START(k)
        void f(int n) {
          print(n); // -
          AGAIN(kernel);
        }
        """);
  }

  @Test
  void theReplacementOfABlankedBranchIsAStatement() {
    String text = "void f(int n) { if (n) print(n); else k<<<n, 64>>>(); }\n";
    assertThat(blanked(text))
        .isEqualTo("void f(int n) { if (n) ;         else k(  n, 64  )(); }\n");
  }

  @Test
  void codeThatMayRunOnTheGpuIsKept() {
    check(
        """
        DEVICE int lane() { return threadIdx.x & 31; }
        __device__
        int twice(int n) { return n * 2; }
        template <typename T> __host__ __device__ T same(T x) { return x; }
        auto arrow(int n) -> int { return n; }
        struct S { __device__ int get() { return 1; } int operator()(int i) { return i; } };
        #if defined(A)
        int conditional(int n) { return n; }
        #endif
        int local(int n) { struct In { int a; }; return n; }
        """);
  }

  @Test
  void headersInOneConditionalAreParsedLikeOtherHeaders() {
    check(
        """
        #ifndef UNIT_H
        #define UNIT_H
        namespace a {
        class B {
          int twice(int n) {
            return n * 2; // -
          }
        };
        }
        #endif
        """);
  }

  private static void check(String text) {
    StringBuilder expected = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      expected.append(line.endsWith("// -") ? "" : line).append('\n');
    }
    String masked = blanked(text).replaceAll("(?m)// -$", "");
    assertThat(masked.replaceAll("(?m)[ \t]+$", "") + "\n")
        .isEqualTo(launchesMasked(expected.toString()));
  }

  private static String launchesMasked(String text) {
    return text.replace("<<<", "(  ").replace(">>>", "  )");
  }

  private static String blanked(String text) {
    Tokens t = Lexer.lex(SourceFile.of("a.cu", text));
    byte[] masked = LaunchMask.mask(t);
    HostBodies.blank(t, masked);
    return new String(masked, StandardCharsets.UTF_8);
  }
}
