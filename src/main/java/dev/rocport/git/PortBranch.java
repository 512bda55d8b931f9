package dev.rocport.git;

import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.merge.MergeStrategy;
import org.eclipse.jgit.merge.ResolveMerger;
import org.eclipse.jgit.revwalk.FooterKey;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevSort;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.jspecify.annotations.Nullable;

/**
 * A branch with ports of HEAD: for each port a series of commits on the commit that was ported, and
 * a merge of this series with what the branch had before. Commits are written as objects; work
 * tree, index and HEAD stay as they are, and the branch moves once, at the end.
 */
public final class PortBranch {
  /** In the last commit of a series, and in its merge: the commit that was ported. */
  private static final FooterKey PORT_OF = new FooterKey("Rocport-Port-Of");

  /** The folder that was ported. */
  private static final FooterKey FOLDER = new FooterKey("Rocport-Folder");

  /** The tree of the port. The commit has another one if it is a merge, or a person changed it. */
  private static final FooterKey TREE = new FooterKey("Rocport-Tree");

  private static final String BRANCHES = Constants.R_HEADS;
  private static final int SHOWN = 10;

  private final GitFolder git;
  private final Repository repository;
  private final String name;
  private final String prefix;
  private final PersonIdent author;
  private final PersonIdent committer;
  private final ObjectId head;
  private final @Nullable ObjectId tip;
  private final @Nullable RevCommit before;

  /** A commit that was written, for people. */
  public record Written(String id, String title, int files) {}

  /**
   * What a step of the port changes.
   *
   * @param message of the commit, with its title in the first line
   */
  public record Part(String message, List<FileChange> changes) {
    public Part {
      changes = List.copyOf(changes);
    }
  }

  private PortBranch(
      GitFolder git,
      String name,
      String prefix,
      List<PersonIdent> people,
      ObjectId head,
      @Nullable ObjectId tip,
      @Nullable RevCommit before) {
    this.git = git;
    this.repository = git.repository();
    this.name = name;
    this.prefix = prefix;
    this.author = people.getFirst();
    this.committer = people.getLast();
    this.head = head;
    this.tip = tip;
    this.before = before;
  }

  /**
   * Prepares a port.
   *
   * @param name of the branch
   * @param tree the folder that is ported, without links
   * @throws GitException if the repository or the branch cannot take a port now
   */
  public static PortBranch of(GitFolder git, String name, Path tree) throws IOException {
    Repository repository = git.repository();
    if (!Repository.isValidRefName(BRANCHES + name) || name.startsWith("-")) {
      throw new GitException("'" + name + "' cannot be the name of a branch");
    }
    requireNoOperation(git);
    ObjectId head = git.commit(Constants.HEAD);
    if (head == null) {
      throw new GitException(git.root() + " has no commit yet: commit the sources first");
    }
    requireNotCheckedOut(git, name);
    List<PersonIdent> people = Identity.of(repository);
    String prefix = git.prefix(tree);
    Ref ref = repository.exactRef(BRANCHES + name);
    if (ref == null) {
      return new PortBranch(git, name, prefix, people, head, null, null);
    }
    ObjectId tip = ref.getObjectId();
    if (ref.isSymbolic() || tip == null) {
      throw new GitException(name + " stands for another branch: choose another name");
    }
    return new PortBranch(git, name, prefix, people, head, tip, last(git, name, prefix, tip, head));
  }

  private static void requireNoOperation(GitFolder git) throws GitException {
    String doing =
        switch (git.repository().getRepositoryState()) {
          case MERGING, MERGING_RESOLVED -> "a merge";
          case REBASING, REBASING_MERGE, REBASING_INTERACTIVE, REBASING_REBASING -> "a rebase";
          case CHERRY_PICKING, CHERRY_PICKING_RESOLVED -> "a cherry-pick";
          case REVERTING, REVERTING_RESOLVED -> "a revert";
          case APPLY -> "an application of patches";
          default -> "";
        };
    if (!doing.isEmpty()) {
      throw new GitException(
          git.root() + " is in the middle of " + doing + ": finish or abort it first");
    }
  }

