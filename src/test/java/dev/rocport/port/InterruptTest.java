package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.github.difflib.DiffUtils;
import dev.rocport.cli.support.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** A run that is interrupted in the middle, in a process of its own. */
@Tag("slow")
final class InterruptTest {
  private static final int FILES = 1500;
  private static final int INTERRUPTED = 130;
  private static final int TERMINATED = 143;

  @TempDir Path dir;

  @Test
  @Timeout(120)
  void anInterruptedRunLeavesNoUnfinishedFileAndTheNextOneCompletesIt() throws Exception {
    Path in = Files.createDirectories(dir.resolve("in"));
    String text = "void f() { cudaDeviceSynchronize(); }\n".repeat(200);
    for (int i = 0; i < FILES; i++) {
      Files.writeString(in.resolve("k" + i + ".cu"), text);
    }
    Path out = dir.resolve("out");
    Process run = start(in, out);
    while (run.isAlive() && count(out, ".cu") < 20) {
      Thread.sleep(2);
    }
    assertThat(interrupt(run)).isIn(INTERRUPTED, TERMINATED);
    long done = count(out, ".cu");
    assertThat(done).isBetween(20L, FILES - 1L);
    assertThat(count(out, ".tmp")).isZero();
    Process again = start(in, out);
    assertThat(again.waitFor()).isEqualTo(ExitCode.OK.code());
    assertThat(count(out, ".cu")).isEqualTo(FILES);
    String ported = text.replace("cudaDevice", "hipDevice");
    assertThat(out.resolve("k77.cu")).content().endsWith(ported);
  }

  private static Process start(Path in, Path out) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            List.of(
                java,
                "-XX:+UseSerialGC",
                "-Drocport.home=" + System.getProperty("rocport.home", "."),
                "-cp",
                classPath(),
                "dev.rocport.cli.Main",
                "port",
                in.toString(),
                "--out",
                out.toString(),
                "--jobs",
                "2"))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Where the program's classes lie, however this test was started. */
  private static String classPath() {
    return Stream.of(
            ExitCode.class,
            CommandLine.class,
            JsonFactory.class,
            JsonNode.class,
            JsonIgnore.class,
            YAMLFactory.class,
            DiffUtils.class)
        .map(c -> c.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** SIGINT; SIGTERM where the parent of this test ignores the former, which children inherit. */
  private static int interrupt(Process run) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(run.pid())).start().waitFor();
    if (!run.waitFor(300, TimeUnit.MILLISECONDS)) {
      run.destroy();
    }
    return run.waitFor();
  }

  private static long count(Path folder, String ending) throws IOException {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.toString().endsWith(ending)).count();
    }
  }
}
