package dev.rocport.git;

import java.io.File;
import java.io.OutputStream;
import java.nio.file.Path;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.FS_POSIX;
import org.eclipse.jgit.util.ProcessResult;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * A file system for JGit that starts no process: no hook, no filter, and no git program that would
 * be asked where its configuration is.
 */
final class NoCommands extends FS_POSIX {
  /** The file system of every repository. */
  static final FS FILES = install();

  private NoCommands() {}

  /** JGit keeps the settings of the system in one place for the whole program. */
  private static FS install() {
    SystemReader.setInstance(new NoConfig(SystemReader.getInstance()));
    return new NoCommands();
  }

  @Override
  public FS newInstance() {
    return new NoCommands();
  }

  @Override
  protected @Nullable File discoverGitExe() {
    return null;
  }

  @Override
  protected @Nullable File discoverGitSystemConfig() {
    return null;
  }

  @Override
  public @Nullable File findHook(Repository repository, String name) {
    return null;
  }

  @Override
  public ProcessResult runHookIfPresent(
      Repository repository,
      String name,
      String[] args,
      OutputStream out,
      OutputStream err,
      String in) {
    return new ProcessResult(ProcessResult.Status.NOT_PRESENT);
  }

  @Override
  public ProcessBuilder runInShell(String command, String[] args) {
    throw new UnsupportedOperationException("commands of a repository are not run: " + command);
  }

  /** A system without configuration of its users. */
  private static final class NoConfig extends SystemReader.Delegate {
    NoConfig(SystemReader system) {
      super(system);
    }

    @Override
    public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
      return new Empty(parent, fs);
    }

    @Override
    public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
      return new Empty(parent, fs);
    }

    @Override
    public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
      return new Empty(parent, fs);
    }

    @Override
    public Path getXdgConfigDirectory(FS fs) {
      return Path.of("/nonexistent");
    }
  }

  private static final class Empty extends FileBasedConfig {
    Empty(@Nullable Config parent, FS fs) {
      super(parent, null, fs);
    }

    @Override
    public void load() {
      // There is no file.
    }

    @Override
    public void save() {
      // There is no file.
    }

    @Override
    public boolean isOutdated() {
      return false;
    }

    /** Without an answer, JGit would measure the clock of the file system in the repository. */
    @Override
    public @Nullable String getString(String section, @Nullable String part, String name) {
      boolean isClock = section.equals("filesystem");
      return isClock ? "10 milliseconds" : super.getString(section, part, name);
    }
  }
}
