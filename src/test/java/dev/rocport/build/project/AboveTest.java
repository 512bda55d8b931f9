package dev.rocport.build.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.project.Above.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken from beside a folder, by the names in its files. */
class AboveTest {
  @TempDir private Path temporary;
  private Path base;
  private Path root;

  @BeforeEach
  void folders() throws IOException {
    base = temporary.toRealPath();
    root = Files.createDirectories(base.resolve("a/b/app"));
    file("a/b/common/x.h", "");
    file("a/b/common/inc/y.h", "#include \"../x.h\"\n#include \"../../other/z.h\"\n");
    file("a/b/other/z.h", "");
    file("a/b/unnamed/secret.h", "");
    file("a/top.mk", "");
  }

  private Path file(String name, String text) throws IOException {
    Path file = base.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private Above above(Limits limits) throws Exception {
    try (Stream<Path> files = Files.walk(root)) {
      return Above.of(root, files.sorted().toList(), limits);
    }
  }

  private List<String> taken(Above above) {
    return above.files().keySet().stream()
        .filter(f -> !Files.isDirectory(f))
        .map(f -> base.relativize(f).toString())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "Makefile, include ../common/x.h, 1, a/b/common",
    "Makefile, FLAGS = -I../common, 1, a/b/common",
    "Makefile, FLAGS = -isystem../common, 1, a/b/common",
    "Makefile, SRC := $(wildcard ../common/*.h), 1, a/b/common",
    "Makefile, include ../../top.mk, 2, a/top.mk",
    "CMakeLists.txt, include_directories(${CMAKE_CURRENT_SOURCE_DIR}/../other), 1, a/b/other",
    "CMakeLists.txt, set(TOP ${PROJECT_SOURCE_DIR}/..) # then ${TOP}/other/z.h, 1, a/b/other",
    "main.cpp, '#include \"../other/z.h\"', 1, a/b/other",
    "build.sh, nvcc -I\"$DIR/../common\" x.cu, 1, a/b/common",
    "sub/Makefile, include ../../common/x.h, 2, a/b/common",
    "Makefile, '# see ../common/x.h', 0, ''",
    "main.cpp, '// ../other/z.h', 0, ''",
    "pyproject.toml, 'exclude = [../*, ../../**]', 0, ''",
    "setup.py, from .. import other, 0, ''",
    "Makefile, prog: src/../main.cpp, 0, ''",
    "Makefile, FLAGS = -I/usr/../common, 0, ''",
    "Makefile, touch ../../out.txt, 2, ''"
  })
  void followsNames(String name, String text, int levels, String taken) throws Exception {
    Files.createDirectories(root.resolve(name).getParent());
    Files.writeString(root.resolve(name), text + "\n");

    Above above = above(Limits.USUAL);

    assertThat(above.levels()).isEqualTo(levels);
    assertThat(above.left()).isEmpty();
    assertThat(taken(above)).doesNotContain("a/b/unnamed/secret.h");
    if (taken.isEmpty()) {
      assertThat(above.files()).isEmpty();
    } else {
      assertThat(above.files()).containsKey(base.resolve(taken));
    }
  }

  @Test
  void followsWhatTheNamedFilesName() throws Exception {
    Files.writeString(root.resolve("k.cu"), "#include \"../common/inc/y.h\"\n");
    assertThat(taken(above(Limits.USUAL)))
        .containsExactly("a/b/common/inc/y.h", "a/b/common/x.h", "a/b/other/z.h");
  }

  @Test
  void takesAHeaderAndWhatItIncludesWhereItsFolderIsTooLarge() throws Exception {
    for (int i = 0; i < 20; i++) {
      file("a/b/common/data" + i, "");
    }
    file("a/b/common/x.h", "#include \"w.h\"\n");
    file("a/b/common/w.h", "");
    Files.writeString(root.resolve("k.cu"), "#include \"../common/x.h\"\n");

    Above above = above(new Limits(10, 1 << 20));

    assertThat(taken(above)).containsExactly("a/b/common/w.h", "a/b/common/x.h");
    assertThat(above.left()).isEmpty();
  }

  @Test
  void countsBytesOfAllThatIsTaken() throws Exception {
    Files.write(file("a/b/common/big", ""), new byte[700]);
    Files.write(file("a/b/other/big", ""), new byte[700]);
    Files.writeString(root.resolve("Makefile"), "FLAGS = -I../common -I../other\n");

    Above above = above(new Limits(100, 1000));

    assertThat(taken(above)).contains("a/b/common/big").doesNotContain("a/b/other/big");
    assertThat(above.left())
        .singleElement()
        .matches(l -> l.file().equals("Makefile") && l.message().startsWith("../other is not"));
  }

  /** A bare folder above is never taken as a whole. */
  @Test
  void takesNothingOfAHugeParentThatIsNotNamed() throws Exception {
    Files.writeString(root.resolve("Makefile"), "all:\n\tcd .. && cd ../../../.. && ls ..\n");
    assertThat(above(new Limits(3, 1000)).files()).isEmpty();
  }

  @Test
  void namesAboveTheFileSystemStayInTheCopy() throws Exception {
    String far = "../".repeat(root.getNameCount() + 5) + "out.txt";
    Files.writeString(root.resolve("Makefile"), "all:\n\techo x > " + far + "\n");

    Above above = above(Limits.USUAL);

    assertThat(above.levels()).isEqualTo(root.getNameCount());
    assertThat(above.beyond()).isEqualTo(5);
    assertThat(above.left()).singleElement().matches(l -> l.message().contains("above /"));
  }

  @Test
  void aLongLineOfDataTakesNoTime() {
    String line = "A".repeat(3 << 20) + " ../common\n";
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> assertThat(NamesAbove.ofBuild(line).fromAnywhere()).containsExactly("../common"));
  }

  @Test
  void absurdNamesAreRefused() throws Exception {
    Files.writeString(root.resolve("Makefile"), "all:\n\tls " + "../".repeat(500) + "x\n");
    assertThatThrownBy(() -> above(Limits.USUAL))
        .isInstanceOf(PlanException.class)
        .hasMessageStartingWith("Makefile refers to a folder ");
  }

  @Test
  void linksAreFollowedWithinTheCopyAndNeverLeaveIt() throws Exception {
    Path outside = file("precious.txt", "original");
    Files.createSymbolicLink(base.resolve("a/b/common/absolute.txt"), outside);
    Files.createSymbolicLink(base.resolve("a/b/common/near"), Path.of("../other"));
    Files.createSymbolicLink(root.resolve("linked"), Path.of("../common"));
    Path out = root.resolve("build-rocport");

    Mirror mirror = Mirror.of(root, out, out.resolve("front-ends"));
    mirror.create(out);

    Path common = mirror.folder().resolve("linked").toRealPath();
    assertThat(common).startsWith(out).isEqualTo(mirror.folder().resolveSibling("common"));
    assertThat(common.resolve("near/z.h").toRealPath()).startsWith(out);
    assertThat(common.resolve("absolute.txt")).hasContent("original");
    Files.writeString(common.resolve("absolute.txt"), "changed");
    assertThat(outside).hasContent("original");
    assertThat(out.resolve("tree").toRealPath()).isEqualTo(mirror.folder());
    assertThat(mirror.original(common.resolve("x.h"))).isEqualTo(base.resolve("a/b/common/x.h"));
    mirror.create(out);
    assertThat(base.resolve("a/b/common/x.h")).exists();
  }
}
