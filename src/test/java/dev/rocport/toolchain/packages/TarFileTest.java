package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.toolchain.ToolRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads archives that the machine's tar wrote. */
@Tag("slow")
class TarFileTest {
  private static final String LONG = "a-folder-with-a-long-name/".repeat(8) + "file.txt";

  @TempDir private Path folder;
  private Path from;
  private Path into;

  @BeforeEach
  void make() throws IOException {
    from = Files.createDirectories(folder.resolve("from"));
    into = Files.createDirectories(folder.resolve("into"));
  }

  private void unpack(byte[] tar) throws IOException {
    TarFile.unpack(new ByteArrayInputStream(tar), into);
  }

  private void write(String name, String text) throws IOException {
    Path file = from.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private byte[] packed(String... options) throws IOException {
    Path archive = folder.resolve("a.tar");
    List<String> command = new ArrayList<>(List.of("tar"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cf", archive.toString(), "-C", from.toString(), "."));
    ToolRun run = ToolRun.of(command, folder, Map.of(), Duration.ofMinutes(1));
    assertThat(run.ok()).as(run.output()).isTrue();
    return Files.readAllBytes(archive);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gnu", "posix"})
  void unpacksFilesLinksModesAndLongNames(String format) throws Exception {
    write(LONG, "long");
    write("bin/run", "#!/bin/sh\n");
    assertThat(from.resolve("bin/run").toFile().setExecutable(true)).isTrue();
    Files.createLink(from.resolve("bin/same"), from.resolve("bin/run"));
    Files.createSymbolicLink(from.resolve("bin/link"), Path.of("run"));
    Files.createSymbolicLink(from.resolve("far"), Path.of(LONG));
    unpack(packed("--format=" + format));
    assertThat(into.resolve(LONG)).hasContent("long");
    assertThat(into.resolve("bin/same")).hasContent("#!/bin/sh\n").isExecutable();
    assertThat(Files.readSymbolicLink(into.resolve("bin/link"))).isEqualTo(Path.of("run"));
    assertThat(into.resolve("far")).hasContent("long");
    assertThat(Files.getLastModifiedTime(into.resolve("bin/run")).toInstant().getEpochSecond())
        .isEqualTo(Files.getLastModifiedTime(from.resolve("bin/run")).toInstant().getEpochSecond());
  }

  @Test
  void anAbsoluteLinkStaysInTheFolder() throws Exception {
    write("lib/ld.so", "theirs");
    Files.createDirectories(from.resolve("lib64"));
    Files.createSymbolicLink(from.resolve("lib64/ld.so"), Path.of("/lib/ld.so"));
    unpack(packed());
    assertThat(into.resolve("lib64/ld.so")).hasContent("theirs");
  }

  @Test
  void refusesToWriteOutsideTheFolder() throws Exception {
    write("x", "out");
    byte[] up = packed("--transform=s,^.*x$,../up/x,", "-P");
    assertThatThrownBy(() -> unpack(up)).isInstanceOf(IOException.class).hasMessageContaining("x");
    assertThat(folder.resolve("up")).doesNotExist();
  }

  @Test
  void refusesToWriteThroughALinkOutOfTheFolder() throws Exception {
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    Files.createSymbolicLink(into.resolve("lib"), elsewhere);
    write("lib/x", "out");
    byte[] tar = packed();
    assertThatThrownBy(() -> unpack(tar)).hasMessageContaining("through a link");
    assertThat(elsewhere.resolve("x")).doesNotExist();
  }

  @Test
  void replacesALinkWithoutWritingThroughIt() throws Exception {
    Path other = Files.writeString(folder.resolve("other"), "keep");
    Files.createSymbolicLink(into.resolve("x"), other);
    write("x", "new");
    unpack(packed());
    assertThat(other).hasContent("keep");
    assertThat(Files.isRegularFile(into.resolve("x"), LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  @Test
  void refusesWhatIsCutOrDamaged() throws Exception {
    write("x", "0123456789");
    byte[] tar = packed();
    assertThatThrownBy(() -> unpack(Arrays.copyOf(tar, 700))).isInstanceOf(IOException.class);
    tar[3] ^= 1;
    assertThatThrownBy(() -> unpack(tar)).hasMessageContaining("checksum");
  }
}
