package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.DeviceProcess;
import dev.rocport.io.UserFolders;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.verify.Fixture;
import dev.rocport.verify.VerifyOptions;
import dev.rocport.verify.WarpOutcome;
import dev.rocport.verify.WarpTrial;
import dev.rocport.verify.WarpTrials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Programs for warps of 32 lanes: their ports print on both targets, of 64 lanes, what the
 * originals printed on an NVIDIA GPU, or say that they cannot; and without the rules about warps
 * each goes wrong, so that it proves something. The quick profile has a fixed sample, each for one
 * target; the full profile has all, for both.
 */
@Tag("device")
final class WarpFixturesTest {
  private static final Path FIXTURES = Path.of("fixtures/warp");

  /** The first one by name of each kind. */
  private static final int QUICK = 1;

  private static List<WarpTrial> trials = List.of();

  @TempDir static Path folder;

  @BeforeAll
  static void tryThem() throws Exception {
    Toolchain toolchain = TestToolchain.get();
    Map<List<String>, List<Path>> byTargets = new LinkedHashMap<>();
    List<Path> fixtures = fixtures();
    for (int i = 0; i < fixtures.size(); i++) {
      byTargets
          .computeIfAbsent(TestProfile.targets(i), t -> new ArrayList<>())
          .add(fixtures.get(i));
    }
    trials = new ArrayList<>();
    for (Map.Entry<List<String>, List<Path>> some : byTargets.entrySet()) {
      VerifyOptions options =
          VerifyOptions.emulated(
              some.getKey(),
              TestProfile.isFull(),
              2,
              Optional.of(cache()),
              folder.toRealPath(),
              DeviceProcess.java());
      trials.addAll(
          WarpTrials.run(
              some.getValue(),
              options,
              RuleCatalog.builtIn(),
              toolchain,
              ToolchainRequest.defaults(),
              line -> {}));
    }
  }

  @TestFactory
  Stream<DynamicTest> thePortPrintsWhatTheOriginalPrinted() {
    return each(
        t -> {
          if (t.kind() != Fixture.Warp.FLAGGED) {
            assertThat(t.errors()).as("error findings").isEmpty();
            assertThat(t.runs().keySet())
                .isSubsetOf("gfx90a", "gfx942")
                .hasSize(TestProfile.targets(0).size());
            assertThat(t.recorded()).as("golden/stdout.txt is recorded").isTrue();
            assertThat(t.runs().values()).allMatch(WarpOutcome::isRight, t.runs().toString());
          }
          assertThat(t.isAsExpected()).as("%s is %s", t.kind(), t.verdict()).isTrue();
        });
  }

  @TestFactory
  Stream<DynamicTest> withoutTheRulesItGoesWrong() {
    return each(
        t -> {
          assertThat(t.recorded()).as("golden/stdout.txt is recorded").isTrue();
          assertThat(t.needsTheRules())
              .as("names alone %s, by hand %s", t.names(), t.byHand())
              .isTrue();
        });
  }

  @TestFactory
  Stream<DynamicTest> portingThePortChangesNothing() {
    return each(t -> assertThat(t.stable()).isTrue());
  }

  private interface Check {
    void of(WarpTrial trial);
  }

  private static Stream<DynamicTest> each(Check check) {
    return trials.stream().map(t -> DynamicTest.dynamicTest(t.name(), () -> check.of(t)));
  }

  private static List<Path> fixtures() throws IOException {
    List<Path> all;
    try (Stream<Path> list = Files.list(FIXTURES)) {
      all = list.filter(p -> Files.exists(p.resolve("fixture.yaml"))).sorted().toList();
    }
    List<Path> chosen = new ArrayList<>();
    for (String kind : List.of("keep", "wide", "schedule", "flagged")) {
      chosen.addAll(
          of(kind, all).stream().limit(TestProfile.isFull() ? all.size() : QUICK).toList());
    }
    return chosen;
  }

  private static List<Path> of(String kind, List<Path> fixtures) throws IOException {
    List<Path> chosen = new ArrayList<>();
    for (Path fixture : fixtures) {
      JsonNode description =
          new YAMLMapper().readTree(Files.readString(fixture.resolve("fixture.yaml")));
      if (description.path("warp").asString("").equals(kind)) {
        chosen.add(fixture);
      }
    }
    return chosen;
  }

  /** Objects of compilers that have not changed are taken from where the command line has them. */
  private static Path cache() {
    return UserFolders.cache(System.getenv()).resolve("objects");
  }
}
