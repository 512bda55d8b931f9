package dev.rocport.git;

import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A repository of the git program, without the configuration of the user. */
public final class GitRepo {
  private final Path folder;

  private GitRepo(Path folder) {
    this.folder = folder;
  }

  /** Makes a repository with an author and the branch {@code main}. */
  public static GitRepo create(Path folder) throws Exception {
    GitRepo repo = new GitRepo(Files.createDirectories(folder).toRealPath());
    repo.git("init", "-q", "-b", "main");
    repo.git("config", "user.name", "A. Author");
    repo.git("config", "user.email", "author@example.com");
    return repo;
  }

  /** Returns the repository in a folder. */
  public static GitRepo in(Path folder) throws IOException {
    return new GitRepo(folder.toRealPath());
  }

  public Path folder() {
    return folder;
  }

  /** Runs git, which must succeed, and returns its output without the last line end. */
  public String git(String... args) throws Exception {
    Exec.Outcome outcome = attempt(args);
    if (!outcome.ok()) {
      throw new AssertionError("git " + List.of(args) + ": " + outcome.stderr());
    }
    return outcome.stdout().stripTrailing();
  }

  /** Runs git. */
  public Exec.Outcome attempt(String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-c", "protocol.file.allow=always"));
    command.addAll(List.of(args));
    return Exec.run(
        command,
        folder,
        Map.of("GIT_CONFIG_GLOBAL", "/dev/null", "GIT_CONFIG_NOSYSTEM", "1"),
        Duration.ofMinutes(1));
  }

  public void write(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  public String read(String path) throws IOException {
    return Files.readString(folder.resolve(path));
  }

  /** Commits everything, and returns the id of the commit. */
  public String commit(String message) throws Exception {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  }
}
