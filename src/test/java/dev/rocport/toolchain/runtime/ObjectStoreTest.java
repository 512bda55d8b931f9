package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An object is made again when, and only when, something that goes into it changed. */
final class ObjectStoreTest {
  @TempDir Path folder;
  private final List<Path> made = new ArrayList<>();
  private Path source;
  private Path generated;

  @BeforeEach
  void sources() throws IOException {
    Path sources = Files.createDirectories(folder.resolve("src/sub"));
    generated = Files.createDirectories(folder.resolve("generated"));
    source = Files.writeString(sources.resolve("a.cpp"), "#include \"../b.h\"\nint a;\n");
    Files.writeString(folder.resolve("src/b.h"), "#include <c>\n # include \"names.h\"\n");
    Files.writeString(generated.resolve("names.h"), "#include \"../src/b.h\"\n");
    Files.writeString(folder.resolve("src/other.h"), "");
  }

  @Test
  void changesOfWhatIsIncludedCount() throws Exception {
    Path first = object("clang");
    assertThat(object("clang")).isEqualTo(first);
    Files.writeString(folder.resolve("src/other.h"), "int nobody;\n");
    assertThat(object("clang")).isEqualTo(first);
    assertThat(made).hasSize(1);

    assertThat(object("another clang")).isNotEqualTo(first);
    Files.writeString(folder.resolve("src/b.h"), "#include \"names.h\"\n");
    Path second = object("clang");
    assertThat(second).isNotEqualTo(first);
    Files.writeString(generated.resolve("names.h"), "int names;\n");
    assertThat(object("clang")).isNotIn(first, second);
    assertThat(made).hasSize(4);
  }

  @Test
  void failedCompilesLeaveNothing() {
    ObjectStore store = new ObjectStore(folder.resolve("store"), "clang");
    assertThatThrownBy(
            () ->
                store.object(
                    source,
                    generated,
                    o -> {
                      Files.writeString(o, "half");
                      throw new ToolchainException("no");
                    }))
        .isInstanceOf(ToolchainException.class);
    assertThat(folder.resolve("store")).isEmptyDirectory();
  }

  @Test
  void oldOnesGo() throws Exception {
    Path object = object("clang");
    ObjectStore store = new ObjectStore(folder.resolve("store"), "clang");
    store.forgetBefore(Instant.now().minusSeconds(60));
    assertThat(object).exists();
    store.forgetBefore(Instant.now().plusSeconds(60));
    assertThat(object).doesNotExist();
  }

  private Path object(String compiler) throws IOException, ToolchainException {
    return new ObjectStore(folder.resolve("store"), compiler)
        .object(
            source,
            generated,
            o -> {
              made.add(o);
              Files.writeString(o, "object");
            });
  }
}
