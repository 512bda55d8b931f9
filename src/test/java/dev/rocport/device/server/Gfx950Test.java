package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.DeviceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Kernels that were compiled for gfx950 before: gfx950.hip names the compiler, which few machines
 * have.
 */
@Tag("device")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class Gfx950Test {
  private static final int GFX950 = 0;
  private static final int GFX942 = 1;
  private static final int LANES = 64;

  private DeviceProcess device;
  private byte[] code;

  @BeforeAll
  void start() throws Exception {
    device = DeviceProcess.start("--gpu", "gfx950,gfx942", "--linger", "60", "--memory", "256");
    try (InputStream in = Gfx950Test.class.getResourceAsStream("gfx950.co")) {
      code = in.readAllBytes();
    }
  }

  @AfterAll
  void stop() {
    device.close();
  }

  /** Runs a kernel on words; returns what it leaves. */
  private int[] run(String kernel, int[] data) throws IOException {
    try (Client client = new Client(device.socket())) {
      long at = client.allocate(GFX950, 4L * data.length);
      for (int i = 0; i < data.length; i++) {
        client.store(at + 4L * i, data[i]);
      }
      client.run(client.module(GFX950, code).kernel(kernel), 1, LANES, at);
      int[] result = new int[data.length];
      for (int i = 0; i < data.length; i++) {
        result[i] = client.load(at + 4L * i);
      }
      return result;
    }
  }

  private static int[] words(int count, IntUnaryOperator word) {
    int[] words = new int[count];
    for (int i = 0; i < count; i++) {
      words[i] = word.applyAsInt(i);
    }
    return words;
  }

  @Test
  void lanesSwap() throws Exception {
    int[] result = run("swaps", words(4 * LANES, i -> i));
    // Lane i of the first register holds i, of the second 64 + i.
    int[] expected =
        words(
            4 * LANES,
            i -> {
              int lane = i % LANES;
              int distance = i < 2 * LANES ? 16 : 32;
              boolean upper = (lane & distance) != 0;
              return i / LANES % 2 == 0
                  ? upper ? 64 + lane - distance : lane
                  : upper ? 64 + lane : lane + distance;
            });
    assertThat(result).isEqualTo(expected);
  }

  @Test
  void functionsOfThreeBitsAndRandomNumbers() throws Exception {
    int[] data = new Random(950).ints(3 * LANES).toArray();
    int[] result = run("logic", data);
    int[] expected =
        words(
            3 * LANES,
            i -> {
              int a = data[i % LANES];
              int b = data[LANES + i % LANES];
              int c = data[2 * LANES + i % LANES];
              return switch (i / LANES) {
                case 0 -> (a & b) | (~a & ~c);
                case 1 -> (a ^ b) | c;
                default -> (c << 1) ^ (c < 0 ? 0b1100_0101 : 0);
              };
            });
    assertThat(result).isEqualTo(expected);
  }

  @Test
  void all160KilobytesOfLdsAreThere() throws Exception {
    assertThat(run("reverse", words(40_000, i -> 3 * i)))
        .isEqualTo(words(40_000, i -> 3 * (39_999 - i)));
  }

  /** Small integers, so that no sum rounds. */
  @Test
  void deepMatricesMultiply() throws Exception {
    int[] left = new Random(1).ints(16 * 32, -8, 9).toArray();
    int[] right = new Random(2).ints(32 * 16, -8, 9).toArray();
    try (Client client = new Client(device.socket())) {
      long out = client.allocate(GFX950, 4 * 16 * 16);
      long a = client.allocate(GFX950, 4L * left.length);
      long b = client.allocate(GFX950, 4L * right.length);
      for (int i = 0; i < left.length; i++) {
        client.store(a + 4L * i, Float.floatToRawIntBits(left[i]));
        client.store(b + 4L * i, Float.floatToRawIntBits(right[i]));
      }
      client.run(client.module(GFX950, code).kernel("product"), 1, LANES, out, a, b);
      for (int row = 0; row < 16; row++) {
        for (int column = 0; column < 16; column++) {
          int sum = 0;
          for (int k = 0; k < 32; k++) {
            sum += left[32 * row + k] * right[16 * k + column];
          }
          assertThat(Float.intBitsToFloat(client.load(out + 4L * (16 * row + column))))
              .as(row + " " + column)
              .isEqualTo(sum);
        }
      }
    }
  }

  @Test
  void anotherGpuRefusesTheCode() throws Exception {
    try (Client client = new Client(device.socket())) {
      Client.Reply reply = client.ask(Wire.LOAD, new Wire.Payload().u32(GFX942).bytes(code));
      assertThat(reply.status()).isEqualTo(Status.NO_CODE.code());
      assertThat(reply.message()).contains("no code for gfx942").contains("gfx950");
    }
  }
}
