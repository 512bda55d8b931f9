package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.DeviceProcess;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Barriers whose signal and wait are apart, in all engines: barriers.hip names the compiler. */
@Tag("device")
final class BarriersTest {
  private static final int ROUNDS = 9;
  private static final int[] THREADS = {32, 128, 1024};
  private static final String[] WIDTHS = {"gfx1201-barriers", "gfx1201-barriers-wave64"};

  @ParameterizedTest
  @ValueSource(strings = {"interpret", "native=1", "compare"})
  void wavesGoOnOnceAllOthersHaveSignaled(String engine) throws Exception {
    try (DeviceProcess device =
            DeviceProcess.start("--gpu", "gfx1201", "--memory", "64", "--engine", engine);
        Client client = new Client(device.socket())) {
      for (String width : WIDTHS) {
        Client.Module module = client.module(0, code(width));
        for (int threads : THREADS) {
          String where = width + ", " + threads + " threads";
          assertThat(run(client, module, "split", threads)).as(where).isEqualTo(split(threads));
          assertThat(run(client, module, "divergent", threads))
              .as(where)
              .isEqualTo(divergent(threads));
          long count = client.allocate(0, 4);
          client.store(count, 0);
          client.run(module.kernel("first"), 1, threads, count, ROUNDS);
          assertThat(client.load(count)).as(where).isEqualTo(ROUNDS);
        }
      }
    }
  }

  private static byte[] code(String name) throws IOException {
    try (InputStream in = BarriersTest.class.getResourceAsStream(name + ".co")) {
      return in.readAllBytes();
    }
  }

  private static int[] run(Client client, Client.Module module, String kernel, int threads)
      throws IOException {
    long at = client.allocate(0, 4L * threads);
    for (int i = 0; i < threads; i++) {
      client.store(at + 4L * i, start(i));
    }
    client.run(module.kernel(kernel), 1, threads, at, ROUNDS, threads);
    int[] result = new int[threads];
    for (int i = 0; i < threads; i++) {
      result[i] = client.load(at + 4L * i);
    }
    return result;
  }

  private static int start(int i) {
    return 7 * i + 3;
  }

  private static int work(int i, int count) {
    int sum = i;
    for (int k = 0; k < count; k++) {
      sum = sum * 6 + k;
    }
    return sum;
  }

  private static int[] starts(int threads) {
    int[] value = new int[threads];
    for (int i = 0; i < threads; i++) {
      value[i] = start(i);
    }
    return value;
  }

  private static int[] split(int threads) {
    int[] value = starts(threads);
    for (int r = 0; r < ROUNDS; r++) {
      int[] row = value.clone();
      for (int i = 0; i < threads; i++) {
        value[i] = row[threads - 1 - i] + work(i, (i / 64 + r) % 7);
      }
    }
    return value;
  }

  private static int[] divergent(int threads) {
    int[] value = starts(threads);
    for (int r = 0; r < ROUNDS; r++) {
      int[] row = value.clone();
      int[] stored = new int[threads];
      for (int i = 0; i < threads; i++) {
        int now = ((i / 64 + r) % 2 != 0 ? work(i, 3) : i) + row[threads - 1 - i];
        stored[i] = i % 2 != 0 ? now : 3 * now;
      }
      for (int i = 0; i < threads; i++) {
        value[i] = stored[i ^ 2];
      }
    }
    return value;
  }
}
