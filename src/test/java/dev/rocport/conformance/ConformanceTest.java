package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.io.TsvTable;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.packages.ArchiveStore;
import dev.rocport.toolchain.packages.FolderStore;
import dev.rocport.toolchain.packages.PackageLock;
import dev.rocport.toolchain.packages.PackageStore;
import dev.rocport.toolchain.packages.TestDebs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Suites of shell scripts in packages of the test's own, which need neither network nor device. */
@Tag("slow")
class ConformanceTest {
  private static final String SCRIPT =
      """
      #!/bin/sh
      if [ "$1" = --gtest_list_tests ]; then
        printf 'G.\\n'
        for t in %s; do echo "  $t"; done
        exit 0
      fi
      for t in $(echo "${2#--gtest_filter=}" | tr : ' '); do
        echo "[ RUN      ] $t"
        case $t in
        *fails*) printf 'many\\nlines\\nabout\\nparameters\\na.cpp:3: Failure\\nvalue is 1, not 2\\n[  FAILED  ] %%s (1 ms)\\n' "$t" ;;
        *hangs*) sleep 100 ;;
        *dies*) echo "a fault"; kill -SEGV $$ ;;
        *group*) echo "the last line"; kill -KILL 0 ;;
        *skips*) echo "[  SKIPPED ] $t (0 ms)" ;;
        *) echo "[       OK ] $t (0 ms)" ;;
        esac
      done
      """;

  @TempDir private Path folder;
  private Path home;
  private Path packages;
  private final Map<String, PackageLock.Entry> lock = new LinkedHashMap<>();
  private final List<String> said = new ArrayList<>();

  @BeforeEach
  void folders() throws IOException {
    home = Files.createDirectories(folder.resolve("home"));
    packages = Files.createDirectories(folder.resolve("packages"));
  }

  /** A package with one program of this text. */
  private Suite suite(String name, String script) throws IOException {
    Path content = Files.createDirectories(folder.resolve("content-" + name));
    Path program = Files.createDirectories(content.resolve("usr/tests")).resolve("test_" + name);
    Files.writeString(program, script);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Path deb = TestDebs.pack(content, "lib" + name, packages);
    locked("lib" + name, deb, 1000);
    return new Suite(
        name,
        name,
        Form.GTEST,
        List.of("lib" + name),
        List.of("usr/tests/test_*"),
        List.of(),
        List.of(),
        Map.of(),
        Optional.empty(),
        Sample.of(2),
        Optional.empty());
  }

  private void locked(String name, Path deb, long unpacked) throws IOException {
    lock.put(name, new PackageLock.Entry(name, "1.0", Sha256.of(deb), Files.size(deb), unpacked));
  }

  private Conformance conformance(boolean quick, boolean keep) {
    return conformance(Selection.whole(quick), keep);
  }

  private Conformance conformance(Selection selection, boolean keep) {
    PackageLock locked = new PackageLock(lock);
    return new Conformance(
        locked,
        new FolderStore(packages, locked),
        home,
        Map.of(),
        List.of(),
        new Conformance.Options(selection, Duration.ofSeconds(1), keep),
        said::add);
  }

  private SuiteResult run(Suite suite) throws InterruptedException {
    return conformance(false, false).run(suite);
  }

  private static Map<String, Verdict> verdicts(SuiteResult result) {
    Map<String, Verdict> verdicts = new LinkedHashMap<>();
    result.results().forEach(r -> verdicts.put(r.test().name(), r.verdict()));
    return verdicts;
  }

  private static String known(String rows) {
    return KnownFailures.HEADER + "\n" + rows;
  }

  @Test
  void aProgramThatHangsAfterItsTestsIsAFailure() throws Exception {
    SuiteResult result = run(suite("late", SCRIPT.formatted("a b") + "sleep 100\n"));
    assertThat(verdicts(result))
        .containsOnly(
            Map.entry("G.a", Verdict.PASSED),
            Map.entry("G.b", Verdict.PASSED),
            Map.entry("end", Verdict.FAILED));
  }

  @Test
  void aSuiteWithoutProgramsFails() throws Exception {
    Suite made = suite("moved", SCRIPT.formatted("a"));
    Suite moved =
        new Suite(
            made.name(),
            made.title(),
            made.form(),
            made.packages(),
            List.of("usr/elsewhere/*"),
            List.of(),
            made.arguments(),
            made.variables(),
            made.start(),
            made.sample(),
            made.obstacle());
    assertThat(run(moved).failure().orElse("")).contains("have none of its programs");
  }

