package dev.rocport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestClasses;
import dev.rocport.git.GitRepo;
import dev.rocport.io.process.Exec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The hooks for pre-commit, run as hooks of a repository. */
@Tag("slow")
final class PreCommitHooksTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home"));

  @TempDir private Path folder;

  static List<JsonNode> hooks() throws Exception {
    return new YAMLMapper()
        .readTree(Files.readString(HOME.resolve(".pre-commit-hooks.yaml")))
        .valueStream()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("hooks")
  void theHookStopsACommitWithANewFinding(JsonNode hook) throws Exception {
    assertThat(hook.path("pass_filenames").asBoolean(true)).isFalse();
    String entry = hook.path("entry").asString();
    if (hook.path("language").asString().equals("script")) {
      // The path of a script is relative to the repository with the hooks.
      assertThat(HOME.resolve(entry.substring(0, entry.indexOf(' ')))).isExecutable();
    }
    Path bin = folder.resolve("bin");
    TestClasses.launcher(bin.resolve("rocport"));
    GitRepo repo = GitRepo.create(folder.resolve("repo"));
    String old = "#include <cuda.h>\nint f() { return cuGraphicsD3D9RegisterResource(1); }\n";
    repo.write("a.cpp", old);
    repo.commit("first");
    Path script = repo.folder().resolve(".git/hooks/pre-commit");
    Files.createDirectories(script.getParent());
    Files.writeString(script, "#!/bin/sh\nPATH='%s':$PATH\nexec %s >&2\n".formatted(bin, entry));
    assertThat(script.toFile().setExecutable(true)).isTrue();

    repo.write("a.cpp", old + "int g();\n");
    repo.commit("second");
    repo.write("a.cpp", old + "int g() { return cuGraphicsD3D9RegisterResource(2); }\n");
    repo.git("add", "-A");
    Exec.Outcome stopped = repo.attempt("commit", "-q", "-m", "third");
    assertThat(stopped.code()).isEqualTo(1);
    assertThat(stopped.stderr()).contains("a.cpp:3:").contains("gate failed: 1 finding");
    assertThat(repo.git("log", "--format=%s")).isEqualTo("second\nfirst");
  }

  @ParameterizedTest
  @MethodSource("hooks")
  void theHookRunsWhereThereIsNoCommit(JsonNode hook) throws Exception {
    TestClasses.launcher(folder.resolve("bin/rocport"));
    GitRepo repo = GitRepo.create(folder.resolve("repo"));
    repo.write("a.cpp", "int f();\n");
    Exec.Outcome ran =
        Exec.run(
            List.of("sh", "-c", hook.path("entry").asString()),
            repo.folder(),
            Map.of("PATH", folder.resolve("bin") + ":" + System.getenv("PATH")),
            Duration.ofMinutes(1));
    assertThat(ran.stderr()).isEmpty();
    assertThat(ran.stdout()).contains("gate passed");
    assertThat(ran.code()).isZero();
  }
}
