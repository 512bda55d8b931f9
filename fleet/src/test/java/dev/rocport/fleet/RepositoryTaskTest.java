package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RepositoryTaskTest {
  @TempDir Path folder;

  @AfterEach
  void endProcesses() {
    WorkerPool.endAll();
  }

  private WorkSettings settings(Path out) {
    String classes = Path.of("target/test-classes").toAbsolutePath().toString();
    String home = folder.toString();
    return new WorkSettings(
        "audit",
        "test",
        home,
        classes,
        home,
        List.of(),
        out.toString(),
        "local[1]",
        Map.of(),
        60,
        64,
        64,
        10,
        0,
        List.of(),
        false,
        false,
        true);
  }

  /** A repository is not to blame for an output without room. */
  @Test
  void anOutputThatCannotBeWrittenIsNoFailureOfTheRepository() throws Exception {
    Path repository = Repositories.folder(folder.resolve("one"), 1, 0);
    OutputFolder out = new OutputFolder(folder.resolve("out"));
    WorkSettings settings = settings(folder.resolve("out"));
    out.open(
        new OutputFolder.Description(
            OutputFolder.SCHEMA, "test", "audit", List.of(), List.of("one-1")));
    Source source =
        new Source("one-1", "one", repository.toString(), "", "", Source.Kind.FOLDER, 1);
    assertThatThrownBy(() -> new RepositoryTask(settings).call(source))
        .isInstanceOf(OutputException.class)
        .hasMessage("no such file or folder");
    assertThat(out.keys()).isEmpty();
    assertThat(Files.list(folder.resolve("out/_unfinished"))).isEmpty();
  }
}