  @Test
  void aProgramThatWritesWithoutEndBeforeItsTestsStartsTwiceOnly() throws Exception {
    String script = SCRIPT.formatted("a b c d").replace("for t in $(echo", "yes; for t in $(echo");
    SuiteResult result = run(suite("loud", script));
    assertThat(result.results()).hasSize(4);
    assertThat(result.results().getLast().message()).contains("before this test: stopped");
  }

  @Test
  void aTestThatHangsOrDiesEndsNoOther() throws Exception {
    Suite suite = suite("mixed", SCRIPT.formatted("a dies b fails hangs skips z"));
    SuiteResult result = run(suite);
    assertThat(result.failure()).isEmpty();
    assertThat(verdicts(result))
        .containsOnly(
            Map.entry("G.a", Verdict.PASSED),
            Map.entry("G.b", Verdict.PASSED),
            Map.entry("G.dies", Verdict.FAILED),
            Map.entry("G.fails", Verdict.FAILED),
            Map.entry("G.hangs", Verdict.CUT),
            Map.entry("G.skips", Verdict.SKIPPED),
            Map.entry("G.z", Verdict.PASSED));
    assertThat(result.results())
        .filteredOn(r -> r.verdict() == Verdict.FAILED)
        .extracting(TestResult::message)
        .satisfiesExactlyInAnyOrder(
            m -> assertThat(m).contains("killed by signal 11", "a fault"),
            m -> assertThat(m).isEqualTo("a.cpp:3: Failure | value is 1, not 2"));
    assertThat(Folders.list(home)).isEmpty();
    KnownFailures some =
        KnownFailures.of(
            TsvTable.parse(
                "known.tsv",
                known("mixed\ttest_mixed:G.fail*\t2026-11-26\ta reason\n"),
                KnownFailures.HEADER));
    ConformanceReport report = new ConformanceReport(List.of(result), some, "about");
    assertThat(report.unexplained()).isEqualTo(1);
    assertThat(report.markdown())
        .contains("| mixed | 1.0 | 7 | 7 | 3 | 1 | 1 | 1 | 1 |")
        .contains("known to fail since 2026-11-26: `test_mixed:G.fails`: a reason")
        .contains("cut by time: `test_mixed:G.hangs`");
    assertThat(report.table()).contains("mixed\ttest_mixed\tG.skips\tskipped");
  }

  @Test
  void aSuiteThatKillsItsProcessGroupEndsNeitherRocportNorOtherSuites() throws Exception {
    Suite killer = suite("killer", SCRIPT.formatted("a group z"));
    Suite early = suite("early", "#!/bin/sh\nkill -KILL 0\n");
    Suite peaceful = suite("peaceful", SCRIPT.formatted("a"));
    Conformance conformance = conformance(false, false);

    SuiteResult killed = conformance.run(killer);
    SuiteResult neverListed = conformance.run(early);
    SuiteResult other = conformance.run(peaceful);

    assertThat(verdicts(killed))
        .containsOnly(
            Map.entry("G.a", Verdict.PASSED),
            Map.entry("G.group", Verdict.FAILED),
            Map.entry("G.z", Verdict.PASSED));
    assertThat(killed.results())
        .filteredOn(r -> r.verdict() == Verdict.FAILED)
        .extracting(TestResult::message)
        .singleElement()
        .asString()
        .contains("killed by signal 9", "the last line");
    assertThat(neverListed.failure().orElse("")).contains("lists no tests (exit code 137)");
    assertThat(verdicts(other)).containsOnly(Map.entry("G.a", Verdict.PASSED));
  }