  private static void requireNotCheckedOut(GitFolder git, String name) throws IOException {
    Path common = git.repository().getCommonDirectory().toPath();
    List<Path> heads = new ArrayList<>(List.of(common.resolve(Constants.HEAD)));
    Path others = common.resolve("worktrees");
    if (Files.isDirectory(others)) {
      try (var folders = Files.list(others)) {
        folders.forEach(f -> heads.add(f.resolve(Constants.HEAD)));
      }
    }
    boolean isTable =
        "reftable".equals(git.repository().getConfig().getString("extensions", null, "refStorage"));
    if (isTable && heads.size() > 1) {
      throw new GitException(
          git.root()
              + " has linked work trees and keeps its branches in reftable, so it is not known"
              + " which branches are checked out: remove the linked work trees");
    }
    boolean isOut = (BRANCHES + name).equals(git.repository().getFullBranch());
    for (Path file : heads) {
      isOut |=
          Files.isRegularFile(file)
              && Files.readString(file).strip().equals("ref: " + BRANCHES + name);
    }
    if (isOut) {
      throw new GitException(
          "branch "
              + name
              + " is checked out, and its files would not follow it: switch to the branch that"
              + " it ports");
    }
  }

  /** Returns the newest commit of a branch that records a port. */
  private static RevCommit last(
      GitFolder git, String name, String prefix, ObjectId tip, ObjectId head) throws IOException {
    try (RevWalk walk = new RevWalk(git.repository())) {
      walk.sort(RevSort.TOPO);
      walk.sort(RevSort.COMMIT_TIME_DESC, true);
      walk.markStart(walk.parseCommit(tip));
      for (RevCommit commit : walk) {
        List<String> of = commit.getFooterLines(PORT_OF);
        if (of.isEmpty() || !ObjectId.isId(of.getLast())) {
          continue;
        }
        List<String> files = commit.getFooterLines(TREE);
        if (files.isEmpty() || !ObjectId.isId(files.getLast())) {
          throw new GitException(
              "commit %s of branch %s does not name the tree of its port: choose another name"
                  .formatted(commit.abbreviate(8).name(), name));
        }
        if (!commit.getFooterLines(FOLDER).equals(List.of("/" + prefix))) {
          throw new GitException("branch " + name + " has a port of another folder");
        }
        requireNewer(git, name, ObjectId.fromString(of.getLast()), head);
        return commit;
      }
    }
    throw new GitException(
        "branch " + name + " exists and was not made by port --branch: choose another name");
  }

  private static void requireNewer(GitFolder git, String name, ObjectId ported, ObjectId head)
      throws IOException {
    try (RevWalk walk = new RevWalk(git.repository())) {
      if (!walk.isMergedInto(walk.parseCommit(ported), walk.parseCommit(head))) {
        throw new GitException(
            "HEAD does not contain commit %s, which branch %s is a port of: check out the branch"
                    .formatted(ported.abbreviate(8).name(), name)
                + " that it follows, or choose another name");
      }
    }
  }

  /** Returns whether the branch has a port already. */
  public boolean exists() {
    return tip != null;
  }

  /** Returns the commit that is ported, for people. */
  public String commit() {
    return head.abbreviate(8).name();
  }

  /**
   * Writes the committed files of the ported folder below another one, without submodules.
   *
   * @throws GitException if HEAD does not have the folder
   */
  public void export(Path folder) throws IOException {
    TreeWriter writer = new TreeWriter(folder);
    boolean any = false;
    try (ObjectReader reader = repository.newObjectReader();
        RevWalk commits = new RevWalk(reader);
        TreeWalk walk = new TreeWalk(reader)) {
      walk.addTree(commits.parseCommit(head).getTree());
      walk.setRecursive(true);
      while (walk.next()) {
        String path = PathText.of(walk.getRawPath());
        FileMode mode = walk.getFileMode(0);
        if (!path.startsWith(prefix) || mode == FileMode.GITLINK) {
          continue;
        }
        any = true;
        write(writer, path.substring(prefix.length()), mode, reader.open(walk.getObjectId(0)));
      }
    }
    if (!any) {
      throw new GitException("HEAD has no file in " + (prefix.isEmpty() ? "its tree" : prefix));
    }
  }

