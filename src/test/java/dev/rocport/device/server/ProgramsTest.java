package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rocport.device.DeviceProcess;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HIP programs whose device dies, cannot be reached or does not start, and ones that die. */
@Tag("device")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
final class ProgramsTest {
  private static final int MEGABYTES = 48;

  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      #include <cstdio>
      #include <cstring>
      __global__ void add(int* x) { atomicAdd(x, 1); }
      __global__ void spins(volatile int* x) { while (*x != 5) {} }
      int main(int, char** arguments) {
        int* x = nullptr;
        hipError_t made = hipMalloc(&x, 48 << 20);
        if (made != hipSuccess) {
          std::printf("no memory: %s\\n", hipGetErrorName(made));
          return 3;
        }
        hipMemset(x, 0, 48 << 20);
        hipDeviceSynchronize();
        if (std::strcmp(arguments[1], "spins") == 0) {
          spins<<<8, 256>>>(x);
          std::puts("spins");
          std::fflush(stdout);
          hipDeviceSynchronize();
        }
        add<<<2, 64>>>(x);
        int seen = 0;
        hipMemcpy(&seen, x, sizeof seen, hipMemcpyDeviceToHost);
        std::printf("%d\\n", seen);
      }
      """;

  private Path folder = Path.of("");
  private Path program = Path.of("");
  private Path libraries = Path.of("");

  @BeforeAll
  void compile(@TempDir Path scratch) throws Exception {
    TestToolchain.since("6.4");
    libraries = TestToolchain.runtime().libraries();
    folder = scratch;
    Path source = Files.writeString(folder.resolve("program.hip"), SOURCE);
    program =
        TestCompiler.program(source, List.of("gfx90a"), List.of("-std=c++17", "-Wno-unused-value"));
  }

  private Process start(String argument, Map<String, String> environment) throws IOException {
    return start(List.of(program.toString(), argument), environment);
  }

  private Process start(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("ROCPORT_"));
    builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Returns the output of a program that exits with this code. */
  private static String output(Process process, int code) throws Exception {
    String text;
    try (var in = process.inputReader()) {
      text = String.join("\n", in.lines().toList());
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(text).isTrue();
    assertThat(process.exitValue()).as(text).isEqualTo(code);
    return text;
  }

  private static Map<String, String> on(SmallDevice device) {
    return Map.of("ROCPORT_DEVICE", device.socket().toString());
  }

  private static void awaitLine(Process process, String wanted) throws IOException {
    // Byte by byte, so that the rest of the output is left for others.
    StringBuilder line = new StringBuilder();
    for (int c = process.getInputStream().read(); c > 0 && c != '\n'; ) {
      line.append((char) c);
      c = process.getInputStream().read();
    }
    assertThat(line.toString()).isEqualTo(wanted);
  }

  @Test
  void programEndsWhenItsDeviceIsKilled() throws Exception {
    try (SmallDevice device = SmallDevice.start()) {
      Process spinning = start("spins", on(device));
      awaitLine(spinning, "spins");
      device.process().destroyForcibly();
      assertThat(output(spinning, 128 + 6))
          .contains("the connection to the device broke: the device process ended or was stopped");
      assertThat(output(start("adds", on(device)), 3))
          .contains("no device listens at ROCPORT_DEVICE=" + device.socket())
          .contains("no memory: hipErrorNoDevice");
    }
  }

  @Test
  void killedProgramLeavesNothingBehind() throws Exception {
    try (SmallDevice device = SmallDevice.start("--linger", "60");
        Client other = device.client()) {
      long free = freeBytes(other);
      Process spinning = start("spins", on(device));
      awaitLine(spinning, "spins");
      assertThat(free - freeBytes(other)).isGreaterThanOrEqualTo((long) MEGABYTES << 20);
      assertThat(output(start("adds", on(device)), 0)).isEqualTo("128");
      spinning.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
      for (int i = 0; i < 200 && freeBytes(other) != free; i++) {
        Thread.sleep(50);
      }
      assertThat(freeBytes(other)).isEqualTo(free);
      assertThat(output(start("adds", on(device)), 0)).isEqualTo("128");
    }
  }

  private static long freeBytes(Client client) throws IOException {
    return client.call(Wire.MEMINFO, new Wire.Payload().u32(0)).getLong();
  }

  @Test
  void programDistrustsAFolderThatOthersCanEnter() throws Exception {
    Path parent = Files.createDirectory(folder.resolve("run"));
    Path sockets =
        Files.createDirectory(parent.resolve("rocport-" + Files.getAttribute(folder, "unix:uid")));
    Files.setPosixFilePermissions(sockets, PosixFilePermissions.fromString("rwxrwxrwx"));
    Map<String, String> environment = Map.of("XDG_RUNTIME_DIR", parent.toString());
    assertThat(output(start("adds", environment), 3))
        .contains(sockets + " must be a folder that you own and nobody else can access")
        .contains("no memory: hipErrorNoDevice");
    Files.delete(sockets);
    Files.createFile(sockets);
    assertThat(output(start("adds", environment), 3)).contains("must be a folder that you own");
  }

  @Test
  void programSaysThatItMayNotUseASocket() throws Exception {
    // Root may use all, so it sends another user.
    boolean root = Files.getAttribute(folder, "unix:uid").equals(0);
    assumeTrue(!root || Files.isExecutable(Path.of("/usr/bin/setpriv")));
    Path open = Files.createTempDirectory("rp");
    Path mine = Files.copy(program, open.resolve("program"));
    for (Path library : List.of(Path.of("libamdhip64.so.6"))) {
      Files.copy(libraries.resolve(library), open.resolve(library));
    }
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> command = new ArrayList<>();
    if (root) {
      command.addAll(List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534"));
      command.add("--clear-groups");
    }
    command.addAll(List.of(mine.toString(), "adds"));
    try (SmallDevice device = SmallDevice.start("--linger", "60")) {
      Path socket = device.socket();
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("---------"));
      Map<String, String> environment =
          Map.of("ROCPORT_DEVICE", socket.toString(), "LD_LIBRARY_PATH", open.toString());
      assertThat(output(start(command, environment), 3))
          .contains("no device listens at ROCPORT_DEVICE=" + socket + ": Permission denied")
          .contains("no memory: hipErrorNoDevice");
    } finally {
      try (var files = Files.list(open)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(open);
    }
  }

  /** A limit on the size of files simulates a system without free shared memory. */
  @Test
  void programSaysWhyTheDeviceHasNoMemory() throws Exception {
    Path home = Files.createDirectory(folder.resolve("home"));
    Path parent = Files.createDirectory(folder.resolve("small"));
    Path launcher = home.resolve("rocport");
    List<String> java = DeviceProcess.java();
    Files.writeString(
        launcher,
        "#!/bin/sh\nulimit -f 4096\nexec '%s' \"$@\"\n".formatted(String.join("' '", java)));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    Map<String, String> environment =
        Map.of("XDG_RUNTIME_DIR", parent.toString(), "ROCPORT_HOME", home.toString());
    assertThat(output(start("adds", environment), 3))
        .contains("the device did not start:")
        .contains("the system provides no shared memory for the device: ")
        .contains("File too large")
        .contains("no memory: hipErrorNoDevice");
  }
}
