package dev.rocport.buildsystem.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What no example shows; the examples are in {@code rules/make}. */
class BuildScriptsTest {
  private static final PortOptions SINGLE =
      new PortOptions(
          PortOptions.Launch.CHEVRONS,
          PortOptions.Libs.HIP,
          PortOptions.Style.SINGLE_SOURCE,
          PortOptions.Warp.AUTO,
          false,
          "6.4",
          RuleFilter.ALL);

  private static BuildPort port(PortOptions options, String path, String text) {
    return BuildScripts.SYSTEM.port(
        RuleCatalog.builtIn(), options, ProjectFiles.of(SourceFile.of(path, text)));
  }

  private static String ported(String path, String text) {
    Changes c = port(PortOptions.DEFAULT, path, text).changes().get(path);
    return c == null ? "the same" : text(c);
  }

  private static String text(Changes c) {
    return new String(c.edits().apply(c.file().bytes()), StandardCharsets.UTF_8);
  }

  @Test
  void commandsAreReadWhereverTheyStand() {
    assertThat(
            ported(
                "build.sh",
                """
                build() { nvcc -O2 -c "$1" -o "$2"; }
                if ! nvcc -o a a.cu; then exit 1; fi
                [ -f b ] || (cd sub && nvcc --ptxas-options=-v -o b b.cu) # all of it
                NVCC=nvcc make -j4 NVCC=/usr/local/cuda/bin/nvcc
                log=$(nvcc -o c c.cu 2>&1)
                case $1 in
                  fast) nvcc --use_fast_math -o d d.cu ;;
                esac
                """))
        .isEqualTo(
            """
            ROCM_PATH="${ROCM_PATH:-/opt/rocm}"
            build() { hipcc -O2 -c "$1" -o "$2"; }
            if ! hipcc -o a a.cu; then exit 1; fi
            [ -f b ] || (cd sub && hipcc -o b b.cu) # all of it
            HIPCC=hipcc make -j4 HIPCC=${ROCM_PATH}/bin/hipcc
            log=$(hipcc -o c c.cu 2>&1)
            case $1 in
              fast) hipcc -fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt -fgpu-approx-transcendentals -o d d.cu ;;
            esac
            """);
  }

  @Test
  void flagsAreFollowedThroughVariables() {
    assertThat(
            ported(
                "compile.sh",
                """
                OPT="-O3"
                OPT="$OPT -Xcompiler '-Wall -Wextra'"
                export GENCODE='-gencode arch=compute_80,code=sm_80'
                nvcc $OPT ${GENCODE} \\
                  -ccbin g++-12 \\
                  -o a a.cu
                """))
        .isEqualTo(
            """
            # GPUs to build for, separated by commas: ROCM_ARCH=gfx90a,gfx942
            ROCM_ARCHFLAGS="--offload-arch=${ROCM_ARCH:-native}"
            OPT="-O3"
            OPT="$OPT -Wall -Wextra"
            export GENCODE="${ROCM_ARCHFLAGS}"
            hipcc $OPT ${GENCODE} \\
              -o a a.cu
            """);
  }

  @Test
  void whatIsReadAsDataIsLeftAloneWithAWarning() {
    String text = "cat > run.sh <<EOF\nnvcc -o a a.cu\nEOF\n";

    Changes c =
        port(PortOptions.DEFAULT, "build.sh", text + "nvcc -c b.cu\n").changes().get("build.sh");

    assertThat(text(c)).isEqualTo(text + "hipcc -c b.cu\n");
    assertThat(c.findings())
        .singleElement()
        .matches(f -> f.severity() == Severity.WARNING && f.line() == 1);
  }

  @Test
  void aProgramThatStartsTheHostsCompilerStays() {
    assertThat(
            ported(
                "build.sh",
                """
                : "${NVCC:=$(find_it)}"
                $NVCC -rdc=true -c a.cu
                run "$CXX" -I "$(dirname "$(dirname "$NVCC")")/include" -c b.cpp
                run "$CXX" a.o b.o -L"$(dirname "$(dirname "$NVCC")")/lib64" -lcudart -o b
                """))
        .isEqualTo(
            """
            # GPUs to build for, separated by commas: ROCM_ARCH=gfx90a,gfx942
            ROCM_ARCHFLAGS="--offload-arch=${ROCM_ARCH:-native}"
            : "${HIPCC:=$(find_it)}"
            $HIPCC -fgpu-rdc -c a.cu
            run "$CXX" -I "$(dirname "$(dirname "$HIPCC")")/include" -D__HIP_PLATFORM_AMD__ -c b.cpp
            run ${HIPCC} -fgpu-rdc --hip-link ${ROCM_ARCHFLAGS} a.o b.o -L"$(dirname "$(dirname "$HIPCC")")/lib" -lamdhip64 -o b
            """);
  }

  @Test
  void aLinkByAnUnknownProgramIsReported() {
    String text = "nvcc -dc a.cu\nlink_it $TOOL a.o b.o -lcudart -o b\n";
    Changes c = port(PortOptions.DEFAULT, "build.sh", text).changes().get("build.sh");

    assertThat(text(c)).contains("link_it $TOOL a.o b.o -lcudart -o b");
    assertThat(c.findings())
        .filteredOn(f -> f.severity() == Severity.ERROR)
        .singleElement()
        .matches(f -> f.line() == 2);
  }

  @Test
  void otherScriptsStayAsTheyAre() {
    assertThat(ported("build.sh", "gcc -o a a.c\n")).isEqualTo("the same");
    assertThat(ported("build", "#!/usr/bin/perl\nsystem('nvcc a.cu');\n")).isEqualTo("the same");
    assertThat(ported("run.sh", "echo nvcc is CUDA\\'s compiler\n")).isEqualTo("the same");
  }

  @Test
  void oneScriptForBothGivesTheOriginalBack() {
    for (String text :
        new String[] {"#!/bin/sh\nnvcc a.cu\n", "nvcc a.cu", "#!/bin/bash\r\nnvcc a.cu\r\n"}) {
      BuildPort port = port(SINGLE, "sub/build.sh", text);
      SourceFile now = SourceFile.of("sub/build.sh", text(port.changes().get("sub/build.sh")));

      assertThat(ScriptGate.GATE.count(now)).isEqualTo(1);
      assertThat(ScriptGate.GATE.leak(now)).isEmpty();
      assertThat(new String(ScriptGate.GATE.strip(now), StandardCharsets.UTF_8)).isEqualTo(text);
      assertThat(port.added().get("sub/build.rocm.sh").content()).contains("hipcc a.cu");
    }
  }

  @Test
  void aGateThatDoesMoreIsALeak() {
    String text =
        text(port(SINGLE, "build.sh", "#!/bin/sh\nnvcc a.cu\n").changes().get("build.sh"));

    assertThat(ScriptGate.GATE.leak(SourceFile.of("build.sh", text))).isEmpty();
    assertThat(ScriptGate.GATE.leak(SourceFile.of("build.sh", text.replace("fi\n", "fi\nrm x\n"))))
        .isPresent();
    assertThat(ScriptGate.GATE.leak(SourceFile.of("build.sh", "#!/bin/sh\necho\n" + text)))
        .isPresent();
  }
}
