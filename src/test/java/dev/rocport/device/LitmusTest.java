package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.HipRuntime;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The litmus tests of {@code fixtures/litmus} under {@code --check order}: what is forbidden never
 * appears, and where an order is taken out of the source, what it forbade does, within some seeds.
 * The quick profile takes a sample.
 */
final class LitmusTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final Path LITMUS = HOME.resolve("fixtures/litmus");
  private static final boolean FULL = System.getProperty("rocport.profile", "quick").equals("full");

  /** docs/checks.md tells these numbers. */
  private static final int SEEDS = FULL ? 20 : 3;

  private static final int ITERATIONS = FULL ? 50 : 30;
  private static final int SECONDS = 300;
  private static final Pattern LINE =
      Pattern.compile(
          "(?<test>\\w+) (?<scope>\\w+) (?<order>\\w+) (?<placement>\\w+): (?<counts>.+)");

  private static final Map<String, String> SOURCES =
      Map.of(
          "MP", "message_passing",
          "SB", "store_buffering",
          "LB", "load_buffering",
          "IRIW", "iriw",
          "SPIN", "spin_wait",
          "LOCK", "lock",
          "SEQLOCK", "seqlock");

  /** A test as it is run. */
  private record Setting(String test, String placement, String scope, String order) {
    static Setting of(Matcher line) {
      return new Setting(
          line.group("test"), line.group("placement"), line.group("scope"), line.group("order"));
    }
  }

  /** A row of without.tsv. */
  private record Without(String macros, Setting setting, List<String> appears) {}

  /** A program: a test, and what is taken out of it. */
  private record Program(String test, String macros) {
    String fileName() {
      return (test + " " + macros).strip().replace(' ', '.');
    }
  }

  private static Stream<List<String>> rows(String name) throws Exception {
    return Files.readAllLines(LITMUS.resolve(name)).stream()
        .skip(1)
        .map(line -> Arrays.asList(line.split("\t")));
  }

  private static List<String> words(String text) {
    return text.equals("none") ? List.of() : List.of(text.split(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942"})
  void onlyWhatIsAllowedHappensAndMoreWhereAnOrderIsMissing(String target, @TempDir Path folder)
      throws Exception {
    Map<Setting, List<String>> forbidden =
        rows("outcomes.tsv")
            .collect(
                Collectors.toMap(
                    r -> new Setting(r.get(0), r.get(1), r.get(2), r.get(3)),
                    r -> words(r.get(5))));
    List<Without> withouts =
        rows("without.tsv")
            .map(
                r ->
                    new Without(
                        r.get(1),
                        new Setting(r.get(0), r.get(2), r.get(3), r.get(4)),
                        words(r.get(5))))
            .filter(w -> FULL || isSampled(w))
            .toList();
    Set<Program> programs = new TreeSet<>(Comparator.comparing(Program::fileName));
    (FULL ? SOURCES.keySet() : List.of("SPIN", "LOCK"))
        .forEach(t -> programs.add(new Program(t, "")));
    withouts.forEach(w -> programs.add(new Program(w.setting().test(), w.macros())));
    for (Program program : programs) {
      compile(target, program, folder);
    }
    Map<Without, Integer> seeds = new LinkedHashMap<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (DeviceProcess device =
          DeviceProcess.start(
              "--gpu", target, "--gpus", "2", "--memory", "1024", "--check", "order=" + seed)) {
        for (Program program : programs) {
          List<Without> wanted =
              withouts.stream()
                  .filter(w -> !seeds.containsKey(w))
                  .filter(
                      w ->
                          w.setting().test().equals(program.test())
                              && w.macros().equals(program.macros()))
                  .toList();
          boolean whole = program.macros().isEmpty();
          if (!whole && wanted.isEmpty()) {
            continue;
          }
          Map<Setting, Set<String>> seen =
              run(device, folder.resolve(program.fileName()), whole ? List.of() : wanted);
          if (whole) {
            String where = target + " " + program.test() + " order=" + seed;
            assertThat(seen).as(where).isNotEmpty();
            seen.forEach(
                (setting, outcomes) ->
                    assertThat(outcomes)
                        .as(where + " " + setting)
                        .doesNotContainAnyElementsOf(none(forbidden.get(setting))));
          }
          for (Without without : wanted) {
            if (without.appears().stream()
                .anyMatch(seen.getOrDefault(without.setting(), Set.of())::contains)) {
              seeds.put(without, seed);
            }
          }
        }
      }
    }
    report(target, withouts, seeds);
    assertThat(shown(seeds.keySet()))
        .as(target + ": some seed shows what is missing")
        .containsAll(shown(withouts.stream().filter(w -> !isNeverShown(w)).toList()));
  }

  /** It takes two late loads at once; no seed has shown it yet. */
  private static boolean isNeverShown(Without without) {
    return without.setting().test().equals("IRIW");
  }

  private static Set<Program> shown(Collection<Without> withouts) {
    return withouts.stream()
        .map(w -> new Program(w.setting().test(), w.macros()))
        .collect(Collectors.toSet());
  }

  /** An assertion on no elements would fail. */
  private static Collection<String> none(List<String> outcomes) {
    return outcomes.isEmpty() ? List.of("nothing") : outcomes;
  }

  private static boolean isSampled(Without without) {
    return without.setting().test().equals("SPIN")
        && without.setting().scope().equals("agent")
        && without.setting().order().equals("acq_rel");
  }

  private static void compile(String target, Program program, Path folder) throws Exception {
    Toolchain toolchain = TestToolchain.get();
    List<String> command = new ArrayList<>();
    command.add(toolchain.clang().toString());
    command.addAll(toolchain.hipCompile(List.of(target)));
    command.addAll(List.of("-O2", "-std=c++17"));
    if (!program.macros().isEmpty()) {
      Arrays.stream(program.macros().split(" ")).map(m -> "-D" + m).forEach(command::add);
    }
    command.add(LITMUS.resolve(SOURCES.get(program.test()) + ".hip").toString());
    command.addAll(List.of("-o", folder.resolve(program.fileName()).toString()));
    command.addAll(toolchain.link());
    Path log = folder.resolve("compiler.log");
    Process compiler =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(compiler.waitFor()).as(Files.readString(log)).isZero();
  }

  private static Map<Setting, Set<String>> run(
      DeviceProcess device, Path program, List<Without> wanted) throws Exception {
    Set<String> command = new LinkedHashSet<>();
    command.add(program.toString());
    command.add("" + ITERATIONS);
    for (Without without : wanted) {
      Setting setting = without.setting();
      command.addAll(List.of(setting.placement(), setting.scope(), setting.order()));
    }
    Path out = Files.createTempFile("rocport-litmus", null);
    ProcessBuilder builder =
        new ProcessBuilder(List.copyOf(command))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .redirectInput(new File("/dev/null"));
    builder.environment().put("ROCPORT_DEVICE", device.socket().toString());
    builder
        .environment()
        .put("LD_LIBRARY_PATH", HipRuntime.libraryFolder(TestToolchain.get()).toString());
    Process process = builder.start();
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String text = Files.readString(out);
    Files.delete(out);
    assertThat(ended).as(program + " ends\n" + text).isTrue();
    Map<Setting, Set<String>> seen = new HashMap<>();
    for (String line : text.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        seen.put(
            Setting.of(matcher),
            Arrays.stream(matcher.group("counts").split(" "))
                .filter(c -> !c.endsWith("=0"))
                .map(c -> c.substring(0, c.indexOf('=')))
                .collect(Collectors.toSet()));
      }
    }
    return seen;
  }

  /** The table of docs/checks.md. */
  private static void report(String target, List<Without> withouts, Map<Without, Integer> seeds)
      throws Exception {
    Map<String, List<Integer>> byProgram = new LinkedHashMap<>();
    for (Without w : withouts) {
      byProgram
          .computeIfAbsent(w.setting().test() + " " + w.macros(), k -> new ArrayList<>())
          .add(seeds.getOrDefault(w, 0));
    }
    Path file = HOME.resolve("target/litmus-" + target + ".txt");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(
        file,
        byProgram.entrySet().stream()
            .map(
                e ->
                    "%s: %d of %d settings, within %d seeds"
                        .formatted(
                            e.getKey(),
                            e.getValue().stream().filter(s -> s > 0).count(),
                            e.getValue().size(),
                            e.getValue().stream().mapToInt(s -> s).max().orElse(0)))
            .toList());
  }
}
