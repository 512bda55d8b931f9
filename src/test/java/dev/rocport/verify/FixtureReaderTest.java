package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.InvalidFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FixtureReaderTest {
  @TempDir Path folder;

  private Fixture read(String yaml) throws IOException {
    Files.writeString(folder.resolve("fixture.yaml"), yaml);
    return FixtureReader.read(folder);
  }

  @Test
  void everyFixtureOfThisProjectIsUnderstood() throws IOException {
    try (Stream<Path> list = Files.walk(Path.of("fixtures"), 2)) {
      for (Path f : list.filter(f -> Files.exists(f.resolve("fixture.yaml"))).toList()) {
        Fixture fixture = FixtureReader.read(f);
        assertThat(fixture.runs()).as(fixture.name()).isNotEmpty();
        assertThat(fixture.build())
            .isIn(
                "plain",
                "make",
                "cmake",
                "autotools",
                "meson",
                "bazel",
                "python",
                "java",
                "script");
      }
    }
  }

  @Test
  void runsTakeWhatHoldsForAllAndSayWhatDoesNot() throws IOException {
    Fixture f =
        read(
            """
            build: autotools
            program: tests/matrix
            configure: [--enable-x]
            verify:
              profile: torch
              time: 60
              checks: true
              runs:
                - name: all
                  np: [2, 3]
                  stdout: "golden/all-np{np}.txt"
                - name: one
                  program: bench
                  time: 5
                  checks: false
                  profile: exact
                  terms: {sum: 1024}
            """);
    RunSpec all = f.runs().get(0);
    assertThat(all.program()).isEqualTo("tests/matrix");
    assertThat(all.ranks()).containsExactly(2, 3);
    assertThat(all.gpus()).isZero();
    assertThat(all.folder(2)).isEqualTo("all-np2");
    assertThat(all.profile()).isEqualTo("torch");
    assertThat(all.checks()).isTrue();
    RunSpec one = f.runs().get(1);
    assertThat(one.limit()).isEqualTo(Duration.ofSeconds(5));
    assertThat(one.checks()).isFalse();
    assertThat(one.profile()).isEqualTo("exact");
    assertThat(one.terms()).containsEntry("sum", 1024L);
    assertThat(f.configure()).containsExactly("--enable-x");
    assertThat(f.warp()).isEmpty();
    assertThat(read("warp: schedule").warp()).contains(Fixture.Warp.SCHEDULE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify: {runs: [{name: a, programme: b}]}",
        "verify: {runs: [{name: a}, {name: a}]}",
        "verify: {runs: [{name: ../a}]}",
        "verify: {runs: [{name: ..}]}",
        "verify: {runs: [{name: a, np: [0]}]}",
        "verify: {runs: [{name: a, np: '4'}]}",
        "verify: {runs: [{name: a, np: true}]}",
        "verify: {runs: [{name: a, environment: [A]}]}",
        "verify: {runs: [{name: a, environment: {A=B: c}}]}",
        "verify: {runs: [{name: a, profiles: exact}]}",
        "verify: {runs: [{name: a, terms: 5}]}",
        "build: plian",
        "verify: {runs: [{name: a, np: [1000]}]}",
        "verify: {runs: [{name: a, stdout: /etc/passwd}]}",
        "verify: {runs: [{name: a, files: [../b]}]}",
        "verify: {runs: [{name: a, exit: 256}]}",
        "verify: {runs: [{name: a, tensors: maybe}]}",
        "verify: {runs: []}",
        "verify: {time: 0}",
        "expect: ../x",
        "warp: narrow",
        "warp: [keep]",
        "libs: cublas",
        "unknown: 1",
        "[]",
      })
  void invalidDescriptionsAreRejected(String yaml) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("fixture.yaml");
  }
}
