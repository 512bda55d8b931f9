package dev.rocport.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares work trees that the git program makes with commits. */
@Tag("slow")
final class ChangedLinesTest {
  private static final String FIVE = "one\ntwo\nthree\nfour\nfive\n";

  @TempDir private Path folder;
  private GitRepo repo;

  @BeforeEach
  void repo() throws Exception {
    repo = GitRepo.create(folder.resolve("repo"));
    repo.write("a.cu", FIVE);
    repo.write("src/b.cu", FIVE);
    repo.commit("first");
  }

  private static String since(String rev, Path tree) throws Exception {
    SourceTree walked = SourceTree.walk(TreeSelection.of(List.of(tree)));
    ChangedLines lines;
    try (GitFolder git = GitFolder.around(tree)) {
      lines = git.since(rev, walked.root(), walked.entries());
    }
    TreeMap<String, String> told = new TreeMap<>();
    lines.lines().forEach((path, set) -> told.put(path, set.get(0) ? "all" : "" + set));
    return told.toString();
  }

  private String since(String rev) throws Exception {
    return since(rev, repo.folder());
  }

  @Test
  void nothingDiffersAfterACommit() throws Exception {
    assertThat(since("HEAD")).isEqualTo("{}");
  }

  @Test
  void changesCountStagedOrNot() throws Exception {
    repo.write("a.cu", FIVE.replace("two", "2"));
    repo.git("add", "a.cu");
    repo.write("src/b.cu", FIVE.replace("four\n", "4\n4b\n"));
    repo.write("new.cu", "x\n");
    assertThat(since("HEAD")).isEqualTo("{a.cu={2}, new.cu=all, src/b.cu={4, 5}}");
    assertThat(since("HEAD", repo.folder().resolve("src"))).isEqualTo("{b.cu={4, 5}}");
  }

  @Test
  void removedLinesChangeNoOther() throws Exception {
    repo.write("a.cu", FIVE.replace("two\n", ""));
    assertThat(since("HEAD")).isEqualTo("{a.cu={}}");
  }

  @Test
  void olderCommitsAndMergeBasesAreNamedAsInGit() throws Exception {
    repo.git("checkout", "-q", "-b", "topic");
    repo.write("src/b.cu", FIVE.replace("one", "1"));
    repo.commit("topic");
    repo.git("checkout", "-q", "main");
    repo.write("a.cu", FIVE.replace("five", "5"));
    repo.commit("moved");
    repo.git("tag", "-a", "-m", "a tag", "v1");
    repo.git("checkout", "-q", "topic");
    assertThat(since("HEAD~1")).isEqualTo("{src/b.cu={1}}");
    assertThat(since("main...")).isEqualTo("{src/b.cu={1}}");
    assertThat(since("v1")).isEqualTo("{a.cu={5}, src/b.cu={1}}");
  }

  /** The size and the time of the file are those in the index. */
  @Test
  void aChangeWithoutATraceInTheIndexIsFound() throws Exception {
    Path file = repo.folder().resolve("a.cu");
    FileTime time = Files.getLastModifiedTime(file);
    repo.write("a.cu", FIVE.replace("two", "TWO"));
    Files.setLastModifiedTime(file, time);
    Files.setLastModifiedTime(repo.folder().resolve(".git/index"), time);
    assertThat(since("HEAD")).isEqualTo("{a.cu={2}}");
  }

  @Test
  void renamedFilesAreComparedWithTheirOldContent() throws Exception {
    repo.git("mv", "a.cu", "kernel.cu");
    Files.move(repo.folder().resolve("src/b.cu"), repo.folder().resolve("b2.cu"));
    repo.write("b2.cu", FIVE + "six\n");
    assertThat(since("HEAD")).isEqualTo("{b2.cu={6}}");
    repo.write("b2.cu", "quite\nanother\ntext\n");
    assertThat(since("HEAD")).isEqualTo("{b2.cu=all}");
  }

  @Test
  void ignoredFilesDoNotCountUnlessTheyAreAdded() throws Exception {
    repo.write(".gitignore", "*.gen.cu\n/out/\n!keep.gen.cu\n");
    repo.write("src/.gitignore", "local.cu\n");
    repo.write(".git/info/exclude", "mine.cu\n");
    repo.commit("ignore");
    for (String path :
        List.of(
            "a.gen.cu",
            "src/a.gen.cu",
            "out/x/y.cu",
            "keep.gen.cu",
            "src/local.cu",
            "local.cu",
            "src/mine.cu",
            "added.gen.cu")) {
      repo.write(path, "x\n");
    }
    repo.git("add", "-f", "added.gen.cu");
    assertThat(since("HEAD")).isEqualTo("{added.gen.cu=all, keep.gen.cu=all, local.cu=all}");
  }

