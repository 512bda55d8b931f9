package dev.rocport.port.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.port.decide.Decision.Action;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No decision is lost if several writers add theirs at the same time. */
@Tag("slow")
class DecisionsLockTest {
  /** Replaces the decisions by those in another file while it holds the lock. */
  private static final String WRITER =
      """
      import fcntl, os, sys, time
      lock, new, target = sys.argv[1:]
      with open(lock, 'w') as f:
          fcntl.lockf(f, fcntl.LOCK_EX)
          print('held', flush=True)
          time.sleep(1)
          os.replace(new, target)
      """;

  @TempDir private Path folder;

  private static Decision decision(int n) {
    return new Decision(
        "%016x".formatted(n),
        Action.ACCEPT,
        false,
        "A",
        "c",
        "a.cu",
        n + 1,
        "",
        "",
        "ann",
        "today");
  }

  @Test
  void threadsWaitForEachOther() throws Exception {
    Path root = Files.createDirectories(folder.resolve("tree"));
    List<Future<?>> done = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int t = 0; t < 4; t++) {
        int first = 10 * t;
        Callable<Void> writer =
            () -> {
              for (int n = first; n < first + 10; n++) {
                Decisions.none().keep(root, List.of(decision(n)), folder.resolve("locks"));
              }
              return null;
            };
        done.add(threads.submit(writer));
      }
    }
    for (Future<?> f : done) {
      f.get();
    }
    assertThat(Decisions.read(root).all()).hasSize(40);
  }

  @Test
  void processesWaitForEachOther() throws Exception {
    Path root = Files.createDirectories(folder.resolve("tree"));
    Path other = Files.createDirectories(folder.resolve("other"));
    Path locks = Files.createDirectories(folder.resolve("locks"));
    Decisions.none().keep(root, List.of(decision(0)), locks);
    Decisions.none().keep(other, List.of(decision(0), decision(1)), locks);
    Process writer =
        new ProcessBuilder(
                "python3",
                "-c",
                WRITER,
                DecisionsLock.file(locks, root).toString(),
                other.resolve(Decisions.NAME).toString(),
                root.resolve(Decisions.NAME).toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = writer.inputReader()) {
      assertThat(out.readLine()).isEqualTo("held");
      Decisions.none().keep(root, List.of(decision(2)), locks);
    }
    assertThat(writer.waitFor()).isZero();
    assertThat(Decisions.read(root).all())
        .extracting(Decision::line)
        .containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void decisionsAreKeptWithoutACache() throws Exception {
    Path noFolder = Files.writeString(folder.resolve("file"), "");
    Decisions.none().keep(folder, List.of(decision(0)), noFolder);
    assertThat(Decisions.read(folder).all()).hasSize(1);
  }
}
