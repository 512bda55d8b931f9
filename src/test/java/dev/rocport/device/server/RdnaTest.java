package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.DeviceProcess;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.KernelInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels that were compiled for RDNA before: rdna.hip names the compilers. */
@Tag("device")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RdnaTest {
  private static final int THREADS = 128;

  private DeviceProcess device;

  @BeforeAll
  void start() throws Exception {
    device =
        DeviceProcess.start(
            "--gpu",
            "gfx1100,gfx1151,gfx1201",
            "--linger",
            "60",
            "--memory",
            "64",
            "--engine",
            engine());
  }

  /** As {@code --engine} has it. */
  String engine() {
    return "interpret";
  }

  @AfterAll
  void stop() {
    device.close();
  }

  private static byte[] code(String target) throws IOException {
    try (InputStream in = RdnaTest.class.getResourceAsStream(target + ".co")) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @CsvSource({"0, gfx1100", "1, gfx1151", "2, gfx1201", "0, gfx1100-wave64", "2, gfx1201-wave64"})
  void wavesMeetAtBarriersAndKnowTheirPlace(int gpu, String target) throws Exception {
    int blocks = 3;
    try (Client client = new Client(device.socket())) {
      long at = client.allocate(gpu, 4L * blocks * THREADS);
      for (int i = 0; i < blocks * THREADS; i++) {
        client.store(at + 4L * i, 7 * i);
      }
      client.run(client.module(gpu, code(target)).kernel("exchange"), blocks, THREADS, at);
      for (int i = 0; i < blocks * THREADS; i++) {
        int block = i / THREADS;
        int other = block * THREADS + THREADS - 1 - i % THREADS;
        assertThat(client.load(at + 4L * i)).as("word " + i).isEqualTo(7 * other + 1000 * block);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, gfx1100", "1, gfx1151", "2, gfx1201", "0, gfx1100-wave64", "2, gfx1201-wave64"})
  void floatsThatAllLanesShare(int gpu, String target) throws Exception {
    for (float shared : new float[] {2.75f, 50}) {
      try (Client client = new Client(device.socket())) {
        long at = client.allocate(gpu, 8L * THREADS);
        for (int i = 0; i < THREADS; i++) {
          client.store(at + 4L * i, Float.floatToRawIntBits(i == 0 ? shared : i * 0.25f));
        }
        client.run(client.module(gpu, code(target)).kernel("floats"), 1, THREADS, at);
        float sum = Math.fma(shared, 3f, 0.5f);
        sum = sum > 100 ? -sum : sum;
        for (int i = 0; i < THREADS; i++) {
          float expected = Math.fma(i == 0 ? shared : i * 0.25f, sum, (float) (int) shared);
          float value = Float.intBitsToFloat(client.load(at + 4L * (THREADS + i)));
          assertThat(value).as("element " + i).isEqualTo(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, gfx1100-wave64", "2, gfx1201-wave64"})
  void wavesOf64LanesMultiplyMatricesAndExchangeHalves(int gpu, String target) throws Exception {
    int size = 16;
    try (Client client = new Client(device.socket())) {
      long at = client.allocate(gpu, 4L * size * size);
      long lanes = client.allocate(gpu, 4 * 64);
      for (int i = 0; i < 64; i++) {
        client.store(lanes + 4L * i, i);
      }
      for (int i = 0; i < size * size; i++) {
        int bits = Float.floatToFloat16(left(i)) & 0xffff | Float.floatToFloat16(left(i + 1)) << 16;
        if (i % 2 == 0) {
          client.store(at + 2L * i, bits);
        }
      }
      long sums = client.allocate(gpu, 4L * size * size);
      client.run(client.module(gpu, code(target)).kernel("product"), 1, 64, at, at, sums, lanes);
      for (int row = 0; row < size; row++) {
        for (int column = 0; column < size; column++) {
          int sum = 0;
          for (int k = 0; k < size; k++) {
            sum += left(size * row + k) * left(size * column + k);
          }
          assertThat(Float.intBitsToFloat(client.load(sums + 4L * (size * row + column))))
              .as("row %d, column %d", row, column)
              .isEqualTo(sum);
        }
      }
      for (int i = 0; i < 64; i++) {
        assertThat(client.load(lanes + 4L * i)).isEqualTo(i ^ 32);
      }
    }
  }

  /** Elements of a matrix that is its own factor, by rows and by columns. */
  private static int left(int i) {
    return i * 7 % 11 - 5;
  }

  /** Marks some kernels of a code object as compiled for waves of 64 lanes. */
  private static byte[] widened(String target, Predicate<KernelInfo> which) throws IOException {
    byte[] image = code(target);
    CodeObject object = CodeObject.read(image);
    for (KernelInfo kernel : object.kernels()) {
      if (which.test(kernel)) {
        long at = kernel.descriptorAddress();
        CodeObject.Segment segment =
            object.segments().stream()
                .filter(s -> s.address() <= at && at < s.address() + s.fileSize())
                .findFirst()
                .orElseThrow();
        // kernel_code_properties, ENABLE_WAVEFRONT_SIZE32
        image[(int) (at - segment.address()) + segment.offset() + 57] &= ~4;
      }
    }
    return image;
  }

  private static String refused(Client client, int gpu, byte[] code) throws IOException {
    Client.Reply reply = client.ask(Wire.LOAD, new Wire.Payload().u32(gpu).bytes(code));
    assertThat(reply.status()).isEqualTo(Status.BAD_CODE_OBJECT.code());
    return reply.message();
  }

  @ParameterizedTest
  @CsvSource({"0, gfx1100", "2, gfx1201"})
  void kernelsOfTwoWidthsAreRefusedByName(int gpu, String target) throws Exception {
    try (Client client = new Client(device.socket())) {
      String message = refused(client, gpu, widened(target, k -> k.name().equals("floats")));
      assertThat(message)
          .startsWith("kernel floats was compiled for waves of 64 lanes and kernel exchange of ");
    }
  }

  @Test
  void checksDoNotVouchForWavesThatTheyDoNotKnow() throws Exception {
    try (DeviceProcess checking =
            DeviceProcess.start("--gpu", "gfx1100", "--memory", "64", "--check", "race");
        Client client = new Client(checking.socket())) {
      String message = refused(client, 0, widened("gfx1100", k -> true));
      assertThat(message).contains("the checks do not know waves of 64 lanes on gfx1100");
      ByteBuffer summary = client.call(Wire.SUMMARY, new Wire.Payload());
      assertThat(summary.getInt()).isZero();
      byte[] page = new byte[summary.getInt()];
      summary.get(page);
      assertThat(new String(page, StandardCharsets.UTF_8))
          .contains("no kernel was checked")
          .contains("not checked: 1 code object")
          .doesNotContain("no findings");
    }
  }

  @ParameterizedTest
  @CsvSource({"0, gfx1100", "1, gfx1151", "2, gfx1201", "0, gfx1100-wave64", "2, gfx1201-wave64"})
  void wideAndAtomicAccesses(int gpu, String target) throws Exception {
    try (Client client = new Client(device.socket())) {
      long at = client.allocate(gpu, 16L * THREADS);
      long sums = client.allocate(gpu, 16);
      int sum = 0;
      for (int i = 0; i < 4 * THREADS; i++) {
        client.store(at + 4L * i, i);
        sum += i % 4 < 2 ? i : 0;
      }
      for (int i = 0; i < 4; i++) {
        client.store(sums + 4L * i, 0);
      }
      client.run(client.module(gpu, code(target)).kernel("memory"), 1, THREADS, at, sums);
      for (int i = 0; i < 4 * THREADS; i++) {
        assertThat(client.load(at + 4L * i)).isEqualTo(i / 4 * 4 + 3 - i % 4);
      }
      assertThat(client.load(sums)).isEqualTo(sum);
      assertThat(client.load(sums + 4)).isEqualTo(4 * THREADS - 2);
    }
  }
}
