package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.toolchain.ToolRun;
import io.airlift.compress.v3.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

@Tag("slow")
class DebFileTest {
  @TempDir private Path folder;

  private byte[] data() throws IOException {
    Path from = Files.createDirectories(folder.resolve("from/usr/lib"));
    Files.writeString(from.resolve("a"), "content\n".repeat(10_000));
    Path tar = folder.resolve("data.tar");
    ToolRun run =
        ToolRun.of(
            List.of("tar", "-cf", tar.toString(), "-C", folder.resolve("from").toString(), "."),
            folder,
            Map.of(),
            Duration.ofMinutes(1));
    assertThat(run.ok()).as(run.output()).isTrue();
    return Files.readAllBytes(tar);
  }

  private static byte[] compressed(String ending, byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (ending) {
          case ".gz" -> new GZIPOutputStream(bytes);
          case ".xz" -> new XZOutputStream(bytes, new LZMA2Options(1));
          case ".zst" -> new ZstdOutputStream(bytes);
          default -> bytes;
        }) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private static void member(OutputStream out, String name, byte[] content) throws IOException {
    out.write(
        "%-16s%-12d%-6d%-6d%-8s%-10d`\n"
            .formatted(name, 0, 0, 0, "100644", content.length)
            .getBytes(StandardCharsets.ISO_8859_1));
    out.write(content);
    if (content.length % 2 == 1) {
      out.write('\n');
    }
  }

  private Path deb(String ending) throws IOException {
    Path deb = folder.resolve("a.deb");
    try (OutputStream out = Files.newOutputStream(deb)) {
      out.write("!<arch>\n".getBytes(StandardCharsets.US_ASCII));
      member(out, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII));
      member(out, "control.tar.gz", new byte[] {1, 2, 3});
      member(out, "data.tar" + ending, compressed(ending, data()));
    }
    return deb;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".gz", ".xz", ".zst"})
  void unpacksTheFilesWhateverTheCompression(String ending) throws Exception {
    Path into = Files.createDirectories(folder.resolve("into"));
    DebFile.unpack(deb(ending), into);
    assertThat(into.resolve("usr/lib/a")).hasContent("content\n".repeat(10_000));
  }

  @Test
  void refusesWhatIsNoPackageOrUnknownOrCut() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "no package at all");
    assertThatThrownBy(() -> DebFile.unpack(text, folder)).hasMessageContaining("not a Debian");
    Path unknown = deb(".lzma");
    assertThatThrownBy(() -> DebFile.unpack(unknown, folder)).hasMessageContaining(".lzma");
    Path cut = deb(".xz");
    byte[] bytes = Files.readAllBytes(cut);
    Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length - 200));
    assertThatThrownBy(() -> DebFile.unpack(cut, folder)).isInstanceOf(IOException.class);
  }
}
