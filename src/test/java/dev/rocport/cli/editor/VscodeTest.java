package dev.rocport.cli.editor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rocport.TestProfile;
import dev.rocport.io.process.Exec;
import dev.rocport.io.process.Exec.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests of the extension for VS Code, which bring their own client of the protocol, and its
 * package. They need Node.js and fetch libraries with npm, so only the full profile has them.
 */
@Tag("slow")
class VscodeTest {
  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final Path HOME = Path.of(System.getProperty("rocport.home"));

  @TempDir private Path folder;

  @Test
  void aSessionAppliesChangesAndTheExtensionIsPackaged() throws Exception {
    assumeTrue(TestProfile.isFull(), "only in the full profile");
    assumeTrue(isThere("node") && isThere("npm"), "no Node.js here");
    copy(HOME.resolve("editors/vscode"), folder.resolve("editors/vscode"));
    Files.copy(HOME.resolve("LICENSE"), folder.resolve("LICENSE"));
    Files.copy(HOME.resolve("editors/kernel.cu"), folder.resolve("editors/kernel.cu"));
    assertThat(npm("install", "--no-audit", "--no-fund").code()).isZero();
    Outcome tests = npm("test");
    assertThat(tests.stdout() + tests.stderr()).contains("pass 7", "fail 0");
    assertThat(npm("run", "package").code()).isZero();
    assertThat(folder.resolve("editors/vscode/rocport.vsix")).isNotEmptyFile();
  }

  private static boolean isThere(String program) throws InterruptedException {
    try {
      return Exec.run(List.of(program, "--version"), HOME, Map.of(), LIMIT).ok();
    } catch (IOException e) {
      return false;
    }
  }

  private Outcome npm(String... args) throws IOException, InterruptedException {
    List<String> command = Stream.concat(Stream.of("npm"), Stream.of(args)).toList();
    Map<String, String> launcher = Map.of("ROCPORT", HOME.resolve("rocport").toString());
    return Exec.run(command, folder.resolve("editors/vscode"), launcher, LIMIT);
  }

  /** Copies what belongs to the repository. */
  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> all = Files.list(from)) {
      for (Path p : all.filter(f -> !f.endsWith("node_modules")).toList()) {
        Path target = to.resolve(p.getFileName());
        if (Files.isDirectory(p)) {
          copy(p, target);
        } else {
          Files.copy(p, target);
        }
      }
    }
  }
}
