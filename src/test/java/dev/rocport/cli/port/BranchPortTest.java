package dev.rocport.cli.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.git.GitRepo;
import dev.rocport.io.process.Exec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code port --branch}, compared with {@code port --out} and looked at by the git program. */
@Tag("slow")
final class BranchPortTest {
  private static final String KERNEL =
      """
      #include <cuda_runtime.h>
      #if __CUDA_ARCH__ >= 300
      #define FAST 1
      #endif
      __global__ void k(float *p) {
        float v = p[threadIdx.x];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(v));
        p[threadIdx.x] = v;
      }
      void run(float *p) {
        k<< <1, 32> >>(p);
        cudaDeviceSynchronize();
      }
      int unknown() {
        return cuGraphicsD3D9RegisterResource(1);
      }
      """;

  @TempDir private Path folder;
  private GitRepo repo;

  @BeforeEach
  void repo() throws Exception {
    repo = GitRepo.create(folder.resolve("repo"));
    repo.write("src/k.cu", KERNEL);
    repo.write("README", "text\n");
    repo.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX CUDA)\n"
            + "add_library(p src/k.cu)\n");
    repo.write("m.py", "import torch\ntorch.compile(f, mode=\"max-autotune\")\n");
    repo.write("requirements.txt", "torch==2.5.0+cu121\n");
    repo.write("build.sh", "#!/bin/sh\nnvcc -arch=sm_80 src/k.cu\n");
    Files.setPosixFilePermissions(
        repo.folder().resolve("build.sh"),
        java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createSymbolicLink(repo.folder().resolve("link.cu"), Path.of("src/k.cu"));
    repo.commit("first");
  }

  private CommandLines port(String... more) {
    List<String> args = new ArrayList<>(List.of("port", repo.folder().toString()));
    args.addAll(List.of(more));
    return CommandLines.run(args.toArray(String[]::new));
  }

  private CommandLines branch(String... more) {
    List<String> args = new ArrayList<>(List.of("--branch", "rocm"));
    args.addAll(List.of(more));
    return port(args.toArray(String[]::new));
  }

  private void fails(CommandLines ran, String message) {
    assertThat(ran.err()).contains(message);
    assertThat(ran.code()).isEqualTo(2);
  }

  /** Checks out a commit beside the repository. */
  private Path checkout(String rev) throws Exception {
    Path tree = folder.resolve("tree-" + rev.replaceAll("\\W", "_"));
    repo.git("worktree", "add", "-q", "--detach", tree.toString(), rev);
    Files.delete(tree.resolve(".git"));
    repo.git("worktree", "prune");
    return tree;
  }

  private String diff(Path one, Path other) throws Exception {
    return Exec.run(
            List.of(
                "diff",
                "-r",
                "--no-dereference",
                "-x",
                ".git",
                "-x",
                ".rocport",
                one + "",
                other + ""),
            folder,
            Map.of(),
            Duration.ofMinutes(1))
        .stdout();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hip", "single-source", "rename"})
  void theTipIsThePort(String style) throws Exception {
    String[] options =
        style.equals("rename")
            ? new String[] {"--rename-sources"}
            : new String[] {"--style", style};
    Path out = folder.resolve("out");
    List<String> toOut = new ArrayList<>(List.of("--out", out.toString()));
    toOut.addAll(List.of(options));
    port(toOut.toArray(String[]::new));
    CommandLines ran = branch(options);
    assertThat(ran.code()).isEqualTo(1); // an error finding
    assertThat(repo.git("log", "--reverse", "--format=%s", "main..rocm").lines())
        .containsExactly(
            "Add the files that the port uses",
            "Port conditions on CUDA macros",
            "Port CUDA names and calls",
            "Port kernel launches",
            "Port code that depends on the warp size",
            "Port inline PTX",
            "Port the builds",
            "Port Python and Java");
    Path tip = checkout("rocm");
    assertThat(diff(out, tip)).isEmpty();
    assertThat(Files.getPosixFilePermissions(tip.resolve("build.sh")))
        .contains(PosixFilePermission.OWNER_EXECUTE);
    String link = style.equals("rename") ? "link.hip" : "link.cu";
    assertThat(Files.isSymbolicLink(tip.resolve(link))).isTrue();
    assertThat(repo.git("fsck", "--strict", "--no-dangling")).isEmpty();
  }

  @Test
  void messagesListRulesAndOpenFindings() throws Exception {
    branch();
    String message = repo.git("log", "-1", "--format=%B", "rocm~5");
    assertThat(message).startsWith("Port CUDA names and calls\n\nMade by rocport ");
    assertThat(message).contains("\nEdits:\n  API-RUNTIME: 1 edit; ");
    assertThat(message).contains("\nOpen findings:\n").contains(": 1 error; ");
    assertThat(repo.git("log", "-1", "--format=%an <%ae> %(trailers:key=Rocport-Port-Of)", "rocm"))
        .isEqualTo(
            "A. Author <author@example.com> Rocport-Port-Of: " + repo.git("rev-parse", "main"));
  }

  /** The gates of each commit leave the original for NVIDIA. */
  @Test
  void eachCommitKeepsTheCudaBuildInOneTree() throws Exception {
    branch("--style", "single-source");
    Path original = checkout("main");
    for (String commit : repo.git("rev-list", "main..rocm").split("\n")) {
      CommandLines isolation =
          CommandLines.run("isolation", original.toString(), checkout(commit).toString());
      assertThat(isolation.code()).as(isolation.out() + isolation.err()).isZero();
    }
  }

  @Test
  void workTreeIndexAndHeadStay() throws Exception {
    repo.git("checkout", "-q", "--detach");
    repo.write("src/k.cu", "int dirty;\n");
    repo.write("README", "staged\n");
    repo.git("add", "README");
    repo.write("new.cu", "void f() { cudaFree(0); }\n");
    String status = repo.git("status", "--porcelain=v2", "--branch");
    byte[] index = Files.readAllBytes(repo.folder().resolve(".git/index"));
    assertThat(branch().code()).isEqualTo(1);
    assertThat(Files.readAllBytes(repo.folder().resolve(".git/index"))).isEqualTo(index);
    assertThat(repo.git("status", "--porcelain=v2", "--branch")).isEqualTo(status);
    assertThat(repo.git("ls-tree", "-r", "--name-only", "rocm")).doesNotContain("new.cu");
    assertThat(repo.git("show", "rocm:README")).isEqualTo("text");
    assertThat(repo.git("show", "rocm:src/k.cu")).contains("hipDeviceSynchronize");
  }

  @Test
  void aSecondPortMergesAndKeepsWhatPeopleChanged() throws Exception {
    branch();
    String first = repo.git("rev-parse", "rocm");
    CommandLines again = branch();
    assertThat(again.err()).contains("branch rocm is a port of");
    assertThat(repo.git("rev-parse", "rocm")).isEqualTo(first);

    repo.git("checkout", "-q", "rocm");
    repo.write("src/k.cu", repo.read("src/k.cu").replace("int unknown() {", "int known() {"));
    String people = repo.commit("By hand");
    repo.git("checkout", "-q", "main");
    repo.write("src/k.cu", KERNEL.replace("#define FAST 1", "#define FAST 2"));
    repo.write("src/new.cu", "#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n");
    Files.delete(repo.folder().resolve("m.py"));
    String moved = repo.commit("Moved");
    assertThat(branch().code()).isEqualTo(1);

    assertThat(repo.git("show", "rocm:src/k.cu"))
        .contains("int known() {")
        .contains("#define FAST 2")
        .contains("hipDeviceSynchronize");
    assertThat(repo.git("show", "rocm:src/new.cu")).contains("hipFree");
    assertThat(repo.git("ls-tree", "-r", "--name-only", "rocm")).doesNotContain("m.py");
    assertThat(repo.git("log", "-1", "--format=%s", "rocm")).startsWith("Merge the port of ");
    assertThat(repo.git("rev-parse", "rocm^1")).isEqualTo(people);
    assertThat(repo.git("merge-base", "rocm", "main")).isEqualTo(moved);
    assertThat(repo.git("fsck", "--strict", "--no-dangling")).isEmpty();
    assertThat(branch().err()).contains("already");
  }

  @Test
  void aPortThatAPersonAmendedKeepsTheChange() throws Exception {
    branch();
    repo.git("checkout", "-q", "rocm");
    repo.write("build.sh", repo.read("build.sh") + "echo by hand\n");
    repo.git("commit", "-q", "-a", "--amend", "--no-edit");
    String people = repo.git("rev-parse", "rocm");
    repo.git("checkout", "-q", "main");
    assertThat(branch().err()).contains("already");
    assertThat(repo.git("rev-parse", "rocm")).isEqualTo(people);
    repo.write("src/k.cu", KERNEL.replace("#define FAST 1", "#define FAST 2"));
    repo.commit("Moved");
    assertThat(branch().code()).isEqualTo(1);
    assertThat(repo.git("show", "rocm:build.sh")).contains("echo by hand");
    assertThat(repo.git("show", "rocm:src/k.cu")).contains("#define FAST 2");
    assertThat(repo.git("rev-parse", "rocm^1")).isEqualTo(people);
  }

  @Test
  void anAmendedPortWithoutItsOriginalIsRefused() throws Exception {
    branch();
    repo.git("checkout", "-q", "rocm");
    repo.write("build.sh", repo.read("build.sh") + "echo by hand\n");
    repo.git("commit", "-q", "-a", "--amend", "--no-edit");
    String people = repo.git("rev-parse", "rocm");
    repo.git("checkout", "-q", "main");
    repo.git("reflog", "expire", "--expire=now", "--all");
    repo.git("gc", "-q", "--prune=now");
    repo.write("README", "moved\n");
    repo.commit("Moved");
    fails(branch(), "was changed, and the port without the changes is not in this repository");
    assertThat(repo.git("rev-parse", "rocm")).isEqualTo(people);
  }

  @Test
  void aPortWithoutEditsIsMergedOnce() throws Exception {
    GitRepo plain = GitRepo.create(folder.resolve("plain"));
    String[] port = {"port", plain.folder().toString(), "--branch", "rocm"};
    plain.write("k.cu", KERNEL);
    plain.write("keep.c", "int keep;\n");
    plain.write("stays.c", "int stays;\n");
    plain.commit("first");
    CommandLines.run(port);
    Files.delete(plain.folder().resolve("k.cu"));
    Files.delete(plain.folder().resolve("keep.c"));
    String gone = plain.commit("gone");
    assertThat(CommandLines.run(port).err()).contains("branch rocm: 1 commit");
    String merged = plain.git("rev-parse", "rocm");
    assertThat(plain.git("rev-parse", "rocm^2")).isEqualTo(gone);
    assertThat(plain.git("ls-tree", "-r", "--name-only", "rocm")).doesNotContain("k.cu");
    assertThat(CommandLines.run(port).err()).contains("already");
    assertThat(plain.git("rev-parse", "rocm")).isEqualTo(merged);

    plain.write("keep.c", "int keep;\n");
    plain.commit("restored");
    CommandLines.run(port);
    assertThat(plain.git("show", "rocm:keep.c")).isEqualTo("int keep;");
    assertThat(plain.git("fsck", "--strict", "--no-dangling")).isEmpty();
  }

  @Test
  void branchesInReftableAreCompared() throws Exception {
    branch();
    repo.git("checkout", "-q", "rocm");
    try (FileRepository files = new FileRepository(repo.folder().resolve(".git").toFile())) {
      files.convertRefStorage("reftable", false, false);
    }
    fails(branch(), "branch rocm is checked out");
    Files.createDirectories(repo.folder().resolve(".git/worktrees/other"));
    fails(port("--branch", "else"), "has linked work trees and keeps its branches in reftable");
  }

  @Test
  void aConflictChangesNothing() throws Exception {
    branch();
    repo.git("checkout", "-q", "rocm");
    repo.write("src/k.cu", repo.read("src/k.cu").replace("#define FAST 1", "#define FAST 7"));
    String people = repo.commit("By hand");
    repo.git("checkout", "-q", "main");
    repo.write("src/k.cu", KERNEL.replace("#define FAST 1", "#define FAST 2"));
    repo.commit("Moved");
    fails(branch(), "the new port conflicts with changes in branch rocm: src/k.cu;");
    assertThat(repo.git("rev-parse", "rocm")).isEqualTo(people);
  }

  @Test
  void branchesThatCannotTakeAPortAreRefused() throws Exception {
    fails(port("--branch", "a..b"), "'a..b' cannot be the name of a branch");
    fails(port("--branch", "-x"), "branch");
    fails(port("--branch", "main"), "branch main is checked out");
    fails(port("--branch", "x", "--diff"), "mutually exclusive");
    fails(
        CommandLines.run("port", repo.folder().resolve("src/k.cu").toString(), "--branch", "x"),
        "--branch requires one folder");
    repo.git("branch", "other");
    fails(port("--branch", "other"), "exists and was not made by port --branch");
    repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/other");
    fails(port("--branch", "alias"), "alias stands for another branch");
    repo.git("worktree", "add", "-q", folder.resolve("wt").toString(), "other");
    fails(port("--branch", "other"), "branch other is checked out");
    fails(port("--branch", "other/x"), "other/x");
    branch();
    repo.git("checkout", "-q", "--orphan", "else");
    repo.commit("else");
    fails(branch(), "HEAD does not contain commit");
  }

  @Test
  void operationsInProgressAreRefused() throws Exception {
    repo.git("checkout", "-q", "-b", "side");
    repo.write("README", "side\n");
    repo.commit("side");
    repo.git("checkout", "-q", "main");
    repo.write("README", "main\n");
    repo.commit("main");
    repo.attempt("merge", "side");
    fails(branch(), "is in the middle of a merge");
    repo.git("merge", "--abort");
    repo.attempt("rebase", "side");
    fails(branch(), "is in the middle of a rebase");
    repo.git("rebase", "--abort");
    assertThat(repo.git("branch", "--list", "rocm")).isEmpty();
  }

  @Test
  void aRepositoryWithoutCommitsOrPortsHasNoBranch() throws Exception {
    GitRepo fresh = GitRepo.create(folder.resolve("fresh"));
    fails(
        CommandLines.run("port", fresh.folder().toString(), "--branch", "rocm"),
        "has no commit yet");
    fresh.write("a.c", "int a;\n");
    fresh.commit("first");
    CommandLines ran = CommandLines.run("port", fresh.folder().toString(), "--branch", "rocm");
    assertThat(ran.err()).contains("nothing to port");
    assertThat(ran.code()).isZero();
    assertThat(fresh.git("branch", "--list", "rocm")).isEmpty();
  }

  @Test
  void aFolderOfTheRepositoryIsPortedAlone() throws Exception {
    repo.write("other/o.cu", KERNEL);
    repo.commit("other");
    repo.git("sparse-checkout", "set", "src");
    Path out = folder.resolve("out");
    Path src = repo.folder().resolve("src");
    CommandLines.run("port", src.toString(), "--out", out.toString());
    CommandLines.run("port", src.toString(), "--branch", "rocm");
    assertThat(repo.git("show", "rocm:other/o.cu") + "\n").isEqualTo(KERNEL);
    assertThat(diff(out, checkout("rocm").resolve("src"))).isEmpty();
    fails(branch(), "has a port of another folder");
  }
}
