package dev.rocport.io.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ExecTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir private Path folder;

  private Exec sh(String script) {
    return Exec.of(List.of("/bin/sh", "-c", script)).in(folder).limit(LONG);
  }

  @Test
  void capturesBothStreams() throws Exception {
    assertThat(sh("echo a; echo b >&2; exit 3").run())
        .isEqualTo(new Exec.Outcome(3, false, "a\n", "b\n"));
  }

  @Test
  void mergedStreamsKeepTheirOrder() throws Exception {
    assertThat(sh("echo a; echo b >&2; echo c").merged().run())
        .isEqualTo(new Exec.Outcome(0, false, "a\nb\nc\n", ""));
  }

  @Test
  void inputIsEmpty() throws Exception {
    assertThat(sh("cat; echo end").run().stdout()).isEqualTo("end\n");
  }

  @Test
  void variablesAreThoseOfRocportAndItsOwn() throws Exception {
    Exec exec = sh("echo $A-$B-${PATH:+path}").with(Map.of("A", "1", "B", "2"));
    exec.environment().remove("B");
    assertThat(exec.run().stdout()).isEqualTo("1--path\n");
  }

  @Test
  void emptyVariablesAreTakenOutWhereTheyWouldNameAProgram() throws Exception {
    List<String> command = List.of("/bin/sh", "-c", "echo ${A-unset}");
    assertThat(Exec.run(command, folder, Map.of("A", ""), LONG).stdout()).isEqualTo("unset\n");
    assertThat(Exec.of(command).with(Map.of("A", "")).run().stdout()).isEqualTo("\n");
  }

  @Test
  void theTimeLimitEndsAProgramAndWhatItStarted() throws Exception {
    Exec.Outcome run = sh("echo a; sleep 300 & echo $! > child; wait").limit(SHORT).run();
    assertThat(run).isEqualTo(new Exec.Outcome(137, true, "a\n", ""));
    long child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
    for (int i = 0; i < 1000 && ProcessHandle.of(child).isPresent(); i++) {
      Thread.sleep(10);
    }
    assertThat(ProcessHandle.of(child)).isEmpty();
  }

  /** It would see the end of the first one while rocport kills the others, and go on. */
  @Test
  void aProgramIsKilledBeforeItsChildren() throws Exception {
    String many = "sleep 300 & first=$!; for i in $(seq 200); do sleep 300 & done; wait $first";
    Exec.Outcome run = sh(many + "; echo went on").limit(Duration.ofSeconds(1)).run();
    assertThat(run).isEqualTo(new Exec.Outcome(137, true, "", ""));
  }

  @Test
  void outputWithoutEndEndsAProgram() throws Exception {
    Exec exec = sh("exec cat /dev/zero").output(folder.resolve("out")).writesAtMost(1 << 20);
    assertThat(exec.await()).isEqualTo(new Exec.Ended(137, true));
    assertThat(Files.size(folder.resolve("out"))).isGreaterThan(1 << 20);
  }

  @Test
  void theRestOfALongOutputIsDropped() throws Exception {
    assertThat(sh("echo abcdef").keeps(3).run().stdout()).isEqualTo("abc");
    assertThat(sh("head -c 9000000 /dev/zero").run().stdout()).hasSize(4 << 20);
  }

  @Test
  void aChildThatHoldsTheOutputIsNotWaitedFor() throws Exception {
    long start = System.nanoTime();
    assertThat(sh("sleep 20 & echo a").run().stdout()).isEqualTo("a\n");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
  }

  @Test
  void aStopRequestEndsAProgram() throws Exception {
    List<String> command = List.of("sleep", "300");
    assertThat(Exec.run(command, folder, Map.of(), LONG, () -> true).timedOut()).isTrue();
  }

  @Test
  void aProgramThatIsNoneFails() {
    assertThatThrownBy(() -> Exec.of(List.of("/nowhere")).run()).isInstanceOf(IOException.class);
  }
}
