package dev.rocport.buildsystem.make;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rocport.buildsystem.TestFiles;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import dev.rocport.singlesource.BuildProof;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What no example of one file shows; the examples are in {@code rules/make}. */
class MakefilesTest {
  private static final String ARCH =
      """
      # GPUs to build for: make ROCM_ARCH="gfx90a gfx942"
      ROCM_ARCH ?= native
      ROCM_ARCHFLAGS ?= $(addprefix --offload-arch=,$(ROCM_ARCH))
      """;
  private static final PortOptions SINGLE =
      new PortOptions(
          PortOptions.Launch.CHEVRONS,
          PortOptions.Libs.HIP,
          PortOptions.Style.SINGLE_SOURCE,
          PortOptions.Warp.AUTO,
          false,
          "6.4",
          RuleFilter.ALL);

  private final SortedMap<String, SourceFile> tree = new TreeMap<>();

  private void file(String path, String text) {
    tree.put(path, SourceFile.of(path, text));
  }

  private BuildPort port(PortOptions options) {
    return Makefiles.SYSTEM.port(RuleCatalog.builtIn(), options, new TestFiles(tree));
  }

  private static String text(Changes c) {
    return new String(c.edits().apply(c.file().bytes()), StandardCharsets.UTF_8);
  }

  private String ported(String path) {
    Changes c = port(PortOptions.DEFAULT).changes().get(path);
    return c == null ? "the same" : text(c);
  }

  private void becomes(String before, String after) {
    file("Makefile", before);
    assertThat(ported("Makefile")).isEqualTo(after);
  }

