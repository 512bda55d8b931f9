package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BaseStoreTest {
  @TempDir Path dir;
  private Path file;
  private final byte[] one = random(3_000_000, 1);
  private final byte[] two = random(10, 2);
  private final byte[] empty = {};

  @BeforeEach
  void aStoreOfThree() throws IOException {
    file = dir.resolve("base.pack");
    try (BaseStore store = new BaseStore(file)) {
      for (byte[] content : new byte[][] {one, two, empty}) {
        store.put(Sha256.of(content), content);
      }
    }
  }

  private static byte[] random(int length, int seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void givesBackWhatWasPut() throws IOException {
    try (BaseStore store = new BaseStore(file)) {
      assertThat(store.get(Sha256.of(one))).isEqualTo(one);
      assertThat(store.get(Sha256.of(two))).isEqualTo(two);
      assertThat(store.get(Sha256.of(empty))).isEqualTo(empty);
      assertThat(store.has(Sha256.of(new byte[] {1}))).isFalse();
    }
  }

  @Test
  void halfARecordAtTheEndIsCutOff() throws IOException {
    long whole = Files.size(file);
    byte[] half = Arrays.copyOf(Files.readAllBytes(file), 1000);
    Files.write(file, half, StandardOpenOption.APPEND);
    try (BaseStore store = new BaseStore(file)) {
      assertThat(store.has(Sha256.of(two))).isTrue();
      assertThat(Files.size(file)).isEqualTo(whole);
      byte[] three = random(100, 3);
      store.put(Sha256.of(three), three);
      assertThat(store.get(Sha256.of(three))).isEqualTo(three);
    }
    try (BaseStore store = new BaseStore(file)) {
      assertThat(store.get(Sha256.of(random(100, 3)))).hasSize(100);
      assertThat(store.get(Sha256.of(one))).isEqualTo(one);
    }
  }

  @Test
  void dropsWhatNothingNeeds() throws IOException {
    try (BaseStore store = new BaseStore(file)) {
      store.keepOnly(Set.of(Sha256.of(two)), new TreeWriter(dir));
      assertThat(Files.size(file)).isLessThan(200);
      assertThat(store.get(Sha256.of(two))).isEqualTo(two);
      assertThat(store.has(Sha256.of(one))).isFalse();
    }
  }

  @Test
  void equalFilesOfSeveralThreadsAreStoredOnce() throws Exception {
    byte[] three = random(2_000_000, 3);
    String hash = Sha256.of(three);
    long before = Files.size(file);
    try (BaseStore store = new BaseStore(file);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      CyclicBarrier together = new CyclicBarrier(4);
      List<Callable<Void>> puts =
          Collections.nCopies(
              4,
              () -> {
                together.await();
                store.put(hash, three);
                return null;
              });
      for (Future<Void> put : threads.invokeAll(puts)) {
        put.get();
      }
    }
    assertThat(Files.size(file) - before).isLessThan(2L * three.length);
  }

  @Test
  void saysWhenACopyIsDamaged() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[5000] ^= 1;
    Files.write(file, bytes);
    try (BaseStore store = new BaseStore(file)) {
      assertThatThrownBy(() -> store.get(Sha256.of(one)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("damaged");
      assertThat(store.get(Sha256.of(two))).isEqualTo(two);
    }
  }
}