  @Test
  void withCatchEachTestHasAProcessWhoseExitCodeIsTheResult() throws Exception {
    String script =
        """
        #!/bin/sh
        case $1 in
        --list-test-names-only) printf 'a\\nfails\\nhangs\\ndies\\nskips\\n'; exit 5 ;;
        fails) printf 'some output\\na.cc:3: FAILED:\\n  REQUIRE( x )\\n'; exit 200 ;;
        hangs) sleep 100 ;;
        dies) echo a fault; kill -SEGV $$ ;;
        skips) echo HIP_SKIP_THIS_TEST ;;
        esac
        """;
    Suite gtest = suite("catch", script);
    Suite suite =
        new Suite(
            gtest.name(),
            gtest.title(),
            Form.CATCH,
            gtest.packages(),
            gtest.programs(),
            List.of(),
            List.of(),
            Map.of(),
            Optional.empty(),
            Sample.of(1),
            Optional.empty());
    SuiteResult result = run(suite);
    assertThat(result.failure()).isEmpty();
    assertThat(verdicts(result))
        .containsOnly(
            Map.entry("a", Verdict.PASSED),
            Map.entry("dies", Verdict.FAILED),
            Map.entry("fails", Verdict.FAILED),
            Map.entry("hangs", Verdict.CUT),
            Map.entry("skips", Verdict.SKIPPED));
    assertThat(result.results())
        .filteredOn(r -> r.verdict() == Verdict.FAILED)
        .extracting(TestResult::message)
        .satisfiesExactlyInAnyOrder(
            m -> assertThat(m).contains("killed by signal 11", "a fault"),
            m -> assertThat(m).isEqualTo("a.cc:3: FAILED: | REQUIRE( x )"));
  }

  @Test
  void aSampleIsTakenFromTheTestsThatTheTableNames() throws Exception {
    Suite made = suite("named", SCRIPT.formatted("f/1 e/1 f/2 e/2 f/3 f/4"));
    Suite suite =
        new Suite(
            made.name(),
            made.title(),
            made.form(),
            made.packages(),
            made.programs(),
            List.of(),
            List.of(),
            Map.of(),
            Optional.empty(),
            new Sample(2, Pattern.compile("G\\.f/.*")),
            Optional.empty());
    SuiteResult sample = conformance(true, false).run(suite);
    assertThat(verdicts(sample)).containsOnlyKeys("G.f/1", "G.f/3");
    assertThat(sample.tests()).isEqualTo(6);
    assertThat(run(suite).results()).hasSize(6);
  }

  @Test
  void aSampleWithoutTestsIsAFailure() throws Exception {
    Suite made = suite("other", SCRIPT.formatted("a b"));
    Suite suite =
        new Suite(
            made.name(),
            made.title(),
            made.form(),
            made.packages(),
            made.programs(),
            List.of(),
            List.of(),
            Map.of(),
            Optional.empty(),
            new Sample(2, Pattern.compile("quick/.*")),
            Optional.empty());
    assertThat(conformance(true, false).run(suite).failure().orElse(""))
        .contains("none of the 2 tests of other has a name of its sample");
  }

  @Test
  void onlyTestsWithAMatchingNameRun() throws Exception {
    Suite suite = suite("named", SCRIPT.formatted("ab cb ad"));
    Selection all = Selection.whole(false);
    SuiteResult some = conformance(all.named(Pattern.compile("b$")), false).run(suite);
    assertThat(verdicts(some)).containsOnlyKeys("G.ab", "G.cb");
    SuiteResult none = conformance(all.named(Pattern.compile("x")), false).run(suite);
    assertThat(none.failure().orElse(""))
        .isEqualTo("none of the 3 tests of named has a name that matches x");
  }

  @Test
  void ofTestsThatAreNamedAfterTheirEndTheOneThatRunsIsCut() throws Exception {
    String script =
        """
        #!/bin/sh
        if [ "$1" = support ]; then
          for t in 3 2 1; do echo '"ROCm0","OP","x='$t'","support","1",""'; done
          exit 0
        fi
        for t in 3 2 1; do
          case $5 in
          *"x=$t"*) [ $t = 2 ] && sleep 100; echo "  OP(x=$t): OK" ;;
          esac
        done
        """;
    Suite made = suite("late", script);
    Suite suite =
        new Suite(
            made.name(),
            made.title(),
            Form.of("backend-ops"),
            made.packages(),
            made.programs(),
            List.of(),
            List.of(),
            Map.of(),
            Optional.empty(),
            Sample.of(3),
            Optional.empty());
    assertThat(verdicts(run(suite)))
        .containsExactly(
            Map.entry("OP(x=3)", Verdict.PASSED),
            Map.entry("OP(x=2)", Verdict.CUT),
            Map.entry("OP(x=1)", Verdict.PASSED));
  }

  @Test
  void aSampleIsEveryNthTestOfTheSortedList() throws Exception {
    Suite suite = suite("many", SCRIPT.formatted("f e d c b a"));
    assertThat(verdicts(conformance(true, false).run(suite))).containsOnlyKeys("G.a", "G.d");
  }

