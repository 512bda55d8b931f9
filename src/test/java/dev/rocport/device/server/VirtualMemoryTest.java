package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.CompiledKernels;
import dev.rocport.device.isa.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Separate addresses and memory: only mapped memory can be accessed. */
@Tag("device")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class VirtualMemoryTest {
  private static final long SIZE = 1 << 21;
  private static final long PAGE = 4096;
  private static final int NONE = 0;
  private static final int READ = 1;
  private static final int READ_WRITE = 3;

  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      __global__ void store(int* to, int value) { *to = value; }
      __global__ void move(int* to, const int* from) { *to = *from; }
      """;

  private byte[] code = {};

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    code = CompiledKernels.compile(folder, SOURCE);
  }

  private static long reserve(Client client, long size) throws IOException {
    return client.call(Wire.RESERVE, new Wire.Payload().u64(size).u64(SIZE)).getLong();
  }

  private static long create(Client client, int gpu) throws IOException {
    return client.call(Wire.CREATE, new Wire.Payload().u32(gpu).u64(SIZE)).getLong();
  }

  private static Wire.Payload mapping(long address, long memory, long size) {
    return new Wire.Payload().u64(address).u64(memory).u64(0).u64(size);
  }

  private static Wire.Payload access(long address, int gpu, int flags) {
    return new Wire.Payload().u64(address).u32(gpu).u32(flags);
  }

  private static Wire.Payload one(long value) {
    return new Wire.Payload().u64(value);
  }

  private static int status(Client client, int type, Wire.Payload payload) throws IOException {
    return client.ask(type, payload).status();
  }

  private static long free(Client client, int gpu) throws IOException {
    return client.call(Wire.MEMINFO, new Wire.Payload().u32(gpu)).getLong();
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void mappedMemoryIsAccessibleAsAllowed(Target target) throws Exception {
    int gpu = SmallDevice.gpu(target);
    try (Client client = SmallDevice.connect()) {
      Client.Module module = client.module(gpu, code);
      Client.Kernel store = module.kernel("store");
      Client.Kernel move = module.kernel("move");
      long out = client.allocate(gpu, 4);
      long at = reserve(client, 2 * SIZE);
      long memory = create(client, gpu);

      client.call(Wire.MAP, mapping(at, memory, SIZE));
      assertThat(client.launch(store, 1, 1, at, 1).status()).isEqualTo(Status.FAULT.code());
      client.call(Wire.ACCESS, access(at, gpu, READ_WRITE));
      client.run(store, 1, 1, at + SIZE - 4, 42);
      assertThat(client.load(memory + SIZE - 4)).isEqualTo(42);
      Client.Reply beyond = client.launch(store, 1, 1, at + SIZE, 1);
      assertThat(beyond.status()).isEqualTo(Status.FAULT.code());
      assertThat(beyond.message()).contains("0 bytes after the end of mapped memory #1");
      // Its position in the arena is a handle, not an address.
      assertThat(client.launch(store, 1, 1, memory, 1).status()).isEqualTo(Status.FAULT.code());

      client.call(Wire.ACCESS, access(at, gpu, READ));
      client.run(move, 1, 1, out, at + SIZE - 4);
      assertThat(client.load(out)).isEqualTo(42);
      Client.Reply written = client.launch(store, 1, 1, at, 1);
      assertThat(written.status()).isEqualTo(Status.FAULT.code());
      assertThat(written.message()).contains("mapped memory #1").contains("may only read");

      client.call(Wire.ACCESS, access(at, gpu, READ_WRITE));
      client.call(Wire.UNMAP, one(at));
      Client.Reply gone = client.launch(store, 1, 1, at, 1);
      assertThat(gone.status()).isEqualTo(Status.FAULT.code());
      assertThat(gone.message()).contains("in freed memory: mapped memory #1");
      client.call(Wire.RELEASE, one(memory));
      client.call(Wire.UNRESERVE, one(at));
    }
  }

  @Test
  void memoryLivesAsLongAsAProgramHoldsOrMapsIt() throws Exception {
    // Nobody else may take or free memory in the meantime.
    try (SmallDevice own = SmallDevice.start("--linger", "60");
        Client watcher = own.client()) {
      long free = free(watcher, 0);
      try (Client first = own.client()) {
        long memory = create(first, 0);
        ByteBuffer exported = first.call(Wire.EXPORT, one(memory));
        byte[] handle = new byte[Device.HANDLE];
        exported.get(handle);
        try (Client second = own.client()) {
          ByteBuffer reply = second.call(Wire.IMPORT, new Wire.Payload().bytes(handle));
          assertThat(reply.getLong()).isEqualTo(memory);
          assertThat(reply.getLong()).isEqualTo(SIZE);
          assertThat(reply.getInt()).isZero();
          long at = reserve(second, SIZE);
          second.call(Wire.MAP, mapping(at, memory, SIZE));
          second.call(Wire.RELEASE, one(memory));
          first.call(Wire.RELEASE, one(memory));
          second.call(Wire.ACCESS, access(at, 0, READ_WRITE));
          second.run(second.module(0, code).kernel("store"), 1, 1, at, 7);
          assertThat(watcher.load(memory)).isEqualTo(7);
          // The addresses belong only to the second program, and nothing else holds the memory.
          assertThat(status(first, Wire.MAP, mapping(at, memory, SIZE)))
              .isEqualTo(Status.INVALID_VALUE.code());
          byte[] guessed = new byte[Device.HANDLE];
          assertThat(status(first, Wire.IMPORT, new Wire.Payload().bytes(guessed)))
              .isEqualTo(Status.INVALID_VALUE.code());
        }
      }
      for (int i = 0; i < 100 && free(watcher, 0) != free; i++) {
        Thread.sleep(50);
      }
      assertThat(free(watcher, 0)).isEqualTo(free);
    }
  }

  /** Registered pieces of the host's memory share pages. */
  @Test
  void pageOfPinnedMemoryIsAlsoAnother() throws Exception {
    try (Client client = SmallDevice.connect()) {
      Client.Module module = client.module(0, code);
      Client.Kernel store = module.kernel("store");
      long piece = client.allocate(0, 1, 2 * PAGE);
      long owner = client.allocate(0, 1, PAGE);
      long second = piece + PAGE;
      int invalid = Status.INVALID_VALUE.code();
      for (long wrong : new long[] {owner + 4, second, client.allocate(0, PAGE), 0}) {
        assertThat(status(client, Wire.ALIAS, one(second).u64(wrong))).isEqualTo(invalid);
      }

      client.call(Wire.ALIAS, one(second).u64(owner));
      client.run(store, 1, 1, second + 8, 42);
      assertThat(client.load(owner + 8)).isEqualTo(42);
      assertThat(client.load(second + 8)).isZero();
      assertThat(status(client, Wire.ALIAS, one(second).u64(piece))).isEqualTo(invalid);
      assertThat(status(client, Wire.ALIAS, one(piece).u64(second))).isEqualTo(invalid);

      // Once the other one is freed, the page is itself again.
      client.free(owner);
      client.run(store, 1, 1, second + 8, 43);
      assertThat(client.load(owner + 8)).isZero();
      assertThat(client.load(second + 8)).isEqualTo(43);
      client.free(piece);
    }
  }

  @Test
  void wrongAddressesAndSizesAreRefused() throws Exception {
    int invalid = Status.INVALID_VALUE.code();
    try (Client client = SmallDevice.connect()) {
      long at = reserve(client, 2 * SIZE);
      long memory = create(client, 0);
      for (long size : new long[] {0, -4096, 100}) {
        assertThat(status(client, Wire.RESERVE, new Wire.Payload().u64(size).u64(0)))
            .isEqualTo(invalid);
        assertThat(status(client, Wire.CREATE, new Wire.Payload().u32(0).u64(size)))
            .isEqualTo(invalid);
        assertThat(status(client, Wire.MAP, mapping(at, memory, size))).isEqualTo(invalid);
      }
      assertThat(status(client, Wire.RESERVE, new Wire.Payload().u64(1L << 60).u64(0)))
          .isEqualTo(Status.OUT_OF_MEMORY.code());
      assertThat(status(client, Wire.CREATE, new Wire.Payload().u32(99).u64(SIZE)))
          .isEqualTo(invalid);
      assertThat(status(client, Wire.MAP, mapping(at, memory, 2 * SIZE))).isEqualTo(invalid);
      assertThat(status(client, Wire.MAP, mapping(at + SIZE + 4096, memory, SIZE)))
          .isEqualTo(invalid);
      assertThat(status(client, Wire.MAP, mapping(client.arenaBase, memory, SIZE)))
          .isEqualTo(invalid);
      client.call(Wire.MAP, mapping(at, memory, SIZE));
      assertThat(status(client, Wire.MAP, mapping(at + 4096, memory, SIZE))).isEqualTo(invalid);
      assertThat(status(client, Wire.ACCESS, access(at, 0, 2))).isEqualTo(invalid);
      assertThat(status(client, Wire.ACCESS, access(at, 99, READ))).isEqualTo(invalid);
      assertThat(status(client, Wire.ACCESS, access(at + 4096, 0, NONE))).isEqualTo(invalid);
      assertThat(status(client, Wire.UNRESERVE, one(at))).isEqualTo(invalid);
      client.call(Wire.UNMAP, one(at));
      assertThat(status(client, Wire.UNMAP, one(at))).isEqualTo(invalid);
      client.call(Wire.UNRESERVE, one(at));
      assertThat(status(client, Wire.UNRESERVE, one(at))).isEqualTo(invalid);
    }
  }
}
