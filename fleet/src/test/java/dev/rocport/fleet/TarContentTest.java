package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TarContentTest {
  private static final long LIMIT = 1 << 20;

  @TempDir Path folder;
  private Path content = Path.of("");

  @BeforeEach
  void content() throws Exception {
    content = Files.createDirectory(folder.resolve("content"));
  }

  @Test
  void theOnlyFolderIsTheRoot() throws Exception {
    Path app = Repositories.folder(folder.resolve("app"), 1, 0);
    Path tar = Repositories.archive(folder.resolve("a.tgz"), t -> Repositories.folder(t, app));
    Path root = TarContent.unpack(tar, content, LIMIT);
    assertThat(root).isEqualTo(content.resolve("app"));
    assertThat(root.resolve("src/k0.cu")).hasSameTextualContentAs(app.resolve("src/k0.cu"));
  }

  @Test
  void pathsThatLeadOutAreRefused() throws Exception {
    for (String name : new String[] {"../out.cu", "a/../../out.cu", "/tmp/out.cu"}) {
      Path tar =
          Repositories.archive(folder.resolve("a.tar"), t -> Repositories.file(t, name, "x"));
      assertThatThrownBy(() -> TarContent.unpack(tar, content, LIMIT))
          .isInstanceOfSatisfying(
              Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.LEADS_OUT));
    }
    assertThat(folder.resolve("out.cu")).doesNotExist();
  }

  /** The link is made, as in a checkout, and nothing is written through it. */
  @Test
  void linksThatLeadOutAreNotFollowed() throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Path tar =
        Repositories.archive(
            folder.resolve("a.tar"),
            t -> {
              Repositories.link(t, "app/link", outside.toString());
              Repositories.file(t, "app/link/x.cu", "x");
            });
    TarContent.unpack(tar, content, LIMIT);
    assertThat(outside).isEmptyDirectory();
    assertThat(content.resolve("app/link/x.cu")).exists();
  }

  @Test
  void bombsAreRefused() throws Exception {
    Path tar =
        Repositories.archive(
            folder.resolve("a.tar.gz"),
            t -> Repositories.file(t, "zeros.cu", "\0".repeat(4 << 20)));
    assertThat(Files.size(tar)).isLessThan(100_000);
    assertThatThrownBy(() -> TarContent.unpack(tar, content, LIMIT))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.TOO_LARGE))
        .hasMessageContaining("--size-limit");
    assertThat(Files.size(content.resolve("zeros.cu"))).isLessThanOrEqualTo(LIMIT);
  }

  @Test
  void damagedArchivesAreRefused() throws Exception {
    Path good =
        Repositories.archive(
            folder.resolve("a.tar.gz"), t -> Repositories.file(t, "a.cu", "int i;".repeat(999)));
    byte[] bytes = Files.readAllBytes(good);
    Path cut = Files.write(folder.resolve("cut.tar.gz"), Arrays.copyOf(bytes, 60));
    Path text = Files.writeString(folder.resolve("text.tar.gz"), "no archive");
    Path plain = Files.writeString(folder.resolve("text.tar"), "no archive".repeat(100));
    Path empty = Files.write(folder.resolve("empty.tar"), new byte[0]);
    for (Path damaged : new Path[] {cut, text, plain, empty}) {
      assertThatThrownBy(() -> TarContent.unpack(damaged, content, LIMIT))
          .as(damaged.toString())
          .isInstanceOfSatisfying(
              Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.BROKEN_ARCHIVE));
    }
  }
}
