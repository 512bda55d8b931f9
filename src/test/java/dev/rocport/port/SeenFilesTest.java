package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.TreeWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeenFilesTest {
  private static final String STATE = "tree-key";

  @TempDir private Path folder;
  private Path original;
  private Path output;

  @BeforeEach
  void files() throws IOException {
    original = Files.writeString(folder.resolve("a.cu"), "cudaFree(p);");
    output = Files.writeString(folder.resolve("out.cu"), "hipFree(p);");
  }

  private SeenFiles load(String state) {
    return SeenFiles.load(folder, state, Instant.now().plus(Duration.ofMinutes(1)));
  }

  private void note() throws IOException {
    SeenFiles seen = load("");
    seen.note("a.cu", original, output);
    seen.words("signs\n1 1 a.cu:1");
    seen.save(new TreeWriter(folder), STATE);
  }

  @Test
  void filesThatNobodyHasWrittenAreTheSame() throws IOException {
    note();
    SeenFiles seen = load(STATE);
    assertThat(seen.isSame("a.cu", original, output)).isTrue();
    assertThat(seen.isSame("b.cu", original, output)).isFalse();
    assertThat(seen.words()).contains("signs\n1 1 a.cu:1");
  }

  @Test
  void contentOfTheSameSizeAndTimeIsNoticed() throws IOException {
    note();
    FileTime before = Files.getLastModifiedTime(original);
    do {
      // Until the clock of the file system has moved on.
      Files.writeString(original, "cudaFree(q);");
      Files.setLastModifiedTime(original, before);
    } while (load(STATE).isSame("a.cu", original, output));
    assertThat(Files.getLastModifiedTime(original)).isEqualTo(before);
    assertThat(Files.size(original)).isEqualTo(12);
  }

  @Test
  void outputsThatAreReplacedAreNoticed() throws IOException {
    note();
    Path other = Files.writeString(folder.resolve("other.cu"), "hipFree(q);");
    Files.move(other, output, StandardCopyOption.REPLACE_EXISTING);
    assertThat(load(STATE).isSame("a.cu", original, output)).isFalse();
  }

  @Test
  void originalsThatMayChangeWhileTheyAreReadGetNoStamp() throws IOException {
    SeenFiles seen = SeenFiles.load(folder, "", Instant.now());
    seen.note("a.cu", original, output);
    seen.save(new TreeWriter(folder), STATE);
    assertThat(load(STATE).isSame("a.cu", original, output)).isFalse();
  }

  @Test
  void filesThatWereSearchedAreKnownWhileTheyAreTheSame() throws IOException {
    SeenFiles first = load("");
    first.note("a.cu", original, output);
    first.searched("a.cu");
    first.searched("b.cu"); // without a stamp
    first.save(new TreeWriter(folder), STATE);
    SeenFiles seen = load(STATE);
    assertThat(seen.isSearched("a.cu")).isFalse();
    assertThat(seen.isSame("a.cu", original, output)).isTrue();
    assertThat(seen.isSearched("a.cu")).isTrue();
    assertThat(seen.isSearched("b.cu")).isFalse();
    seen.note("a.cu", original, output);
    assertThat(seen.isSearched("a.cu")).isFalse();
  }

  @Test
  void stampsOfAnotherPortAndDamagedOnesDoNotCount() throws IOException {
    note();
    assertThat(load("another").isSame("a.cu", original, output)).isFalse();
    assertThat(load("another").words()).isEmpty();
    Path file = folder.resolve("seen.tsv");
    String text = Files.readString(file);
    Files.writeString(file, text.substring(0, text.length() - 1));
    assertThat(load(STATE).isSame("a.cu", original, output)).isFalse();
    Files.write(file, new byte[] {(byte) 0xff, '\n', '\n', '\n'});
    assertThat(load(STATE).isSame("a.cu", original, output)).isFalse();
  }
}
