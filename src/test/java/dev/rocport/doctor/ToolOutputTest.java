package dev.rocport.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that misbehave do not hold up the doctor. */
@Tag("slow")
class ToolOutputTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  @BeforeEach
  void thereIsAShell() {
    assertThat(Path.of("/bin/sh")).isExecutable();
  }

  private static ToolOutput sh(String script, Duration limit) {
    return ToolOutput.of(
        List.of("/bin/sh", "-c", script), Path.of("/"), Map.of("PATH", "/usr/bin:/bin"), limit);
  }

  @Test
  void returnsTheOutput() {
    assertThat(sh("echo a; echo b >&2", ToolOutput.LIMIT)).isEqualTo(new ToolOutput("", "a\n"));
  }

  @Test
  void aFailureKeepsWhatWasWritten() {
    assertThat(sh("echo a; exit 3", ToolOutput.LIMIT))
        .isEqualTo(new ToolOutput("exited with code 3", "a\n"));
  }

  @Test
  void aProgramThatHangsIsEnded() {
    assertThat(sh("sleep 1000", SHORT).failure()).startsWith("no output within");
    assertThat(sh("sh -c 'sleep 1000'; true", SHORT).failure()).startsWith("no output within");
  }

  @Test
  void outputWithoutEndIsCutOff() {
    assertThat(sh("while :; do echo yes; done", SHORT).text()).isEmpty();
    ToolOutput much = sh("head -c 9000000 /dev/zero | tr '\\0' x", ToolOutput.LIMIT);
    assertThat(much.failure()).isEmpty();
    assertThat(much.text()).hasSize(4 << 20);
  }

  @Test
  void aChildThatHoldsTheOutputIsNotWaitedFor() {
    long start = System.nanoTime();
    sh("sleep 9 & echo a", ToolOutput.LIMIT);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(9));
  }

  @Test
  void aProgramThatIsNoneFails() {
    ToolOutput said = ToolOutput.of(List.of("/nowhere"), Path.of("/"), Map.of());
    assertThat(said.failure()).isEqualTo("cannot be started");
  }
}
