package dev.rocport.lang.cuda.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Conditions on the version of CUDA in projects that map CUDA names to HIP themselves. */
final class OwnHipBuildTest {
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  private static final String MAPPING =
      Stream.of(
              "Malloc",
              "Free",
              "Memcpy",
              "Memset",
              "Event_t",
              "Stream_t",
              "Error_t",
              "Success",
              "GetDevice",
              "SetDevice")
          .map(n -> "#define cuda%s hip%s\n".formatted(n, n))
          .collect(Collectors.joining());

  private static final SourceFile HIP = SourceFile.of("vendor/hip.h", MAPPING);

  private static final String CONDITIONS =
      """
      #if CUDART_VERSION >= 12000 || defined(APP_MUSA)
      int a;
      #endif
      #ifdef CUDART_VERSION
      int b;
      #endif
      #ifndef CUDA_VERSION
      int c;
      #endif
      #if defined(CUDA_VERSION) && CUDA_VERSION < 11000
      int d;
      #elif defined CUDA_VERSION
      int e;
      #endif
      """;

  private static SourceFile common(String hip) {
    return SourceFile.of(
        "common.cuh",
        """
        #pragma once
        %s
        #include "vendor/hip.h"
        #else
        #include "vendor/cuda.h"
        #endif
        """
            .formatted(hip));
  }

  private static final SourceFile CUDA =
      SourceFile.of(
          "vendor/cuda.h",
          """
          #include <cuda_runtime.h>
          #if CUDART_VERSION >= 11080
          #define EIGHT 1
          #endif
          """);

  private static Changes port(String path, SourceFile... files) {
    List<ProjectIndex.Scan> scans = new ArrayList<>();
    for (SourceFile file : files) {
      scans.add(PORTER.scan(file));
    }
    for (SourceFile file : files) {
      if (file.path().equals(path)) {
        return PORTER.port(file, ProjectIndex.of(scans));
      }
    }
    throw new IllegalArgumentException(path);
  }

  private static String text(Changes changes) {
    byte[] ported = changes.edits().apply(changes.file().bytes());
    return new String(ported, StandardCharsets.UTF_8);
  }

  private static List<String> messages(Changes changes) {
    return changes.findings().stream()
        .filter(f -> f.rule().equals(GuardPass.VERSION))
        .map(Finding::message)
        .toList();
  }

  private static SourceFile use(String text) {
    return SourceFile.of("use.cu", "#include \"common.cuh\"\n" + text);
  }

  @Test
  void theBuildWithTheMappingKeepsItsConditions() {
    SourceFile common = common("#if defined(APP_HIP)");
    Changes changes = port("use.cu", HIP, CUDA, common, use(CONDITIONS));
    String ported = text(changes);
    assertThat(ported)
        .contains(
            """
            #if (defined(APP_HIP) ? CUDART_VERSION : 13000) >= 12000 || defined(APP_MUSA)
            int a;
            #endif
            #if !defined(APP_HIP) || defined(CUDART_VERSION)
            int b;
            #endif
            #if defined(APP_HIP) && !defined(CUDA_VERSION)
            int c;
            #endif
            #if (!defined(APP_HIP) || defined(CUDA_VERSION)) \
            && (defined(APP_HIP) ? CUDA_VERSION : 13000) < 11000
            int d;
            #elif (!defined(APP_HIP) || defined(CUDA_VERSION))
            int e;
            #endif
            """);
    assertThat(messages(changes))
        .hasSize(4)
        .first()
        .asString()
        .isEqualTo(
            "condition on the version of CUDA is unchanged for builds with defined(APP_HIP), in"
                + " which the project maps CUDA names to HIP itself, and HIP defines no such"
                + " macro; other HIP builds select the branch for CUDA 13");

    SourceFile again = SourceFile.of("use.cu", ported);
    assertThat(text(port("use.cu", HIP, CUDA, common, again))).isEqualTo(ported);
  }

