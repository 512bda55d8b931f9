package dev.rocport.io.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ProcessTreeTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private ProcessTree shell(String script, Duration grace) throws Exception {
    return ProcessTree.start(
        new ProcessBuilder("sh", "-c", script).directory(folder.toFile()), grace);
  }

  private void awaitFile(String name) throws Exception {
    for (int i = 0; i < 1000 && !Files.exists(folder.resolve(name)); i++) {
      Thread.sleep(10);
    }
    assertThat(folder.resolve(name)).exists();
  }

  @Test
  void whatTheProgramStartedEndsWithIt() throws Exception {
    try (ProcessTree tree =
        shell("sleep 300 & sleep 300 & : > up; while :; do wait; done", Duration.ZERO)) {
      awaitFile("up");
      List<ProcessHandle> children = tree.process().descendants().toList();
      assertThat(children).hasSize(2);
      tree.end();
      assertThat(tree.await()).isEqualTo(137);
      for (ProcessHandle child : children) {
        child.onExit().get(30, java.util.concurrent.TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void aProgramThatCleansUpIsTerminatedGracefullyFirst() throws Exception {
    String script = "trap 'touch cleared; exit 5' TERM; touch up; while :; do sleep 0.1; done";
    try (ProcessTree tree = shell(script, LONG)) {
      awaitFile("up");
      assertThat(tree.await(Duration.ofMillis(50))).isFalse();
      tree.end();
      assertThat(tree.await()).isEqualTo(5);
    }
    assertThat(folder.resolve("cleared")).exists();
  }

  @Test
  @SuppressWarnings("try") // it is closed while it runs
  void oneThatDoesNotListenIsKilled() throws Exception {
    String script = "trap '' TERM; touch up; while :; do sleep 0.1; done";
    try (ProcessTree tree = shell(script, Duration.ofMillis(200))) {
      awaitFile("up");
      tree.close();
      assertThat(tree.await()).isEqualTo(137);
    }
  }

  @Test
  void oneThatHasEndedKeepsItsCode() throws IOException, InterruptedException {
    try (ProcessTree tree =
        ProcessTree.start(new ProcessBuilder("sh", "-c", "exit 3"), ProcessTree.GRACE)) {
      assertThat(tree.await(LONG)).isTrue();
      tree.end();
      assertThat(tree.await()).isEqualTo(3);
    }
  }
}
