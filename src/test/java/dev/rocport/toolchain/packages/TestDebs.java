package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.ToolRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Package files of the tests' own. */
public final class TestDebs {
  private TestDebs() {}

  /** Packs a folder as the package file {@code folder/NAME_1.0_amd64.deb}. */
  public static Path pack(Path content, String name, Path folder) throws IOException {
    Path tar = Files.createTempFile(name, ".tar");
    ToolRun run =
        ToolRun.of(
            List.of("tar", "-cf", tar.toString(), "-C", content.toString(), "."),
            folder,
            Map.of(),
            Duration.ofMinutes(1));
    assertThat(run.ok()).as(run.output()).isTrue();
    byte[] data = Files.readAllBytes(tar);
    Files.delete(tar);
    Path deb = folder.resolve(name + "_1.0_amd64.deb");
    try (OutputStream out = Files.newOutputStream(deb)) {
      out.write("!<arch>\n".getBytes(StandardCharsets.US_ASCII));
      out.write(
          "%-16s%-12d%-6d%-6d%-8s%-10d`\n"
              .formatted("data.tar", 0, 0, 0, "100644", data.length)
              .getBytes(StandardCharsets.US_ASCII));
      out.write(data);
    }
    return deb;
  }
}