  @Test
  void theHeaderOfTheOtherBranchIsPortedAsBefore() {
    Changes changes = port("vendor/cuda.h", HIP, CUDA, common("#ifdef APP_HIP"), use(CONDITIONS));
    assertThat(text(changes)).contains("#if 13000 /* CUDART_VERSION */ >= 11080");
  }

  @Test
  void aConditionThatAlsoExcludesTheBuildIsPortedAsBefore() {
    String text =
        """
        #if !defined(APP_HIP) && CUDART_VERSION >= 11070
        int a;
        #endif
        #ifdef APP_HIP
        int b;
        #elif CUDART_VERSION >= 11000
        int c;
        #endif
        """;
    assertThat(text(port("use.cu", HIP, CUDA, common("#ifdef APP_HIP"), use(text))))
        .contains("#if !defined(APP_HIP) && 13000 /* CUDART_VERSION */ >= 11070")
        .contains("#elif 13000 /* CUDART_VERSION */ >= 11000");
  }

  @Test
  void conditionsStayIfEachHipBuildHasTheMapping() {
    SourceFile common = common("#if defined(APP_HIP) || defined(__HIP_PLATFORM_AMD__)");
    Changes changes = port("use.cu", HIP, CUDA, common, use(CONDITIONS));
    assertThat(text(changes)).contains(CONDITIONS);
    assertThat(messages(changes))
        .hasSize(4)
        .allMatch(m -> m.startsWith("condition on the version of CUDA is unchanged: it counts in"));
  }

  @Test
  void theSecondBranchOfTwoCanBeTheMapping() {
    SourceFile common =
        SourceFile.of(
            "common.cuh",
            "#ifndef APP_ROCM\n#include <cuda.h>\n#else\n%s#endif\n".formatted(MAPPING));
    assertThat(text(port("use.cu", common, use(CONDITIONS))))
        .contains("#if (defined(APP_ROCM) ? CUDART_VERSION : 13000) >= 12000");
  }

  @Test
  void fewNamesAreNoMapping() {
    SourceFile few = SourceFile.of("vendor/hip.h", "#define cudaMalloc hipMalloc\n");
    assertThat(text(port("use.cu", few, CUDA, common("#ifdef APP_HIP"), use(CONDITIONS))))
        .contains("#if 13000 /* CUDART_VERSION */ >= 12000");
  }

  @Test
  void aMappingForEveryBuildIsNone() {
    SourceFile common = SourceFile.of("common.cuh", "#include \"vendor/hip.h\"\n");
    assertThat(text(port("use.cu", HIP, common, use(CONDITIONS))))
        .contains("#if 13000 /* CUDART_VERSION */ >= 12000");
  }

  @Test
  void aBranchThatDependsOnMoreThanHipIsNone() {
    String[] conditions = {"#if defined(APP_HIP) && !defined(APP_FAST)", "#if APP_GPU == 2"};
    for (String condition : conditions) {
      assertThat(text(port("use.cu", HIP, CUDA, common(condition), use(CONDITIONS))))
          .as(condition)
          .contains("#if 13000 /* CUDART_VERSION */ >= 12000");
    }
  }

  @Test
  void namesInTheBranchOfTheBuildAreReported() {
    String text =
        """
        #if CUDART_VERSION >= 12000
        int a;
        #else
        void b() { cudaGridDependencySynchronize(); }
        #endif
        """;
    assertThat(errors(port("use.cu", HIP, CUDA, common("#ifdef APP_HIP"), use(text))))
        .containsExactly("cudaGridDependencySynchronize has no counterpart");
    assertThat(errors(port("use.cu", use(text)))).isEmpty();
  }

  private static List<String> errors(Changes changes) {
    return changes.findings().stream()
        .filter(f -> f.severity() == Severity.ERROR)
        .map(Finding::message)
        .toList();
  }
}
