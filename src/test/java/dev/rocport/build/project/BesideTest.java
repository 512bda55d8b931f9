package dev.rocport.build.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files beside a folder the compiler reads with it. */
class BesideTest {
  @TempDir private Path temporary;
  private Path top;

  @BeforeEach
  void files() throws IOException {
    top = temporary.toRealPath();
    file("include/sys/types.h", "");
    file("lib/one/width.h", "#include \"lanes.h\"\n#include <sys/types.h>\n");
    file("lib/one/lanes.h", "");
    file("lib/two/width.h", "");
    file("ported/.rocport/port.json", "{}");
    file("ported/lib/one/width.h", "");
    file("app/src/a.cu", "#include <one/width.h>\n#include \"own.h\"\n#include <vector>\n");
    file("app/src/inc/own.h", "");
    file("other/own.h", "");
  }

  private void file(String name, String text) throws IOException {
    Path file = top.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Beside beside() throws Exception {
    Path root = top.resolve("app/src");
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> own = files.filter(Files::isRegularFile).sorted().toList();
      return Beside.of(root, own, header -> header.equals("sys/types.h"));
    }
  }

  private List<String> names(List<Path> files) {
    return files.stream().map(f -> top.relativize(f).toString()).toList();
  }

  @Test
  void followsIncludesIntoTheCheckout() throws Exception {
    Files.createDirectory(top.resolve(".git"));

    Beside beside = beside();

    assertThat(names(List.copyOf(beside.files())))
        .containsExactly("lib/one/lanes.h", "lib/one/width.h");
    assertThat(names(beside.includes())).containsExactly("lib");
  }

  @Test
  void searchesNoFolderThatIsNotACheckout() throws Exception {
    assertThat(beside().files()).isEmpty();
  }

  @Test
  void takesNothingForTheWholeCheckout() throws Exception {
    Files.createDirectory(top.resolve("app/src/.git"));
    Files.createDirectory(top.resolve(".git"));

    assertThat(beside().files()).isEmpty();
  }
}
