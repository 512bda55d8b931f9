package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.core.result.Finding;
import dev.rocport.io.InvalidFileException;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.verify.compare.Profiles;
import dev.rocport.verify.matrix.MatrixCell;
import dev.rocport.verify.matrix.ResultKey;
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

  private FixtureKeys keys(Optional<String> profile, String toolchain) throws IOException {
    return new FixtureKeys(
        options(List.of(), profile),
        new Profiles(folder.resolve("tolerances")),
        RuleCatalog.builtIn(),
        PortOptions.DEFAULT,
        toolchain);
  }

  @Test
  void keysAreOfAllThatDecides() throws Exception {
    Path place = fixture("ring", "title: x\nverify: {profile: mine}\n");
    Path golden = Files.createDirectories(place.resolve("golden")).resolve("stdout.txt");
    Files.writeString(golden, "1\n");
    String yaml = "title: t\nwhy: w\ntypes: {default: {rtol: 0.1, atol: %s}}\n";
    Path mine = Files.createDirectories(folder.resolve("tolerances")).resolve("mine.yaml");
    Files.writeString(mine, yaml.formatted("0.1"));
    Path given = Files.writeString(folder.resolve("given.yaml"), yaml.formatted("0.2"));
    Optional<String> profile = Optional.of(given.toString());
    Fixture ring = FixtureReader.read(place);
    ResultKey first = keys(profile, "1").of(ring).result();
    String build = keys(profile, "1").of(ring).build();
    assertThat(keys(profile, "1").of(ring).result()).isEqualTo(first);

    ResultKey other = keys(profile, "2").of(ring).result();
    assertThat(other.settings()).isEqualTo(first.settings());
    assertThat(other.platform()).isNotEqualTo(first.platform());
    assertThat(other.input()).isNotEqualTo(first.input());
    assertThat(keys(profile, "2").of(ring).build()).isNotEqualTo(build);

    Files.writeString(mine, yaml.formatted("0.3"));
    ResultKey tolerant = keys(profile, "1").of(ring).result();
    assertThat(tolerant.input()).isNotEqualTo(first.input());
    assertThat(tolerant.settings()).isEqualTo(first.settings());

    Files.writeString(golden, "2\n");
    assertThat(keys(profile, "1").of(ring).result().input()).isNotEqualTo(tolerant.input());
    Files.writeString(given, yaml.formatted("0.4"));
    assertThat(keys(profile, "1").of(ring).result().settings()).isNotEqualTo(first.settings());
    assertThat(keys(profile, "1").of(ring).build()).isEqualTo(build);

    Files.writeString(place.resolve("ring.cu"), "int main() {}\n");
    assertThat(keys(profile, "1").of(ring).build()).isNotEqualTo(build);
  }

  @Test
  void theMachineHasANameWithoutAnAddress() throws Exception {
    Path kernel = Files.writeString(folder.resolve("hostname"), "node7\n");
    assertThat(HostName.of(Map.of("SLURMD_NODENAME", "node1"))).isEqualTo("node1");
    assertThat(HostName.unresolved(Map.of("HOSTNAME", "node2"), kernel)).isEqualTo("node2");
    assertThat(HostName.unresolved(Map.of(), kernel)).isEqualTo("node7");
  }
}
