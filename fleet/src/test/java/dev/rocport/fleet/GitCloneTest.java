package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GitCloneTest {
  /** Git itself tells which URL it would use. */
  @Test
  void gitGetsTheCredentials() throws Exception {
    for (String password : List.of("s3cret", "s3$1cret", "s3\\cret")) {
      String url = "https://me:" + password + "@example.org/app.git";
      assertThat(urlOfGit(url)).isEqualTo(url);
    }
  }

  private static String urlOfGit(String text) throws Exception {
    Source source = SourceList.of(List.of(text), Path.of("/"), Map.of()).getFirst();
    ProcessBuilder git = new ProcessBuilder("git", "ls-remote", "--get-url", source.location());
    git.environment().putAll(GitClone.variables(source));
    Process p = git.start();
    return new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
