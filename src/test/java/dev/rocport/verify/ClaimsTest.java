package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.verify.capture.Capture;
import dev.rocport.verify.capture.Plan;
import dev.rocport.verify.capture.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the rules of Python say about compiled graphs is what the captures show. */
final class ClaimsTest {
  private static final Path CAPTURES =
      Path.of(System.getProperty("rocport.home", ".")).resolve("fixtures/torch");
  private static final String TARGET = "gfx942";
  private static final String SETTING = "setting ";
  private static final Pattern EIGHT_BITS = Pattern.compile("float8e\\w+");

  /** Rules of this kind change how graphs are compiled, and must say how that is known. */
  private static final Pattern COMPILES = Pattern.compile("PY-(COMPILE|INDUCTOR|FP8|GRAPH|SYMM).*");

  @TempDir private static Path folder;
  private static final Map<String, List<Capture>> READ = new TreeMap<>();
  private static RuleCatalog catalog;

  private record Claim(String rule, String capture, String graph, String property, String value) {}

  @BeforeAll
  static void rules() throws IOException {
    catalog = RuleCatalog.builtIn();
  }

  static List<Claim> claims() throws IOException {
    List<Claim> claims = new ArrayList<>();
    for (String line : Files.readAllLines(CAPTURES.resolve("claims.tsv"))) {
      if (!line.startsWith("#") && !line.startsWith("rule\t")) {
        String[] f = line.split("\t", -1);
        claims.add(new Claim(f[0], f[1], f[2], f[3], f[4]));
      }
    }
    return claims;
  }

  @ParameterizedTest
  @MethodSource("claims")
  void captureShowsWhatTheRuleSays(Claim claim) throws Exception {
    assertThat(property(claim)).isEqualTo(claim.value());
  }

  @Test
  void everyRuleAboutCompiledGraphsSaysHowItIsKnown() throws IOException {
    Map<String, SortedSet<String>> shown = new TreeMap<>();
    claims().forEach(c -> shown.computeIfAbsent(c.rule(), _ -> new TreeSet<>()).add(c.capture()));
    for (Rule rule : catalog.rules()) {
      if (COMPILES.matcher(rule.id()).matches()) {
        assertThat(rule.evidence()).as(rule.id()).isNotEmpty();
      }
      SortedSet<String> captures = new TreeSet<>(rule.evidence());
      captures.remove("documents");
      assertThat(captures).as(rule.id()).isEqualTo(shown.getOrDefault(rule.id(), new TreeSet<>()));
    }
    assertThat(shown.keySet()).allMatch(id -> catalog.find(id) != null);
  }

  private static String property(Claim claim) throws Exception {
    if (claim.property().startsWith(SETTING)) {
      return setting(claim, claim.property().substring(SETTING.length()));
    }
    Capture capture = capture(claim.capture());
    Plan plan = capture.plan(TARGET, claim.graph()).orElseThrow();
    Stream<Step> steps = plan.steps().stream();
    return switch (claim.property()) {
      case "plans" ->
          String.valueOf(
              capture.plans().get(TARGET).stream().filter(p -> p.is(claim.graph())).count());
      case "templates" ->
          count(steps, s -> s instanceof Step.Launch l && l.name().startsWith("triton_tem"));
      case "launches" -> count(steps, Step.Launch.class::isInstance);
      case "library calls" -> count(steps, Step.Call.class::isInstance);
      case "collectives" -> count(steps, Step.Collective.class::isInstance);
      case "symmetric operands" ->
          count(
              steps,
              s ->
                  s instanceof Step.Collective c
                      && plan.symmetric().contains(c.operand().buffer()));
      case "Triton types" -> String.join(", ", types(capture, plan));
      default -> throw new IllegalArgumentException(claim.toString());
    };
  }

  private static String count(Stream<Step> steps, Predicate<Step> which) {
    return String.valueOf(steps.filter(which).count());
  }

  private static String setting(Claim claim, String name) throws IOException {
    JsonNode description =
        JsonMapper.shared()
            .readTree(Files.readAllBytes(CAPTURES.resolve(claim.capture()).resolve(Capture.FILE)));
    for (JsonNode graph : description.path("graphs")) {
      if (graph.path("name").asString("").equals(claim.graph())) {
        return graph.path("settings").path(name).asString("default");
      }
    }
    throw new IllegalArgumentException(claim.toString());
  }

  private static SortedSet<String> types(Capture capture, Plan plan) throws IOException {
    SortedSet<String> types = new TreeSet<>();
    for (Step step : plan.steps()) {
      if (step instanceof Step.Launch l) {
        Path source = capture.folder().resolve(l.candidates().getFirst().source());
        Matcher m = EIGHT_BITS.matcher(Files.readString(source, StandardCharsets.UTF_8));
        while (m.find()) {
          types.add(m.group());
        }
      }
    }
    return types;
  }

  private static Capture capture(String name) throws Exception {
    if (!READ.containsKey(name)) {
      Path to = folder.resolve(name);
      Path from = CAPTURES.resolve(name);
      for (Map.Entry<String, byte[]> f :
          Archive.read(from.resolve(Capture.ARCHIVE)).files().entrySet()) {
        Path file = to.resolve(f.getKey());
        Files.createDirectories(file.getParent());
        Files.write(file, f.getValue());
      }
      READ.put(name, Capture.read(from.resolve(Capture.FILE), to));
    }
    return READ.get(name).getFirst();
  }
}
