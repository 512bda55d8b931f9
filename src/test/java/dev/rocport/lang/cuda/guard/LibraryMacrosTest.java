package dev.rocport.lang.cuda.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectCommands;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Conditions on versions of CUDA libraries. */
final class LibraryMacrosTest {
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  private static final SourceFile USE =
      SourceFile.of(
          "use.cu",
          """
          #include <cub/cub.cuh>
          #include <cudnn.h>
          #if CUB_VERSION >= 200000
          int sum;
          #endif
          #if CUDNN_MAJOR > 8 || (CUDNN_MAJOR == 8 && CUDNN_MINOR >= 9)
          int nine;
          #endif
          """);

  private static Changes changes(ProjectCommands commands, SourceFile file, SourceFile... others) {
    List<ProjectIndex.Scan> scans = new ArrayList<>(List.of(PORTER.scan(file)));
    for (SourceFile other : others) {
      scans.add(PORTER.scan(other));
    }
    return PORTER.port(file, ProjectIndex.of(scans, commands, PortOptions.Warp.AUTO));
  }

  private static String text(Changes changes) {
    byte[] ported = changes.edits().apply(changes.file().bytes());
    return new String(ported, StandardCharsets.UTF_8);
  }

  private static List<String> messages(Changes changes) {
    return changes.findings().stream()
        .filter(f -> f.rule().equals(GuardPass.LIBRARY))
        .map(Finding::message)
        .toList();
  }

  @Test
  void editsCountForTheRuleAndTheMessageNamesTheVersion() {
    Changes changes = changes(ProjectCommands.NONE, USE);
    assertThat(text(changes))
        .contains("#if 200500 /* CUB_VERSION */ >= 200000")
        .contains(
            "#if 8 /* CUDNN_MAJOR */ > 8 || (8 /* CUDNN_MAJOR */ == 8 && 9 /* CUDNN_MINOR */");
    assertThat(changes.counts())
        .containsEntry(GuardPass.LIBRARY, 4)
        .doesNotContainKey(GuardPass.VERSION);
    assertThat(messages(changes))
        .containsExactly(
            "condition on CUB_VERSION: HIP builds now select the branch for CUB 2.5.0",
            "condition on CUDNN_MAJOR: HIP builds now select the branch for cuDNN 8.9.7");
  }

  @Test
  void aDefinitionInAnotherFileIsTheProjects() {
    SourceFile version = SourceFile.of("deep/version.h", "#define CUB_VERSION 101000\n");
    Changes changes = changes(ProjectCommands.NONE, USE, version);
    assertThat(text(changes)).contains("#if CUB_VERSION >= 200000").contains("8 /* CUDNN_MAJOR */");
    assertThat(messages(changes)).hasSize(1);
  }

  @Test
  void aDefinitionInACommandIsTheProjects() {
    TreeMap<String, String> defines = new TreeMap<>();
    defines.put("CUDNN_MAJOR", "7");
    TreeMap<String, ProjectCommands.Unit> units = new TreeMap<>();
    units.put("other.cu", new ProjectCommands.Unit(true, List.of(), defines));
    Changes changes = changes(new ProjectCommands(units), USE);
    assertThat(text(changes))
        .contains("200500 /* CUB_VERSION */")
        .contains("#if CUDNN_MAJOR > 8 || (CUDNN_MAJOR == 8 && CUDNN_MINOR >= 9)");
  }

  @Test
  void theReasonNamesTheLine() {
    Changes changes =
        changes(
            ProjectCommands.NONE,
            SourceFile.of(
                "a.cu",
                """
                #include <cudnn.h>
                #if CUDNN_VERSION >= 8000
                int eight;
                #endif
                #ifdef CUDNN_VERSION
                int v = CUDNN_VERSION;
                #endif
                """));
    assertThat(changes.counts()).doesNotContainKey(GuardPass.LIBRARY);
    assertThat(messages(changes))
        .containsExactly(
            "condition on CUDNN_VERSION is unchanged: line 5 uses CUDNN_VERSION other than in a"
                + " comparison with a number; HIP builds select the branch for when the macro is"
                + " not defined",
            "condition on CUDNN_VERSION is unchanged: line 5 uses CUDNN_VERSION other than in a"
                + " comparison with a number; HIP builds select the branch for when the macro is"
                + " not defined",
            "CUDNN_VERSION outside a condition: the AMD library does not define it");
  }

  @Test
  void aRuleThatIsLeftOutLeavesTheMacroUndefined() {
    assertThat(isReported("CUBLAS_VER_MAJOR >= 12", "")).isFalse();
    assertThat(isReported("CUBLAS_VER_MAJOR >= 12", GuardPass.LIBRARY)).isTrue();
    assertThat(isReported("CUDA_VERSION >= 12000", "")).isFalse();
    assertThat(isReported("CUDA_VERSION >= 12000", GuardPass.VERSION)).isTrue();
  }

  /**
   * Whether PTX in the #else branch is reported: in a branch that HIP never compiles, it is not.
   */
  private static boolean isReported(String condition, String without) {
    PortOptions d = PortOptions.DEFAULT;
    PortOptions options =
        new PortOptions(
            d.launch(),
            d.libs(),
            d.style(),
            d.warp(),
            d.renameSources(),
            d.hip(),
            d.filter().without(without));
    CudaPorter porter = new CudaPorter(RuleCatalog.builtIn(), options);
    SourceFile file =
        SourceFile.of(
            "a.cu",
            """
            #include <cublas_v2.h>
            #if %s
            #else
            __device__ void f() { asm volatile("cp.async.bulk.wait_group 0;"); }
            #endif
            """
                .formatted(condition));
    return porter.port(file, ProjectIndex.of(List.of(porter.scan(file)))).findings().stream()
        .anyMatch(x -> x.line() == 4 && x.severity() == Severity.ERROR);
  }
}
