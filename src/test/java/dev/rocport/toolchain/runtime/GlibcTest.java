package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GlibcTest {
  @Test
  void takesWhatTheOldestSystemHas() {
    assertThat(
            Glibc.faults(
                """
                  0x0000000000000001 (NEEDED)  Shared library: [libm.so.6]
                  0x0000000000000001 (NEEDED)  Shared library: [libamdhip64.so.6]
                   12: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND dlopen@GLIBC_2.34 (3)
                   13: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND hypot@GLIBC_2.2.5 (2)
                """))
        .isEmpty();
  }

  @Test
  void namesFunctionsAndLibrariesThatItLacks() {
    assertThat(
            Glibc.faults(
                """
                  0x0000000000000001 (NEEDED)  Shared library: [libstdc++.so.6]
                   12: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND arc4random@GLIBC_2.36 (3)
                """))
        .containsExactly("needs arc4random of glibc 2.36", "needs the library libstdc++.so.6");
  }
}