  private static void write(TreeWriter writer, String path, FileMode mode, ObjectLoader content)
      throws IOException {
    Path target = PathText.resolve(writer.root(), path);
    for (Path part : Path.of(path)) {
      if (Set.of(".", "..", Constants.DOT_GIT).contains(part.toString())) {
        throw new GitException("HEAD has a file with the name " + path);
      }
    }
    if (mode == FileMode.SYMLINK) {
      String link = new String(content.getBytes(), StandardCharsets.UTF_8);
      writer.link(target, Path.of(link));
      return;
    }
    writer.write(target, content::copyTo);
    if (mode == FileMode.EXECUTABLE_FILE && !target.toFile().setExecutable(true)) {
      throw new IOException(path + " cannot be made executable");
    }
  }

  /**
   * Writes the commits of a port and moves the branch.
   *
   * @param parts in order; those without an effect get no commit
   * @param merge the message of the merge, if the branch exists
   * @return the commits that were added; none if the branch has this port already
   * @throws GitException if the port conflicts with what people have changed in the branch; the
   *     branch then stays as it is
   */
  public List<Written> commit(List<Part> parts, String merge) throws IOException {
    List<Written> written = new ArrayList<>();
    try (ObjectInserter inserter = repository.newObjectInserter();
        ObjectReader reader = repository.newObjectReader();
        RevWalk walk = new RevWalk(reader)) {
      RevCommit upstream = walk.parseCommit(head);
      List<Part> real = new ArrayList<>();
      List<ObjectId> trees = new ArrayList<>();
      ObjectId tree = upstream.getTree();
      DirCache original = DirCache.read(reader, tree);
      DirCache files = original;
      for (Part part : parts) {
        files = changed(files, original, part.changes(), inserter);
        ObjectId next = files.writeTree(inserter);
        if (!next.equals(tree)) {
          real.add(part);
          trees.add(next);
          tree = next;
        }
      }
      if (real.isEmpty() && tip == null) {
        return written;
      }
      if (before != null && isSame(before, tree)) {
        return written;
      }
      ObjectId last = head;
      for (int i = 0; i < real.size(); i++) {
        boolean isLast = i == real.size() - 1;
        String message = real.get(i).message() + (isLast ? footer(tree) : "");
        last = insert(inserter, trees.get(i), List.of(last), message);
        written.add(written(last, message, real.get(i).changes().size()));
      }
      if (tip != null && before != null) {
        inserter.flush();
        ObjectId merged = merge(ported(before, walk), tip, last, walk);
        last = insert(inserter, merged, List.of(tip, last), merge + footer(tree));
        written.add(written(last, merge, 0));
      }
      inserter.flush();
      move(last);
    }
    return written;
  }

  /** Returns whether the last port was one of the same commit with the same result. */
  private boolean isSame(RevCommit port, ObjectId tree) {
    return port.getFooterLines(TREE).getLast().equals(tree.name())
        && port.getFooterLines(PORT_OF).getLast().equals(head.name());
  }

  /** Returns the tree of a port, which a person may have changed in its commit. */
  private ObjectId ported(RevCommit port, RevWalk walk) throws IOException {
    ObjectId tree = ObjectId.fromString(port.getFooterLines(TREE).getLast());
    try {
      return walk.parseTree(tree);
    } catch (MissingObjectException | IncorrectObjectTypeException e) {
      throw new GitException(
          "commit %s of branch %s was changed, and the port without the changes is not in this"
                  .formatted(port.abbreviate(8).name(), name)
              + " repository: port to another branch and merge it",
          e);
    }
  }