  @Test
  void aSampleReadsASampleOfTheTableOfTests() throws Exception {
    String script =
        """
        #!/bin/sh
        table=$1
        shift
        if [ "$1" = --gtest_list_tests ]; then
          printf 'G.\\n'
          tail -c +14 "$table" | fold -w 3 | sed 's/^/  /'
          exit 0
        fi
        for t in $(echo "${2#--gtest_filter=}" | tr : ' '); do
          echo "[ RUN      ] $t"
          echo "[       OK ] $t (0 ms)"
        done
        """;
    StringBuilder table = new StringBuilder("rocX\0" + "000" + "ROCx\0");
    for (int i = 10; i < 50; i++) {
      table.append('t').append(i);
    }
    Path data = Files.createDirectories(folder.resolve("content-table/usr/tests"));
    Files.writeString(data.resolve("tests.data"), table);
    Suite made = suite("table", script);
    Suite suite =
        new Suite(
            made.name(),
            made.title(),
            made.form(),
            made.packages(),
            made.programs(),
            List.of(),
            List.of("@/usr/tests/tests.data"),
            Map.of(),
            Optional.empty(),
            made.sample(),
            Optional.empty());
    assertThat(run(suite).results()).hasSize(40);
    SuiteResult sample = conformance(true, false).run(suite);
    assertThat(verdicts(sample)).containsOnlyKeys("G.t10", "G.t30");
    assertThat(sample.notes())
        .contains("the programs read one of every 5 entries of their table of tests, which has 40");
  }

  @Test
  void shardsHaveEachTestOnce() throws Exception {
    Suite suite = suite("parts", SCRIPT.formatted("g f e d c b a"));
    List<String> rows = new ArrayList<>();
    for (int shard = 1; shard <= 3; shard++) {
      SuiteResult result =
          conformance(Selection.shard(false, shard + "/3").orElseThrow(), false).run(suite);
      assertThat(result.tests()).isEqualTo(7);
      new ConformanceReport(List.of(result), new KnownFailures(List.of()), "")
          .table()
          .lines()
          .skip(1)
          .map(row -> row.split("\t")[2])
          .forEach(rows::add);
    }
    assertThat(rows).containsExactly("G.g", "G.d", "G.a", "G.e", "G.b", "G.f", "G.c");
  }

  @Test
  void aProgramThatDoesNotStartIsStartedTwiceOnly() throws Exception {
    String script = SCRIPT.formatted("a b c").replace("for t in $(echo", "exit 3\nfor t in $(echo");
    SuiteResult result = run(suite("refusing", script));
    assertThat(result.results())
        .hasSize(3)
        .allSatisfy(r -> assertThat(r.verdict()).isEqualTo(Verdict.FAILED))
        .allSatisfy(r -> assertThat(r.message()).contains("exit code 3"));
  }

  @Test
  void aSuiteThatCannotRunSaysWhyAndLeavesNothing() throws Exception {
    Suite good = suite("good", SCRIPT.formatted("a"));
    Suite cut = suite("cut", SCRIPT.formatted("a"));
    Path half = packages.resolve("libcut_1.0_amd64.deb");
    byte[] bytes = Files.readAllBytes(half);
    Files.write(half, Arrays.copyOf(bytes, 800));
    assertThat(run(cut).failure().orElseThrow()).contains("libcut_1.0_amd64.deb", "damaged");
    locked("libcut", half, 1000);
    assertThat(run(cut).failure().orElseThrow()).contains("cannot unpack libcut_1.0_amd64.deb");

    Suite absent = suite("absent", SCRIPT.formatted("a"));
    Files.delete(packages.resolve("libabsent_1.0_amd64.deb"));
    assertThat(run(absent).failure().orElseThrow()).contains("libabsent 1.0", "missing");

    Suite large = suite("large", SCRIPT.formatted("a"));
    locked("liblarge", packages.resolve("liblarge_1.0_amd64.deb"), 1L << 60);
    assertThat(run(large).failure().orElseThrow()).contains("free some space");

    Suite silent = suite("silent", "#!/bin/sh\necho 'no device'; exit 7\n");
    SuiteResult said = run(silent);
    assertThat(said.failure().orElseThrow())
        .contains("test_silent lists no tests (exit code 7)", "no device");
    assertThat(
            new ConformanceReport(List.of(said), new KnownFailures(List.of()), "").isIncomplete())
        .isTrue();

    assertThat(run(good).failure()).isEmpty();
    assertThat(Folders.list(home)).isEmpty();
  }

