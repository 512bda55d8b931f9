package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerProcessTest {
  @TempDir Path folder;

  @Test
  void programsOfAKilledProcessAreKilled() throws Exception {
    String classes = Path.of("target/test-classes").toAbsolutePath().toString();
    WorkerSettings settings =
        new WorkerSettings(folder.toString(), classes, folder.toString(), 60, 64, 10);
    Path output = folder.resolve("pid");
    try (WorkerProcess worker = new WorkerProcess(settings)) {
      assertThatThrownBy(() -> worker.run(output, List.of(), Failure.Kind.AUDIT))
          .isInstanceOf(Failure.class)
          .hasMessage("the process was killed");
    }
    assertThat(ProcessHandle.of(Long.parseLong(Files.readString(output))).stream())
        .allSatisfy(p -> assertThat(p.onExit()).succeedsWithin(Duration.ofSeconds(10)));
  }
}