  private String footer(ObjectId tree) {
    return "\n%s: %s\n%s: /%s\n%s: %s\n"
        .formatted(
            PORT_OF.getName(), head.name(), FOLDER.getName(), prefix, TREE.getName(), tree.name());
  }

  private static Written written(ObjectId id, String message, int files) {
    return new Written(id.abbreviate(8).name(), message.lines().findFirst().orElse(""), files);
  }

  private ObjectId insert(
      ObjectInserter inserter, ObjectId tree, List<ObjectId> parents, String message)
      throws IOException {
    CommitBuilder commit = new CommitBuilder();
    commit.setTreeId(tree);
    commit.setParentIds(parents);
    commit.setAuthor(author);
    commit.setCommitter(committer);
    commit.setMessage(message);
    return inserter.insert(commit);
  }

  /** Returns the files with some changes; new contents go into the repository. */
  private DirCache changed(
      DirCache files, DirCache original, List<FileChange> changes, ObjectInserter inserter)
      throws IOException {
    Set<String> replaced = new TreeSet<>();
    changes.forEach(c -> replaced.add(prefix + c.path()));
    DirCache next = DirCache.newInCore();
    DirCacheBuilder builder = next.builder();
    for (int i = 0; i < files.getEntryCount(); i++) {
      DirCacheEntry e = files.getEntry(i);
      if (!replaced.contains(PathText.of(e.getRawPath()))) {
        builder.add(e);
      }
    }
    for (FileChange c : changes) {
      if (c.content() != null) {
        DirCacheEntry e = new DirCacheEntry(PathText.bytes(prefix + c.path()));
        e.setFileMode(mode(original, c));
        e.setObjectId(inserter.insert(Constants.OBJ_BLOB, c.content()));
        builder.add(e);
      }
    }
    try {
      builder.finish();
    } catch (IllegalStateException e) {
      throw new GitException("a file of the port needs the place of a folder, or the other way", e);
    }
    return next;
  }

  private FileMode mode(DirCache original, FileChange change) {
    DirCacheEntry like =
        change.like().isEmpty()
            ? null
            : original.getEntry(
                new String(PathText.bytes(prefix + change.like()), StandardCharsets.UTF_8));
    return like == null ? FileMode.REGULAR_FILE : like.getFileMode();
  }

  /** Returns the tree with both the changes of people and those from one port to the next. */
  private ObjectId merge(ObjectId base, ObjectId ours, ObjectId theirs, RevWalk walk)
      throws IOException {
    ResolveMerger merger = (ResolveMerger) MergeStrategy.RESOLVE.newMerger(repository, true);
    merger.setBase(base);
    if (!merger.merge(walk.parseCommit(ours), walk.parseCommit(theirs))) {
      Set<String> paths = new TreeSet<>(merger.getUnmergedPaths());
      if (merger.getFailingPaths() != null) {
        paths.addAll(merger.getFailingPaths().keySet());
      }
      List<String> shown = paths.stream().limit(SHOWN).toList();
      String more = paths.size() > SHOWN ? " and %d more".formatted(paths.size() - SHOWN) : "";
      throw new GitException(
          "the new port conflicts with changes in branch %s: %s%s; the branch is unchanged. Change"
                  .formatted(name, String.join(", ", shown), more)
              + " these files there so that they agree, or port to another branch and merge it");
    }
    return merger.getResultTreeId();
  }

  private void move(ObjectId to) throws IOException {
    RefUpdate update = repository.updateRef(BRANCHES + name);
    update.setNewObjectId(to);
    update.setExpectedOldObjectId(tip == null ? ObjectId.zeroId() : tip);
    update.setRefLogIdent(committer);
    update.setRefLogMessage("rocport: port of " + commit(), false);
    RefUpdate.Result result = update.update();
    if (result != RefUpdate.Result.NEW && result != RefUpdate.Result.FAST_FORWARD) {
      throw new GitException(
          "branch " + name + " of " + git.root() + " cannot be moved: " + result);
    }
  }
}
