package dev.rocport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.rocport.TestClasses;
import dev.rocport.cli.option.ProjectConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The examples for CI servers, run as far as they are rocport's, and the configuration's schema.
 */
@Tag("slow")
class CiExamplesTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home"));

  @TempDir private Path folder;
  private Path checkout;

  @BeforeEach
  void checkout() throws IOException {
    checkout = Files.createDirectories(folder.resolve("work"));
    Files.copy(HOME.resolve("fixtures/saxpy/saxpy.cu"), checkout.resolve("saxpy.cu"));
    TestClasses.launcher(folder.resolve("bin/rocport"));
  }

  /** Exit codes of the steps of the job for GitHub that name a command, but for the downloads. */
  private Map<String, Integer> github() throws Exception {
    JsonNode job =
        new YAMLMapper()
            .readTree(Files.readString(HOME.resolve("docs/ci/github.yml")))
            .at("/jobs/gate/steps");
    Map<String, Integer> codes = new LinkedHashMap<>();
    for (JsonNode step : job) {
      String name = step.path("name").asString("");
      if (step.has("run") && !name.startsWith("Get ")) {
        codes.put(name, bash(step.get("run").asString()));
      }
    }
    return codes;
  }

  private int bash(String script) throws Exception {
    ProcessBuilder b = new ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", script);
    b.directory(checkout.toFile());
    b.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    b.environment().put("RUNNER_TEMP", folder.resolve("temp").toString());
    b.environment().put("REPORTS", folder.resolve("temp/reports").toString());
    b.environment().put("GITHUB_STEP_SUMMARY", folder.resolve("summary.md").toString());
    b.redirectErrorStream(true);
    b.redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
    return b.start().waitFor();
  }

  @Test
  void theJobForGitHubPassesOnWhatPorts() throws Exception {
    assertThat(github().values()).as(log()).containsOnly(0);
    assertThat(folder.resolve("temp/reports/gate/report.sarif")).exists();
    assertThat(Files.readString(folder.resolve("summary.md"))).contains("## rocport gate");
    assertThat(folder.resolve("temp/reports/build/report.junit.xml")).exists();
  }

  @Test
  void itFailsAtTheGateOnWhatDoesNotPortAndStillReports() throws Exception {
    Files.writeString(
        checkout.resolve("new.cpp"),
        "#include <cuda.h>\nint f() { return cuGraphicsD3D9RegisterResource(0); }\n");
    assertThat(bash("rocport gate . --format github --report \"$REPORTS\"")).isOne();
    assertThat(log()).contains("::error file=new.cpp,line=2");
    assertThat(Files.readString(folder.resolve("temp/reports/report.junit.xml")))
        .contains("failures=\"1\"");
  }

  private String log() throws IOException {
    Path log = folder.resolve("log");
    return Files.exists(log) ? Files.readString(log) : "";
  }

  @Test
  void theOtherExamplesCallWhatThereIs() throws IOException {
    for (String name : List.of("gitlab.yml", "Jenkinsfile", "github.yml")) {
      Files.readString(HOME.resolve("docs/ci").resolve(name))
          .lines()
          .map(l -> l.replaceFirst("^.*?(?=rocport (gate|port|build))", ""))
          .filter(l -> l.startsWith("rocport "))
          .map(l -> l.replaceAll("['\"]", "").split(" "))
          .forEach(
              words ->
                  assertThat(
                          HelpTest.line()
                              .parseArgs(java.util.Arrays.copyOfRange(words, 1, words.length))
                              .subcommand())
                      .isNotNull());
    }
  }

  @Test
  void theJobForGitlabUploadsWhatIsWritten() throws Exception {
    assertThat(bash("rocport gate . --quiet --report reports")).as(log()).isZero();
    JsonNode uploads =
        new YAMLMapper()
            .readTree(Files.readString(HOME.resolve("docs/ci/gitlab.yml")))
            .at("/rocm/artifacts/reports");
    assertThat(uploads.propertyNames()).contains("junit", "codequality");
    for (JsonNode file : uploads) {
      assertThat(checkout.resolve(file.asString())).isNotEmptyFile();
    }
  }

  @Test
  void theSchemaOfTheConfigurationNamesWhatIsRead() throws IOException {
    JsonNode schema = JsonMapper.shared().readTree(schema());
    assertThat(new TreeSet<>(schema.get("properties").propertyNames()))
        .isEqualTo(ProjectConfig.keys());
    String good =
        "fail-on: warning\nonly: [PTX-*]\ngate:\n  thresholds: [{rules: W64-*, most: 0}]\n";
    assertThat(errors(good)).isEmpty();
    assertThat(errors("launch: fast\n")).isNotEmpty();
    assertThat(errors("gate: {threshold: []}\n")).isNotEmpty();
    assertThat(errors("suppress: [{path: a}]\n")).isNotEmpty();
  }

  private static List<Error> errors(String yaml) throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(schema(), InputFormat.JSON)
        .validate(new YAMLMapper().readTree(yaml).toString(), InputFormat.JSON);
  }

  private static String schema() throws IOException {
    try (InputStream in = ProjectConfig.class.getResourceAsStream("rocport-yaml.schema.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