  /** The lock file may be wrong about the size, and others may fill the disk meanwhile. */
  @Test
  void aDiskThatFillsUpLeavesNothingAndEndsNoOtherSuite() throws Exception {
    Suite large = suite("large", SCRIPT.formatted("a") + "#" + "x".repeat(400_000));
    Suite small = suite("small", SCRIPT.formatted("a"));
    PackageLock.Entry entry = lock.get("liblarge");
    lock.put("liblarge", new PackageLock.Entry("liblarge", "1.0", entry.sha256(), 1000, 1000));
    home = Files.createDirectories(folder.resolve("disk"));
    Exec.Outcome mounted = mount("mount", "-t", "tmpfs", "-o", "size=256k", "none");
    assumeTrue(mounted.ok(), mounted.stderr());
    try {
      assertThat(run(large).failure().orElse(""))
          .contains("cannot unpack liblarge_1.0_amd64.deb", "0 MB free in " + home);
      assertThat(Folders.list(home)).isEmpty();
      assertThat(verdicts(run(small))).containsOnly(Map.entry("G.a", Verdict.PASSED));
    } finally {
      assertThat(mount("umount").ok()).isTrue();
    }
  }

  private Exec.Outcome mount(String... command) throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(List.of(command));
    whole.add(home.toString());
    return Exec.of(whole).limit(Duration.ofSeconds(20)).run();
  }

  @Test
  void withoutNetworkItSaysSoAndLeavesNothing() throws Exception {
    Suite suite = suite("far", SCRIPT.formatted("a"));
    PackageLock locked = new PackageLock(lock);
    PackageStore archive =
        new ArchiveStore(
            List.of(suite.set()),
            Map.of("DEBIAN_MIRROR", "http://127.0.0.1:9/debian"),
            folder.resolve("apt"),
            said::add);
    SuiteResult result =
        new Conformance(
                locked,
                archive,
                home,
                Map.of(),
                List.of(),
                new Conformance.Options(Selection.whole(false), Duration.ofSeconds(1), false),
                said::add)
            .run(suite);
    assertThat(result.failure().orElseThrow()).contains("no network");
    assertThat(Folders.list(home)).isEmpty();
  }

  @Test
  void aKeptSuiteIsUsedAgain() throws Exception {
    Suite suite = suite("kept", SCRIPT.formatted("a"));
    assertThat(conformance(false, true).run(suite).failure()).isEmpty();
    Files.delete(packages.resolve("libkept_1.0_amd64.deb"));
    assertThat(verdicts(run(suite))).containsOnly(Map.entry("G.a", Verdict.PASSED));
    assertThat(said).last().asString().contains("running 1 tests");
    assertThat(home.resolve("kept")).isDirectory();
  }

  @Test
  void whatAKilledProcessLeftIsDeleted() throws Exception {
    Files.createDirectories(home.resolve(".unpacking-999999999-1/root"));
    run(suite("next", SCRIPT.formatted("a")));
    assertThat(Folders.list(home)).isEmpty();
  }

  @Test
  void anInterruptedRunLeavesNothing() throws Exception {
    Suite suite = suite("slow", SCRIPT.formatted("hangs"));
    Thread thread = Thread.currentThread();
    Conformance interrupting =
        new Conformance(
            new PackageLock(lock),
            new FolderStore(packages, new PackageLock(lock)),
            home,
            Map.of(),
            List.of(),
            new Conformance.Options(Selection.whole(false), Duration.ofSeconds(60), false),
            line -> {
              if (line.contains("running")) {
                thread.interrupt();
              }
            });
    assertThatThrownBy(() -> interrupting.run(suite)).isInstanceOf(InterruptedException.class);
    assertThat(Folders.list(home)).isEmpty();
  }

  @Test
  void compilesGetNewNamesOfOptions(@TempDir Path folder) throws Exception {
    Path script = new HipTestsHeader(folder.resolve("header"), "gfx942").script();
    Exec.Outcome made =
        Exec.of(
                List.of(
                    script.toString(), "echo", "a b", "-fallow-half-arguments-and-returns", "c.o"))
            .limit(Duration.ofSeconds(20))
            .run();
    assertThat(made.stdout()).isEqualTo("a b -fnative-half-arguments-and-returns c.o\n");
  }
}
