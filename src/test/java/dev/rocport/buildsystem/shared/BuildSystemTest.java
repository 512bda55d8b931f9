package dev.rocport.buildsystem.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import org.junit.jupiter.api.Test;

final class BuildSystemTest {
  private static BuildPort port(BuildSystem.Port port) {
    BuildSystem system = new BuildSystem(p -> p.endsWith(".mk"), port);
    ProjectFiles files = ProjectFiles.of(SourceFile.of("a.mk", "A = 1\n"));
    return system.port(RuleCatalog.builtIn(), PortOptions.DEFAULT, files);
  }

  @Test
  void whatFailsIsToldOfAFileOfTheSystem() {
    BuildPort failed =
        port(
            (catalog, options, files) -> {
              throw new IllegalStateException("so it is");
            });
    assertThat(failed.changes().keySet()).containsExactly("a.mk");
    Changes changes = failed.changes().get("a.mk");
    assertThat(changes.edits().isEmpty()).isTrue();
    Finding finding = changes.findings().getFirst();
    assertThat(finding.rule()).isEqualTo("FILE-INTERNAL");
    assertThat(finding.message()).contains("so it is");
  }

  @Test
  void whatIsNestedTooDeeplyIsToldOfAFileOfTheSystem() {
    BuildPort failed =
        port(
            (catalog, options, files) -> {
              throw new StackOverflowError();
            });
    assertThat(failed.changes().get("a.mk").findings())
        .extracting(Finding::rule)
        .containsExactly("FILE-TOO-DEEP");
  }
}
