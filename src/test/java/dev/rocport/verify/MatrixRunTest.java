package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.core.result.Finding;
import dev.rocport.io.InvalidFileException;
import dev.rocport.verify.matrix.MatrixCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells of fixtures, and the builds that they share. */
class MatrixRunTest {
  @TempDir Path folder;

  private static VerifyOptions options(List<String> only, Optional<String> profile) {
    VerifyOptions o =
        VerifyOptions.emulated(
            List.of("gfx90a"), false, 1, Optional.empty(), Path.of("."), List.of());
    return new VerifyOptions(
        o.targets(),
        o.device(),
        o.libraries(),
        o.checks(),
        2,
        o.full(),
        only,
        profile,
        o.limit(),
        o.jobs(),
        o.cache(),
        o.work(),
        o.java());
  }

  private static VerifyOptions options() {
    return options(List.of(), Optional.empty());
  }

  private Path fixture(String name, String text) throws IOException {
    Path place = Files.createDirectories(folder.resolve(name));
    Files.writeString(place.resolve("fixture.yaml"), text);
    return place;
  }

  @Test
  void eachOrderIsACellThatRunsOnce() throws Exception {
    Path ring = fixture("ring", "title: x\nverify:\n  runs:\n    - {name: a, np: [1, 2]}\n");
    assertThat(MatrixRun.cells(List.of(ring), options()))
        .extracting(MatrixCell::id)
        .containsExactly(
            "ring.a.gfx90a.np1.s0",
            "ring.a.gfx90a.np1.s1",
            "ring.a.gfx90a.np2.s0",
            "ring.a.gfx90a.np2.s1");
    assertThat(options().once().runs()).isEqualTo(1);
  }

  @Test
  void namesOfCellsAreUnique() throws Exception {
    Path one = fixture("a.b", "title: x\n");
    Path other = fixture("a", "title: x\nverify:\n  runs:\n    - {name: b}\n");
    assertThatThrownBy(() -> MatrixRun.cells(List.of(one, other), options()))
        .isInstanceOf(VerifyException.class)
        .hasMessageContaining("fixtures a.b and a have the same name a.b.gfx90a.s0");
    Path hidden = fixture(".a", "title: x\n");
    assertThatThrownBy(() -> MatrixRun.cells(List.of(hidden), options()))
        .isInstanceOf(VerifyException.class)
        .hasMessageContaining("cannot be the name of a file");
  }

  @Test
  void unknownRunsAndProfilesAreRefused() throws Exception {
    Path ring = fixture("ring", "title: x\nverify:\n  runs:\n    - {name: a}\n");
    assertThatThrownBy(
            () -> MatrixRun.cells(List.of(ring), options(List.of("a", "wrong"), Optional.empty())))
        .isInstanceOf(VerifyException.class)
        .hasMessageContaining("no fixture has a run 'wrong'");
    assertThatThrownBy(
            () -> MatrixRun.cells(List.of(ring), options(List.of(), Optional.of("wrong"))))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("no tolerance profile 'wrong'");
  }

  @Test
  void onlyGoodBuildsAreKept() throws Exception {
    AtomicInteger made = new AtomicInteger();
    List<Finding> none = List.of();
    for (boolean ok : new boolean[] {false, true, false}) {
      SharedBuild build =
          SharedBuild.of(
              folder.resolve("builds"),
              "key",
              tree -> {
                made.incrementAndGet();
                assertThat(tree).doesNotExist();
                Files.createDirectories(tree);
                return new SharedBuild(tree, ok, none);
              });
      assertThat(build.ok()).isEqualTo(made.get() > 1);
    }
    assertThat(made).hasValue(2);
    for (String foreign : List.of("[", "{}", "{\"findings\": [{\"severity\": \"x\"}]}")) {
      Files.writeString(folder.resolve("builds/key/build.json"), foreign);
      made.set(0);
      SharedBuild.of(
          folder.resolve("builds"),
          "key",
          tree -> {
            made.incrementAndGet();
            Files.createDirectories(tree);
            return new SharedBuild(tree, true, none);
          });
      assertThat(made).as(foreign).hasValue(1);
    }
  }

  @Test
  void theMachineHasANameWithoutAnAddress() throws Exception {
    Path kernel = Files.writeString(folder.resolve("hostname"), "node7\n");
    assertThat(HostName.of(Map.of("SLURMD_NODENAME", "node1"))).isEqualTo("node1");
    assertThat(HostName.unresolved(Map.of("HOSTNAME", "node2"), kernel)).isEqualTo("node2");
    assertThat(HostName.unresolved(Map.of(), kernel)).isEqualTo("node7");
  }
}
