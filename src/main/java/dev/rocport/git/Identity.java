package dev.rocport.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.jspecify.annotations.Nullable;

/**
 * The author and the committer as git finds them: variables, then the configuration of the
 * repository, of the user and of the system. Only the two entries of the user are read.
 */
final class Identity {
  private static final long LARGEST = 1 << 20;

  private Identity() {}

  /**
   * Returns the author and the committer.
   *
   * @throws GitException if there is no name or no address
   */
  static List<PersonIdent> of(Repository repository) throws IOException {
    List<Config> configs = new ArrayList<>();
    configs.add(repository.getConfig());
    for (Path file : files()) {
      if (Files.isRegularFile(file) && Files.size(file) <= LARGEST) {
        Config config = new Config();
        try {
          config.fromText(Files.readString(file));
        } catch (ConfigInvalidException | IOException e) {
          throw new GitException(file + " is not valid: " + e.getMessage(), e);
        }
        configs.add(config);
      }
    }
    return List.of(person("AUTHOR", configs), person("COMMITTER", configs));
  }

  /** Returns the files of the user and of the system, in order of precedence. */
  private static List<Path> files() {
    List<Path> files = new ArrayList<>();
    String global = System.getenv("GIT_CONFIG_GLOBAL");
    String home = System.getProperty("user.home");
    if (global != null) {
      files.add(Path.of(global));
    } else if (home != null) {
      files.add(Path.of(home, ".gitconfig"));
      String xdg = System.getenv("XDG_CONFIG_HOME");
      Path folder = xdg == null || xdg.isEmpty() ? Path.of(home, ".config") : Path.of(xdg);
      files.add(folder.resolve("git").resolve("config"));
    }
    if (System.getenv("GIT_CONFIG_NOSYSTEM") == null) {
      files.add(Path.of("/etc/gitconfig"));
    }
    return files;
  }

  private static PersonIdent person(String role, List<Config> configs) throws GitException {
    String name = value("GIT_" + role + "_NAME", "name", configs);
    String email = value("GIT_" + role + "_EMAIL", "email", configs);
    if (name == null || email == null) {
      throw new GitException(
          "commits need an author: set it with git config user.name NAME and git config user.email"
              + " ADDRESS");
    }
    return new PersonIdent(name, email, Instant.now(), ZoneId.systemDefault());
  }

  private static @Nullable String value(String variable, String key, List<Config> configs) {
    String set = System.getenv(variable);
    if (set != null && !set.isBlank()) {
      return set;
    }
    for (Config config : configs) {
      String value = config.getString("user", null, key);
      if (value != null && !value.isBlank()) {
        return value;
      }
    }
    return null;
  }
}
