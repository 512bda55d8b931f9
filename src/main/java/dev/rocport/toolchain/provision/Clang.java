package dev.rocport.toolchain.provision;

import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A clang that has been run successfully.
 *
 * @param driver the C++ driver
 * @param version first line of {@code --version}
 * @param major its major version
 */
public record Clang(Path driver, String version, int major) {
  /** The oldest clang that compiles HIP as rocport needs it. */
  static final int OLDEST = 17;

  /** Asks a driver for its version; empty when it does not run or is not clang. */
  static Optional<Clang> at(Path driver) {
    try {
      ToolRun run = run(List.of(driver.toString(), "--version"));
      OptionalInt major = Toolchain.clangMajor(run.output());
      return run.ok() && major.isPresent()
          ? Optional.of(
              new Clang(
                  driver, run.output().lines().findFirst().orElse("").strip(), major.getAsInt()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What is missing to compile HIP with it; empty when nothing is. */
  public Optional<String> lack() {
    if (major < OLDEST) {
      return Optional.of("clang " + major + " is older than " + OLDEST);
    }
    try {
      List<String> missing = new ArrayList<>();
      for (String tool : List.of("ld.lld", "clang-offload-bundler")) {
        ToolRun run = run(List.of(driver.toString(), "-print-prog-name=" + tool));
        // Clang prints the bare name when it did not find the program.
        if (!run.ok() || !run.output().strip().contains("/")) {
          missing.add(tool);
        }
      }
      if (!run(List.of(driver.toString(), "-print-targets")).output().contains("amdgcn")) {
        missing.add("the AMDGPU target");
      }
      return missing.isEmpty()
          ? Optional.empty()
          : Optional.of("it has no " + String.join(", no ", missing));
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static ToolRun run(List<String> command) throws IOException {
    return ToolRun.of(command, Path.of("/"), Map.of(), Duration.ofSeconds(20));
  }
}