  @Test
  void lineEndsThatGitConvertsAreNoChange() throws Exception {
    repo.write("a.cu", FIVE.replace("\n", "\r\n"));
    assertThat(since("HEAD")).isEqualTo("{}");
    repo.write("a.cu", FIVE.replace("\n", "\r\n").replace("three", "3"));
    assertThat(since("HEAD")).isEqualTo("{a.cu={3}}");
  }

  @Test
  void namesAreBytes() throws Exception {
    repo.write("größe \"1\".cu", FIVE);
    repo.commit("names");
    assertThat(since("HEAD")).isEqualTo("{}");
    repo.write("größe \"1\".cu", FIVE + "6\n");
    assertThat(since("HEAD")).isEqualTo("{größe \"1\".cu={6}}");
  }

  @Test
  void worktreesHaveTheirOwnHeadAndIndex() throws Exception {
    Path other = folder.resolve("other");
    repo.git("worktree", "add", "-q", "-b", "side", other.toString());
    GitRepo side = GitRepo.in(other);
    side.write("a.cu", FIVE.replace("one", "1"));
    side.commit("side");
    assertThat(since("HEAD", side.folder())).isEqualTo("{}");
    assertThat(since("main", side.folder())).isEqualTo("{a.cu={1}}");
    assertThat(since("HEAD~1", side.folder())).isEqualTo("{a.cu={1}}");
    assertThat(since("HEAD")).isEqualTo("{}");
  }

  @Test
  void submodulesAreComparedWithTheCommitThatIsRecorded() throws Exception {
    GitRepo library = GitRepo.create(folder.resolve("library"));
    library.write("lib.cu", FIVE);
    library.commit("library");
    repo.git("submodule", "add", "-q", library.folder().toString(), "third/lib");
    repo.commit("submodule");
    assertThat(since("HEAD")).isEqualTo("{}");
    assertThat(since("HEAD", repo.folder().resolve("third/lib"))).isEqualTo("{}");
    repo.write("third/lib/lib.cu", FIVE.replace("three", "3"));
    assertThat(since("HEAD")).isEqualTo("{third/lib/lib.cu={3}}");
    GitRepo.in(repo.folder().resolve("third/lib")).git("config", "user.name", "x");
    assertThat(since("HEAD", repo.folder().resolve("third"))).isEqualTo("{lib/lib.cu={3}}");
    assertThat(since("HEAD~1")).isEqualTo("{.gitmodules=all, third/lib/lib.cu=all}");
  }

  @Test
  void filesThatASparseCheckoutLeavesOutAreNotRenamed() throws Exception {
    repo.git("sparse-checkout", "set", "--no-cone", "/a.cu");
    assertThat(repo.folder().resolve("src/b.cu")).doesNotExist();
    assertThat(since("HEAD")).isEqualTo("{}");
    repo.write("copy.cu", FIVE);
    assertThat(since("HEAD")).isEqualTo("{copy.cu=all}");
  }

  @Test
  void anIndexThatIsNotUnderstoodIsNotNeeded() throws Exception {
    Files.writeString(repo.folder().resolve(".git/index"), "no index");
    repo.write("a.cu", FIVE.replace("one", "1"));
    assertThat(since("HEAD")).isEqualTo("{a.cu={1}}");
  }

  @Test
  void withoutAnIndexEveryFileThatIsNotInTheCommitIsNew() throws Exception {
    repo.write(".gitignore", "build/\n");
    repo.commit("ignore");
    Files.delete(repo.folder().resolve("src/b.cu"));
    repo.write("copy.cu", FIVE);
    repo.write("build/staged.cu", FIVE);
    Files.writeString(repo.folder().resolve(".git/index"), "no index");
    assertThat(since("HEAD")).isEqualTo("{build/staged.cu=all, copy.cu=all}");
  }

