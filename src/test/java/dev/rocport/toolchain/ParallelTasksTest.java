package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ParallelTasksTest {

  @Test
  void givesTheResultsInTheOrderOfTheTasks() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    Callable<String> waits =
        () -> {
          assertThat(second.await(20, TimeUnit.SECONDS)).isTrue();
          return "a";
        };
    Callable<String> goes =
        () -> {
          second.countDown();
          return "b";
        };
    assertThat(ParallelTasks.run(List.of(waits, goes), 2)).containsExactly("a", "b");
  }

  @Test
  @Timeout(20)
  void endsTheOthersWhereOneFails() {
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch running = new CountDownLatch(1);
    Callable<String> fails =
        () -> {
          running.await();
          throw new ToolchainException("no such package");
        };
    Callable<String> waits =
        () -> {
          running.countDown();
          try {
            Thread.sleep(60_000);
          } catch (InterruptedException e) {
            ended.set(true);
          }
          return "";
        };
    assertThatThrownBy(() -> ParallelTasks.run(List.of(fails, waits), 2))
        .isInstanceOf(ToolchainException.class)
        .hasMessage("no such package");
    assertThat(ended).isTrue();
  }
}
