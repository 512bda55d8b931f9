package dev.rocport.build.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedHeadersTest {
  @TempDir private Path folder;

  private void file(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void namesTheFoldersOfHeadersThatTheTreeLacks() throws Exception {
    file("root/src/a.h", "int a;");
    file("copy/src/a.h", "int a;");
    file("copy/src/a.cu", "int a;");
    file("copy/build/lib/waves/config.h", "int c;");
    file("copy/build/other/empty.h", "");
    file("copy/build/CMakeFiles/probe/probe.h", "int p;");
    Path copy = folder.resolve("copy").toRealPath();
    assertThat(GeneratedHeaders.folders(folder.resolve("root"), copy))
        .containsExactly(
            copy.resolve("build"), copy.resolve("build/lib"), copy.resolve("build/lib/waves"));
  }

  @Test
  void namesTheCopyOnlyForHeadersInIt() throws Exception {
    file("root/a.h", "int a;");
    file("copy/config.h", "int c;");
    Path copy = folder.resolve("copy").toRealPath();
    assertThat(GeneratedHeaders.folders(folder.resolve("root"), copy)).containsExactly(copy);
    assertThat(GeneratedHeaders.folders(folder.resolve("root"), folder.resolve("none"))).isEmpty();
  }
}