  @Test
  void beforeTheFirstCommitEverythingIsNew() throws Exception {
    GitRepo fresh = GitRepo.create(folder.resolve("fresh"));
    fresh.write("a.cu", FIVE);
    assertThat(since("HEAD", fresh.folder())).isEqualTo("{a.cu=all}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nope", "", "-x", "HEAD~7", "HEAD:a.cu", "a..b", "@{", "HEAD^{tree}"})
  void whatIsNoCommitIsNamed(String rev) {
    assertThatThrownBy(() -> since(rev))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("'" + rev + "' is not a commit of ");
  }

  @Test
  void aShallowCloneSaysSo() throws Exception {
    repo.write("a.cu", FIVE + "6\n");
    repo.commit("second");
    Path clone = folder.resolve("clone");
    repo.git("clone", "-q", "--depth", "1", "file://" + repo.folder(), clone.toString());
    assertThat(since("HEAD", clone)).isEqualTo("{}");
    assertThatThrownBy(() -> since("HEAD~1", clone))
        .hasMessageContaining("the clone is shallow: fetch more commits");
  }

  @Test
  void foldersWithoutAWorkTreeAreRefused() throws Exception {
    Path plain = Files.createDirectory(folder.resolve("plain")).toRealPath();
    assertThatThrownBy(() -> since("HEAD", plain))
        .hasMessage(plain + " is not in a git repository");
    repo.git("clone", "-q", "--bare", repo.folder().toString(), folder.resolve("bare").toString());
    assertThatThrownBy(() -> since("HEAD", folder.resolve("bare")))
        .hasMessageEndingWith("is a bare repository, which has no work tree");
    Files.writeString(plain.resolve(".git"), "gitdir: /nonexistent/x\n");
    assertThatThrownBy(() -> since("HEAD", plain))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("cannot read the git repository in " + plain);
  }

  @Test
  void damagedRepositoriesAreRefused() throws Exception {
    Path config = repo.folder().resolve(".git/config");
    String good = Files.readString(config);
    Files.writeString(config, good + "[broken\n");
    assertThatThrownBy(() -> since("HEAD")).hasMessageContaining("is not valid");
    Files.writeString(config, good + "[include]\n\tpath = /dev/zero\n");
    assertThatThrownBy(() -> since("HEAD")).hasMessage("/dev/zero is not a file");
    Files.writeString(config, good);
    Files.writeString(repo.folder().resolve(".git/refs/heads/main"), "0".repeat(39) + "1\n");
    assertThatThrownBy(() -> since("HEAD")).isInstanceOf(GitException.class);
  }

  /** Each would leave a file if it ran. */
  @Test
  void noCommandOfARepositoryRuns() throws Exception {
    Path trace = folder.resolve("ran");
    String command = "touch " + trace + " #";
    for (String key :
        List.of(
            "core.fsmonitor",
            "core.pager",
            "core.editor",
            "core.sshCommand",
            "core.askPass",
            "credential.helper",
            "filter.evil.clean",
            "filter.evil.smudge",
            "filter.evil.process",
            "diff.evil.textconv",
            "diff.evil.command",
            "diff.external",
            "merge.evil.driver",
            "gpg.program",
            "alias.rev-parse",
            "uploadpack.packObjectsHook")) {
      repo.git("config", key, key.equals("credential.helper") ? "!" + command : command);
    }
    repo.git("config", "core.hooksPath", folder.resolve("hooks").toString());
    for (String hook : List.of("post-index-change", "reference-transaction", "pre-commit")) {
      Path file = folder.resolve("hooks").resolve(hook);
      Files.createDirectories(file.getParent());
      Files.write(file, ("#!/bin/sh\n" + command + "\n").getBytes(StandardCharsets.UTF_8));
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    Files.writeString(
        repo.folder().resolve(".gitattributes"), "* filter=evil diff=evil merge=evil text=auto\n");
    repo.write("a.cu", FIVE.replace("one", "1"));
    Path git = repo.folder().resolve(".git");
    List<String> before = list(git);
    assertThat(since("HEAD")).isEqualTo("{.gitattributes=all, a.cu={1}}");
    assertThat(trace).doesNotExist();
    assertThat(list(git)).isEqualTo(before);
    // They are commands that git does run.
    repo.attempt("status");
    assertThat(trace).exists();
  }

  private static List<String> list(Path folder) throws Exception {
    try (var files = Files.walk(folder)) {
      return files.map(f -> folder.relativize(f).toString()).sorted().toList();
    }
  }
}
