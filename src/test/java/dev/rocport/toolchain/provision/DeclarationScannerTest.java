package dev.rocport.toolchain.provision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeclarationScannerTest {
  private static String scan(String text) {
    return String.join(" ", DeclarationScanner.scan("# 1 \"own.h\"\n" + text, "own.h"::equals));
  }

  @Test
  void findsFunctionsOfLinkageBlocks() {
    assertThat(
            scan(
                """
                extern "C" {
                typedef struct S { int (*f)(int); } S;
                struct Tag { int x; };
                enum E { A = (1 << 2) };
                const char *first(struct Tag t, void (*call)(int), int n = (3));
                __attribute__((visibility("default"))) int second(void) __attribute__((nonnull));
                extern int variable;
                static inline int defined(int x) { return first2(x); }
                int body(int x) { return x; }
                int third(enum E e);
                }
                int mangled(int);
                """))
        .isEqualTo("first second third");
  }

  @Test
  void findsSingleDeclarationsWithCLinkageOnly() {
    assertThat(
            scan(
                """
                extern "C" int one(int);
                extern int two(int);
                namespace n { int three(int); template <class T> int four(T); }
                extern "C" int five(int) { return 1; }
                """))
        .isEqualTo("one");
  }

  @Test
  void leavesOutWhatOtherFilesDeclare() {
    assertThat(
            scan(
                """
                extern "C" {
                int mine(int);
                # 1 "/usr/include/stdlib.h" 1 3
                void *malloc(unsigned long);
                # 9 "own.h" 2
                int alsoMine(int);
                }
                """))
        .isEqualTo("alsoMine mine");
  }

  @Test
  void entersNestedLinkageBlocksAndLeavesThem() {
    assertThat(
            scan(
                """
                extern "C" { extern "C++" { int cpp(int); } int c(int); namespace n { int x(int); } }
                int after(int);
                """))
        .isEqualTo("c");
  }
}
