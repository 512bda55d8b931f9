package dev.rocport.render.ci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Result;
import dev.rocport.render.Samples;
import dev.rocport.render.html.HostileResult;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What GitLab asks of a Code Quality report. */
class GitlabReportTest {
  private static final Set<String> SEVERITIES =
      Set.of("info", "minor", "major", "critical", "blocker");

  private static List<JsonNode> issues(Result result) {
    StringWriter out = new StringWriter();
    GitlabReport.write(result, out);
    return JsonMapper.shared().readTree(out.toString()).valueStream().toList();
  }

  @Test
  void everyIssueHasWhatIsRequired() {
    List<JsonNode> issues = issues(HostileResult.many(200, 20));
    assertThat(issues).hasSize(200);
    for (JsonNode i : issues) {
      assertThat(i.get("description").asString()).isNotBlank();
      assertThat(i.get("check_name").asString()).isNotBlank();
      assertThat(SEVERITIES).contains(i.get("severity").asString());
      assertThat(i.get("fingerprint").asString()).matches("[0-9a-f]{16}");
      assertThat(i.at("/location/path").asString()).doesNotStartWith("/").doesNotStartWith("./");
      assertThat(i.at("/location/lines/begin").asInt()).isPositive();
    }
  }

  @Test
  void knownAndSuppressedFindingsAreLeftOut() {
    assertThat(issues(Samples.result()).stream().map(i -> i.get("check_name").asString()))
        .containsExactly("PTX-INLINE", "rocport");
  }
}
