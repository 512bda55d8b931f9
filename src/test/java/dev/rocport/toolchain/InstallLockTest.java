package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.LockFile;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallLockTest {
  @Test
  void letsOneInstallationAtATimeIn(@TempDir Path home) throws Exception {
    AtomicBoolean entered = new AtomicBoolean();
    CountDownLatch done = new CountDownLatch(1);
    Thread second =
        new Thread(
            () -> {
              try (LockFile lock = InstallLock.acquire(home, line -> {})) {
                entered.set(lock.isHeld());
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              } finally {
                done.countDown();
              }
            });
    try (LockFile first = InstallLock.acquire(home, line -> {})) {
      assertThat(first.isHeld()).isTrue();
      second.start();
      assertThat(done.await(200, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(entered).isFalse();
    }
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(entered).isTrue();
  }
}
