package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GitCloneTest {
  /** Git itself tells which URL it would use. */
  @Test
  void gitGetsTheCredentials() throws Exception {
    Source source =
        SourceList.of(List.of("https://me:s3cret@example.org/app.git"), Path.of("/")).getFirst();
    ProcessBuilder git = new ProcessBuilder("git", "ls-remote", "--get-url", source.location());
    git.environment().putAll(GitClone.variables(source));
    Process p = git.start();
    String url = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(url).isEqualTo("https://me:s3cret@example.org/app.git");
  }
}