  @Test
  void longChainsOfVariablesAreFollowedInTimeThatGrowsWithThem() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      text.append("A%d = $(A%d)\n".formatted(i, i + 1));
    }
    text.append("A5000 = nvcc\nall:\n\t$(A0) -use_fast_math -c a.cu\n");
    file("Makefile", text.toString());
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () ->
            assertThat(ported("Makefile"))
                .contains("A5000 = hipcc", "\t$(A0) -fgpu-flush-denormals-to-zero"));
  }

  @Test
  void variablesKeepTheirMeaningAcrossFiles() {
    file(
        "config.mk",
        """
        CUDA_HOME ?= /usr/local/cuda
        FLAGS = -O2 -gencode arch=compute_80,code=sm_80
        export CUDA_HOME
        """);
    file(
        "src/Makefile",
        """
        include ../config.mk
        a.o: a.cu
        	$(CUDA_HOME)/bin/nvcc $(FLAGS) -c $<
        """);

    assertThat(ported("config.mk"))
        .isEqualTo(
            ARCH
                + """
                ROCM_PATH ?= /opt/rocm
                FLAGS = -O2 $(ROCM_ARCHFLAGS)
                export ROCM_PATH
                """);
    assertThat(ported("src/Makefile"))
        .isEqualTo(
            """
            include ../config.mk
            a.o: a.cu
            	$(ROCM_PATH)/bin/hipcc $(FLAGS) -c $<
            """);
  }

  @Test
  void gnusOpenMpStaysWhereNoCodeOfHipccNeedsClangs() {
    becomes(
        """
        tool: tool.o
        	nvcc -o $@ $^ -lgomp
        tool.o: tool.cpp
        	g++ -fopenmp -c $<
        """,
        """
        tool: tool.o
        	hipcc -o $@ $^ -lgomp
        tool.o: tool.cpp
        	g++ -fopenmp -c $<
        """);
  }

  @Test
  void gnusOpenMpThatAHostCompilerLinksWithCodeOfHipccIsReported() {
    file(
        "Makefile",
        """
        LIBS = -lgomp
        a.o: a.cu
        	nvcc -Xcompiler -fopenmp -c $<
        a: a.o
        	g++ -o $@ $^ -lcudart -lgomp
        b: b.o
        	nvcc -o $@ $^ $(LIBS)
        	g++ -o $@ $^ $(LIBS)
        host: host.o
        	g++ -fopenmp -o $@ $^ -lgomp
        """);
    Changes c = port(PortOptions.DEFAULT).changes().get("Makefile");

    assertThat(text(c)).contains("LIBS = -lgomp\n", "-lamdhip64 -lgomp\n", "$^ -lgomp\n");
    assertThat(c.findings())
        .filteredOn(f -> f.message().contains("the GNU OpenMP runtime"))
        .extracting(Finding::line)
        .containsExactly(1, 5);
  }

  @Test
  void aChoiceBetween32And64BitsIsNoError() {
    file(
        "Makefile",
        """
        ifeq ($(BITS),32)
        FLAGS = -m32
        else
        FLAGS = -m64
        endif
        a.o: a.cu
        	nvcc $(FLAGS) -c $<
        """);
    file("only32.mk", "b.o: b.cu\n\tnvcc -m32 -c $<\n");
    SortedMap<String, Changes> changes = port(PortOptions.DEFAULT).changes();

    assertThat(text(changes.get("Makefile"))).contains("FLAGS = -m32\nelse\nFLAGS =\n");
    assertThat(changes.get("Makefile").findings())
        .filteredOn(f -> f.message().contains("-m32"))
        .extracting(Finding::severity)
        .containsExactly(Severity.NOTE);
    assertThat(changes.get("only32.mk").findings())
        .filteredOn(f -> f.message().contains("-m32"))
        .extracting(Finding::severity)
        .containsExactly(Severity.ERROR);
  }

  @Test
  void includedFilesOfAnyNameArePorted() {
    file("Makefile", "include arch/$(MACHINE).opts arch/make.gpu\nall: ; $(CC) x.c\n");
    file("arch/make.gpu", "CC = nvcc\nCFLAGS = -arch=sm_90 -G\n");

    assertThat(ported("arch/make.gpu"))
        .isEqualTo(ARCH + "CC = hipcc\nCFLAGS = $(ROCM_ARCHFLAGS) -g -O0\n");
  }

  @Test
  void wordsOfBothCompilersChangeOnlyWhereTheyAreNvccs() {
    becomes(
        """
        CXXFLAGS = -O2 -w -x c++ -I/usr/local/cuda/include
        NVCCFLAGS = $(CXXFLAGS) -Xcompiler "-fPIC -Wall" -maxrregcount=32
        a.o: a.cpp
        	$(CXX) $(CXXFLAGS) -c $<
        b.o: b.cu
        	$(NVCC) $(NVCCFLAGS) -c $<
        """,
        """
        ROCM_PATH ?= /opt/rocm
        HIPCC ?= hipcc
        CXXFLAGS = -O2 -w -x c++ -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__
        HIPCCFLAGS = $(CXXFLAGS) -fPIC -Wall
        a.o: a.cpp
        	$(CXX) $(CXXFLAGS) -c $<
        b.o: b.cu
        	$(HIPCC) $(HIPCCFLAGS) -c $<
        """);
  }

  @Test
  void aCompilerThatIsNvccAtTimesKeepsItsName() {
    becomes(
        """
        ifeq ($(USE_CUDA),1)
        CXX = nvcc -arch=sm_70
        else
        CXX = g++
        endif
        a.o: a.cpp
        	$(CXX) -O2 -c $< -o $@
        """,
        ARCH
            + """
            ifeq ($(USE_CUDA),1)
            CXX = hipcc $(ROCM_ARCHFLAGS)
            else
            CXX = g++
            endif
            a.o: a.cpp
            	$(CXX) -O2 -c $< -o $@
            """);
  }

  @Test
  void functionsOfMakeAreReadInside() {
    becomes(
        """
        ARCHES = 70 80
        GEN := $(foreach a,$(ARCHES),-gencode arch=compute_$(a),code=sm_$(a))
        FLAGS := $(GEN) $(if $(DEBUG),-G,-lineinfo) $(patsubst %,-Xcompiler %,$(HOST)) -Xcompiler $(subst $(space),$(comma),$(strip $(MORE)))
        a: a.cu
        	$(NVCC) $(FLAGS) $(GEN) -o $@ $<
        """,
        ARCH.replace("# GPUs", "HIPCC ?= hipcc\n# GPUs")
            + """
            ARCHES = 70 80
            GEN := $(ROCM_ARCHFLAGS)
            FLAGS := $(GEN) $(if $(DEBUG),-g -O0,-gline-tables-only) $(HOST) $(MORE)
            a: a.cu
            	$(HIPCC) $(FLAGS) $(GEN) -o $@ $<
            """);
  }

  @Test
  void computedNamesAndSearchesForTheCompilerAreFollowed() {
    becomes(
        """
        BIN := $(firstword $(wildcard $(addsuffix /nvcc,$(DIRS)) /usr/local/cuda/bin/nvcc))
        CUDA_ROOT := $(patsubst %/bin/nvcc,%,$(BIN))
        FLAGS_dbg = -G -lineinfo
        a: a.cu
        	$(BIN) $(FLAGS_$(BUILD)) -L$(CUDA_ROOT)/lib64 -o $@ $<
        """,
        """
        BIN := $(firstword $(wildcard $(addsuffix /hipcc,$(DIRS)) /opt/rocm/bin/hipcc))
        ROCM_PATH := $(patsubst %/bin/hipcc,%,$(BIN))
        FLAGS_dbg = -g -O0 -gline-tables-only
        a: a.cu
        	$(BIN) $(FLAGS_$(BUILD)) -L$(ROCM_PATH)/lib -o $@ $<
        """);
  }

  @Test
  void definitionsTargetsAndContinuedLinesAreRead() {
    becomes(
        """
        define compile
        $(1).o: $(1).cu
        	nvcc -dc -arch sm_80 $$< -o $$@
        endef
        debug: NVCC_FLAGS += -G
        NVCC_FLAGS = -O3 \\
          -ccbin g++ \\
          -std=c++17 # as always
        $(foreach s,a b,$(eval $(call compile,$(s))))
        prog: a.o b.o; nvcc $(NVCC_FLAGS) $^ -o $@
        """,
        ARCH
            + """
            define compile
            $(1).o: $(1).cu
            	hipcc -fgpu-rdc -c $(ROCM_ARCHFLAGS) $$< -o $$@
            endef
            debug: HIPCC_FLAGS += -g -O0
            HIPCC_FLAGS = -O3 \\
              -std=c++17 # as always
            $(foreach s,a b,$(eval $(call compile,$(s))))
            prog: a.o b.o; hipcc -fgpu-rdc --hip-link $(ROCM_ARCHFLAGS) $(HIPCC_FLAGS) $^ -o $@
            """);
  }

  @Test
  void anMpiWrapperThatLinksDeviceCodeCallsHipcc() {
    becomes(
        """
        NVCC = nvcc
        LD := mpicxx
        %.o: %.cu
        	$(NVCC) -dc -arch sm_80 $< -o $@
        prog: a.o b.o
        	@$(LD) a.o b.o -o $@ -lcudart
        other: a.o
        	mpicc a.o -o $@ -lcudart
        plain: a.o
        	g++ a.o -o $@ -lcudart
        """,
        ARCH
            + """
            HIPCC = hipcc
            LD := mpicxx
            %.o: %.cu
            	$(HIPCC) -fgpu-rdc -c $(ROCM_ARCHFLAGS) $< -o $@
            prog: a.o b.o
            	@env OMPI_CC=$(HIPCC) OMPI_CXX=$(HIPCC) MPICH_CC=$(HIPCC) MPICH_CXX=$(HIPCC) $(LD) -fgpu-rdc --hip-link $(ROCM_ARCHFLAGS) a.o b.o -o $@ -lamdhip64
            other: a.o
            	env OMPI_CC=$(HIPCC) OMPI_CXX=$(HIPCC) MPICH_CC=$(HIPCC) MPICH_CXX=$(HIPCC) mpicc -fgpu-rdc --hip-link $(ROCM_ARCHFLAGS) a.o -o $@ -lamdhip64
            plain: a.o
            	$(HIPCC) -fgpu-rdc --hip-link $(ROCM_ARCHFLAGS) a.o -o $@ -lamdhip64
            """);
  }

  @Test
  void whatRocmDoesNotHaveIsAnErrorAtItsPlace() {
    file(
        "Makefile",
        """
        CUDA_PATH ?= /usr/local/cuda
        INC = -I$(CUDA_PATH)/samples/common/inc
        LIBS = -lnppc
        SM := $(shell nvidia-smi --query-gpu=compute_cap --format=csv)
        a: a.cu
        	nvcc $(INC) -run -o $@ $< $(LIBS)
        """);

    assertThat(port(PortOptions.DEFAULT).changes().get("Makefile").findings())
        .filteredOn(f -> f.disposition() != Disposition.PORTED)
        .extracting(Finding::line, Finding::rule)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(3, "MAKE-UNKNOWN"),
            org.assertj.core.groups.Tuple.tuple(4, "MAKE-UNKNOWN"),
            org.assertj.core.groups.Tuple.tuple(6, "MAKE-UNKNOWN"));
  }

  @Test
  void makefilesWithoutCudaStayAsTheyAre() {
    becomes("CC = gcc\nall: a.o\n\t$(CC) -o a a.o -lm\n", "the same");
    becomes("# Generated by qmake\nCC = nvcc\n", "the same");
  }

  @Test
  void oneTreeForBothHasGatesThatComeOutAgain() {
    for (String text :
        new String[] {
          "a: a.cu\n\tnvcc -o $@ $<\n",
          "a: a.cu\n\tnvcc -o $@ $<",
          "#!/usr/bin/make -f\na: a.cu\n\tnvcc -arch=sm_80 -o $@ $<\n# end",
          "a: a.cu\r\n\tnvcc -o $@ $<\r\n",
          "ifdef X\nelse\nendif\na: a.cu\n\tnvcc -o $@ $<\n\n\n"
        }) {
      file("sub/Makefile", text);
      BuildPort port = port(SINGLE);
      SourceFile now = SourceFile.of("sub/Makefile", text(port.changes().get("sub/Makefile")));

      assertThat(MakeGate.GATE.count(now)).isEqualTo(2);
      assertThat(MakeGate.GATE.leak(now)).isEmpty();
      assertThat(new String(MakeGate.GATE.strip(now), StandardCharsets.UTF_8)).isEqualTo(text);
      assertThat(port.added().get("sub/Makefile.rocm").content()).contains("hipcc");
    }
  }

  /** Its name says nothing, and what make reads in it must be a comment of make. */
  @Test
  void anIncludedFileHasGatesOfMakefiles() {
    file("Makefile", "include rules.txt\n");
    file("rules.txt", "a: a.cu\n\tnvcc -o $@ $<\n");
    SourceFile before = tree.get("rules.txt");
    Changes changes = port(SINGLE).changes().get("rules.txt");
    SourceFile now = SourceFile.of("rules.txt", text(changes));

    assertThat(text(changes)).startsWith("# rocport: begin rocm\n");
    assertThat(BuildProof.failure(before, now)).isEmpty();
  }

  @Test
  void aGateThatDoesMoreIsALeak() {
    String gate =
        """
        # rocport: begin rocm
        ifeq ($(USE_ROCM),1)
        include $(dir $(lastword $(MAKEFILE_LIST)))Makefile.rocm
        else
        # rocport: end rocm
        all:
        # rocport: begin rocm
        endif
        # rocport: end rocm
        """;

    assertThat(leak(gate)).isEmpty();
    assertThat(leak(gate.replace("else\n", "else\nCC = hipcc\n"))).contains("line 6");
    assertThat(leak(gate.replace("endif\n", "endif\nCC = hipcc\n"))).contains("line 10");
    assertThat(leak(gate + "all: b\n")).contains("line 10");
    assertThat(leak("X = 1\n" + gate)).contains("line 1");
    assertThat(leak(gate.substring(0, gate.lastIndexOf("# rocport: begin")))).contains("no endif");
  }

  private static String leak(String text) {
    return MakeGate.GATE.leak(SourceFile.of("Makefile", text)).orElse("");
  }

  @Test
  void whatCannotStandBehindAConditionKeepsItsText() {
    for (String text :
        new String[] {
          "ifdef X\na: a.cu\n\tnvcc -o $@ $<\n",
          "USE_ROCM ?= 0\na: a.cu\n\tnvcc -o $@ $<\n",
          "a: a.cu\n\tnvcc -o $@ $< \\\n"
        }) {
      file("Makefile", text);
      Changes c = port(SINGLE).changes().get("Makefile");
      assertThat(leak(text)).as("a makefile without gates").isEmpty();

      assertThat(text(c)).isEqualTo(text);
      assertThat(c.findings()).anyMatch(f -> f.rule().equals("MAKE-GATE"));
    }
  }
}
