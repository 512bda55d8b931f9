package dev.rocport.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.git.GitRepo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code audit --since} and {@code gate --since}. */
@Tag("slow")
final class SinceTest {
  private static final String UNKNOWN =
      "int f%d() { return cuGraphicsD3D9RegisterResource(%d); }\n";
  private static final String HEAD = "#include <cuda.h>\n";

  @TempDir private Path folder;
  private GitRepo repo;

  @BeforeEach
  void repo() throws Exception {
    repo = GitRepo.create(folder.resolve("repo"));
    repo.write("a.cpp", HEAD + UNKNOWN.formatted(1, 1) + "int x;\n" + UNKNOWN.formatted(2, 2));
    repo.write("b.cpp", HEAD + UNKNOWN.formatted(3, 3));
    repo.commit("first");
  }

  private CommandLines run(String command, String... more) {
    List<String> args = new ArrayList<>(List.of(command, repo.folder().toString()));
    args.addAll(List.of(more));
    return CommandLines.run(args.toArray(String[]::new));
  }

  @Test
  void oldFindingsDoNotFailAGate() throws Exception {
    assertThat(run("gate").code()).isEqualTo(1);
    CommandLines same = run("gate", "--since", "HEAD");
    assertThat(same.out()).contains("gate passed").contains("0 files");
    assertThat(same.code()).isZero();
    repo.write("a.cpp", repo.read("a.cpp").replace("int x;", "int y;"));
    assertThat(run("gate", "--since", "HEAD").code()).isZero();
  }

  @Test
  void aChangedLineFailsAGate() throws Exception {
    repo.write("a.cpp", repo.read("a.cpp").replace("int f2", "long f2"));
    CommandLines ran = run("gate", "--since", "HEAD");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .contains("a.cpp:4:")
        .contains("gate failed: 1 finding")
        .contains("1 file")
        .doesNotContain("a.cpp:2:")
        .doesNotContain("b.cpp");
    repo.commit("second");
    assertThat(run("gate", "--since", "HEAD").code()).isZero();
    assertThat(run("gate", "--since", "HEAD~1").code()).isEqualTo(1);
  }

  /** Which names a project declares itself is found in the files that have not changed. */
  @Test
  void unchangedFilesAreContext() throws Exception {
    repo.write("own.h", "int cuMyOwnFunction(int);\n");
    repo.commit("second");
    repo.write("c.cpp", "#include \"own.h\"\nint g() { return cuMyOwnFunction(1); }\n");
    CommandLines ran = run("audit", "--since", "HEAD", "--format", "csv");
    assertThat(ran.out().lines()).hasSize(1);
    assertThat(ran.code()).isZero();
  }

  @Test
  void theReportNamesTheRevision() {
    assertThat(run("audit", "--since", "HEAD", "--format", "json").out())
        .contains("\"since\" : \"HEAD\"");
    assertThat(run("audit", "--format", "json").out()).doesNotContain("\"since\"");
  }

  @Test
  void suppressionsOfUnchangedLinesAreNotUnused() throws Exception {
    String entry = "  - rule: 'API-*'\n    path: %s\n    reason: known\n";
    repo.write(".rocport.yaml", "suppress:\n" + entry.formatted("b.cpp"));
    repo.commit("second");
    repo.write("a.cpp", repo.read("a.cpp") + "int z;\n");
    assertThat(run("audit", "--format", "csv").out()).doesNotContain("SUPPRESS-UNUSED");
    assertThat(run("audit", "--since", "HEAD", "--format", "csv").out())
        .doesNotContain("SUPPRESS-UNUSED");
    repo.write(".rocport.yaml", "suppress:\n" + entry.formatted("none.cpp"));
    assertThat(run("audit", "--format", "csv").out()).contains("SUPPRESS-UNUSED");
  }

  @Test
  void aBaselineLosesNothing() throws Exception {
    Path known = folder.resolve("known.json");
    run("audit", "--write-baseline", known.toString());
    repo.write("a.cpp", repo.read("a.cpp") + UNKNOWN.formatted(4, 4));
    CommandLines ran = run("gate", "--since", "HEAD", "--baseline", known.toString());
    assertThat(ran.out()).contains("gate failed: 1 finding").contains("0 known, 0 fixed");
    CommandLines written = run("audit", "--since", "HEAD", "--write-baseline", known.toString());
    assertThat(written.code()).isEqualTo(2);
    assertThat(written.err()).contains("--write-baseline requires all findings of the tree");
  }

  /** The new line takes the fingerprint of the old one, which has not changed. */
  @Test
  void aNewLineAboveAKnownOneThatIsEqualFailsAGate() throws Exception {
    Path known = folder.resolve("known.json");
    run("audit", "--write-baseline", known.toString());
    String more = UNKNOWN.formatted(2, 2) + "int x;";
    repo.write("a.cpp", repo.read("a.cpp").replace("int x;", more));
    assertThat(run("gate", "--baseline", known.toString()).out())
        .contains("gate failed: 1 finding");
    CommandLines ran = run("gate", "--since", "HEAD", "--baseline", known.toString());
    assertThat(ran.out()).contains("a.cpp:3:").contains("gate failed: 1 finding");
    repo.git("checkout", "-q", "a.cpp");
    repo.write("b.cpp", "int moved;\n" + HEAD + UNKNOWN.formatted(3, 3));
    assertThat(run("gate", "--since", "HEAD", "--baseline", known.toString()).code()).isZero();
  }

  @Test
  void errorsNameTheRevision() {
    CommandLines unknown = run("gate", "--since", "nope");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err())
        .isEqualTo(
            "rocport: --since nope: 'nope' is not a commit of %s\n".formatted(repo.folder()));
    CommandLines outside = CommandLines.run("gate", folder.toString(), "--since", "HEAD");
    assertThat(outside.code()).isEqualTo(2);
    assertThat(outside.err()).contains("is not in a git repository");
  }
}
