package dev.rocport.io;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where a user's caches and data are: below {@code XDG_CACHE_HOME} and {@code XDG_DATA_HOME}, else
 * in {@code HOME}, else in the home folder of the user's account. A variable counts only if it is
 * an absolute path.
 */
public final class UserFolders {
  private UserFolders() {}

  /** Returns rocport's folder for what can be made again. */
  public static Path cache(Map<String, String> environment) {
    return below("XDG_CACHE_HOME", ".cache", environment);
  }

  /** Returns rocport's folder for what was installed. */
  public static Path data(Map<String, String> environment) {
    return below("XDG_DATA_HOME", ".local/share", environment);
  }

  private static Path below(String variable, String inHome, Map<String, String> environment) {
    String xdg = environment.getOrDefault(variable, "");
    String home = environment.getOrDefault("HOME", "");
    // Java takes user.home from the account and ignores HOME.
    Path base =
        xdg.startsWith("/")
            ? Path.of(xdg)
            : Path.of(home.startsWith("/") ? home : System.getProperty("user.home"), inHome);
    return base.resolve("rocport");
  }
}
