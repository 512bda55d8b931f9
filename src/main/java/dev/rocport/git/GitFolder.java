package dev.rocport.git;

import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.errors.RevisionSyntaxException;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.revwalk.filter.RevFilter;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The work tree of a git repository. Its objects and its index are read as data: no hook, filter or
 * other command of the repository or of the user's configuration runs. The variables of git, such
 * as {@code GIT_DIR}, are not read.
 */
public final class GitFolder implements AutoCloseable {
  private static final String GIT = ".git";

  /** After a revision: its merge base with HEAD. */
  private static final String MERGE_BASE = "...";

  private final Path root;
  private final Repository repository;

  private GitFolder(Path root, Repository repository) {
    this.root = root;
    this.repository = repository;
  }

  /**
   * Opens the repository whose work tree holds a folder.
   *
   * @throws GitException if there is none, or it cannot be read
   */
  public static GitFolder around(Path folder) throws IOException {
    Path real = folder.toRealPath();
    for (Path at = real; at != null; at = at.getParent()) {
      if (Files.exists(at.resolve(GIT), LinkOption.NOFOLLOW_LINKS)) {
        return open(at);
      }
      if (isBare(at)) {
        throw new GitException(at + " is a bare repository, which has no work tree");
      }
    }
    throw new GitException(real + " is not in a git repository");
  }

  private static boolean isBare(Path folder) {
    return Files.isRegularFile(folder.resolve(Constants.HEAD))
        && Files.isDirectory(folder.resolve("objects"))
        && Files.isDirectory(folder.resolve("refs"));
  }

  /** Returns whether a folder is the top of a work tree. */
  static boolean isTop(Path folder) {
    return Files.exists(folder.resolve(GIT), LinkOption.NOFOLLOW_LINKS);
  }

  /** Opens the repository with this work tree. */
  static GitFolder open(Path root) throws IOException {
    try {
      FileRepositoryBuilder builder =
          new FileRepositoryBuilder()
              .setFS(NoCommands.FILES)
              .setWorkTree(root.toFile())
              .setMustExist(true)
              .setup();
      requireFiles(builder.getGitCommonDir().toPath());
      return new GitFolder(root, builder.build());
    } catch (IOException | IllegalArgumentException e) {
      throw e instanceof GitException told ? told : unreadable(root, e);
    }
  }

  /** Reading a pipe would wait for ever. */
  private static void requireFiles(Path git) throws IOException {
    Path file = git.resolve("config");
    requireFile(file);
    if (!Files.exists(file)) {
      return;
    }
    Config config = new Config();
    try {
      config.fromText(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (ConfigInvalidException e) {
      throw new GitException(file + " is not valid: " + e.getMessage(), e);
    }
    for (String path : config.getStringList("include", null, "path")) {
      if (!path.startsWith("~")) {
        requireFile(git.resolve(path));
      }
    }
  }

  private static void requireFile(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new GitException(file + " is not a file");
    }
  }

  private static GitException unreadable(Path root, Exception e) {
    return new GitException("cannot read the git repository in " + root + ": " + reason(e), e);
  }

  private static String reason(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  /** Returns the top of the work tree, without links. */
  public Path root() {
    return root;
  }

  Repository repository() {
    return repository;
  }

  /**
   * Compares the files of a tree with a commit: what differs in the working tree, staged or not,
   * and files that git does not know and does not ignore.
   *
   * @param rev a revision as git spells it; with {@code ...} after it, its merge base with HEAD
   * @param tree a folder of the work tree, without links
   * @param entries the files of that folder
   * @throws GitException if there is no such commit, or its files are not in this clone
   */
  public ChangedLines since(String rev, Path tree, List<TreeEntry> entries) throws IOException {
    ObjectId commit = commit(rev);
    try {
      return new Comparison(this, commit, prefix(tree)).of(entries);
    } catch (MissingObjectException e) {
      throw new GitException(
          "this clone does not have all files of %s: fetch object %s, or clone without a filter"
              .formatted(rev, e.getObjectId().name()),
          e);
    }
  }

  /** Returns the path of a folder in the work tree with a slash at its end; empty for the top. */
  String prefix(Path folder) {
    return folder.equals(root) ? "" : PathText.of(root.relativize(folder)) + "/";
  }

  /** Returns the commit of a revision; null if HEAD is asked for and there is no commit yet. */
  @Nullable ObjectId commit(String rev) throws IOException {
    boolean base = rev.endsWith(MERGE_BASE);
    String name = base ? rev.substring(0, rev.length() - MERGE_BASE.length()) : rev;
    Ref head = repository.exactRef(Constants.HEAD);
    boolean unborn = head != null && head.getObjectId() == null;
    if (unborn && name.equals(Constants.HEAD)) {
      return null;
    }
    ObjectId found;
    try {
      found = name.isBlank() ? null : repository.resolve(name + "^{commit}");
    } catch (RevisionSyntaxException | IOException e) {
      throw new GitException("'" + name + "' is not a commit of " + root + ": " + reason(e), e);
    }
    if (found == null) {
      throw new GitException(
          "'%s' is not a commit of %s%s".formatted(name, root, isShallow() ? SHALLOW : ""));
    }
    return base ? mergeBase(found, name) : found;
  }

  private static final String SHALLOW =
      "; the clone is shallow: fetch more commits (git fetch --deepen=100)";

  private boolean isShallow() {
    return Files.exists(repository.getCommonDirectory().toPath().resolve("shallow"));
  }

  private ObjectId mergeBase(ObjectId other, String name) throws IOException {
    ObjectId head = repository.resolve(Constants.HEAD);
    if (head == null) {
      return other;
    }
    try (RevWalk walk = new RevWalk(repository)) {
      walk.setRevFilter(RevFilter.MERGE_BASE);
      walk.markStart(walk.parseCommit(head));
      walk.markStart(walk.parseCommit(other));
      RevCommit found = walk.next();
      if (found == null) {
        throw new GitException(
            "'%s' and HEAD have no common commit%s".formatted(name, isShallow() ? SHALLOW : ""));
      }
      return found;
    }
  }

  @Override
  public void close() {
    repository.close();
  }
}
