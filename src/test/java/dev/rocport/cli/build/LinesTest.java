package dev.rocport.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.cli.CommandLines;
import dev.rocport.device.DeviceProcess;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.isa.Target;
import dev.rocport.io.elf.ElfFile;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds keep source lines unless an option removes them; the machine code is the same. */
@Tag("device")
class LinesTest {
  private static final Path KERNELS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/kernels");

  /** Line 3 stores out of bounds. */
  private static final String HEADER =
      """
      #pragma once
      __device__ inline void store(float* p, int i) {
        p[i] = 1.0f;
      }
      """;

  private static final List<String> TARGETS = TestProfile.targets(0);

  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      #include <cstdio>
      #include "../include/store.h"
      __global__ void fill(float* p) {
        store(p, threadIdx.x + (1 << 24));
      }
      int main() {
        float* p = nullptr;
        if (hipMalloc(&p, 256) != hipSuccess) return 2;
        fill<<<1, 64>>>(p);
        std::printf("%d\\n", hipDeviceSynchronize());
      }
      """;

  @TempDir private Path folder;

  private Path tree(String name, String makefile) throws IOException {
    Path tree = Files.createDirectory(folder.resolve(name));
    Files.writeString(tree.resolve("Makefile"), makefile);
    Files.createDirectories(tree.resolve("src"));
    Files.createDirectories(tree.resolve("include"));
    Files.writeString(tree.resolve("include/store.h"), HEADER);
    Files.writeString(tree.resolve("src/fill.hip"), SOURCE);
    return tree;
  }

  private static void build(Path tree, String... more) {
    String[] words = new String[5 + more.length];
    List.of("build", tree + "", "--no-cache", "--target", String.join(",", TARGETS)).toArray(words);
    System.arraycopy(more, 0, words, 5, more.length);
    CommandLines build = CommandLines.run(words);
    assertThat(build.code()).as(build.out() + build.err()).isZero();
  }

  /** The sections of a program's or an object's code for a target. */
  private static Map<String, ByteBuffer> code(Path file, String target) throws IOException {
    Map<String, ByteBuffer> sections = new TreeMap<>();
    for (ElfFile.Section s : ElfFile.read(file).sections()) {
      if (s.name().equals(".hip_fatbin")) {
        byte[] bundle = new byte[s.content().remaining()];
        s.content().duplicate().get(bundle);
        byte[] image = FatBinary.select(bundle, Target.named(target).orElseThrow()).orElseThrow();
        ElfFile.of(ByteBuffer.wrap(image), target)
            .sections()
            .forEach(x -> sections.put(x.name(), x.content()));
      }
    }
    return sections;
  }

  @Test
  void machineCodeIsTheSameWithLinesAndWithout() throws Exception {
    List<String> all = List.of("fft", "hash_table", "reduce_types");
    List<String> kernels = TestProfile.isFull() ? all : all.subList(0, 1);
    String makefile =
        """
        all: %s
        %%.O0.o: %%.hip
        	hipcc -O0 -c -o $@ $<
        %%.O3.o: %%.hip
        	hipcc -O3 -c -o $@ $<
        """
            .formatted(
                String.join(" ", kernels.stream().map(k -> k + ".O0.o " + k + ".O3.o").toList()));
    for (String name : List.of("with", "without")) {
      Path tree = tree(name, makefile);
      Files.copy(KERNELS.resolve("check.h"), tree.resolve("check.h"));
      for (String kernel : kernels) {
        Files.copy(KERNELS.resolve(kernel + ".hip"), tree.resolve(kernel + ".hip"));
      }
    }

    build(folder.resolve("with"));
    build(folder.resolve("without"), "-g0");

    for (String kernel : kernels) {
      for (String object : List.of(kernel + ".O0.o", kernel + ".O3.o")) {
        for (String target : TARGETS) {
          var with = code(folder.resolve("with/build-rocport/tree/" + object), target);
          var without = code(folder.resolve("without/build-rocport/tree/" + object), target);
          assertThat(with.keySet()).contains(".debug_line", ".text", ".rodata");
          assertThat(without.keySet()).contains(".text").doesNotContain(".debug_line");
          // .rodata has the kernel descriptors: registers, LDS and scratch.
          for (String section : List.of(".text", ".rodata")) {
            assertThat(with.get(section)).as(object + section).isEqualTo(without.get(section));
          }
        }
      }
    }
  }

  /** Whoever runs the build's programs knows the tree, not the copy that it was built in. */
  @ParameterizedTest
  @ValueSource(strings = {"fill.hip", "$(CURDIR)/src/fill.hip"})
  void faultsNameTheTreesOwnFiles(String fill) throws Exception {
    Path tree = tree("tree", "all:\n\tcd src && hipcc -O2 -o ../fill " + fill + "\n");

    build(tree);

    HipRuntime runtime = TestToolchain.runtime();
    try (DeviceProcess device = DeviceProcess.start("--memory", "256")) {
      ProcessBuilder run = new ProcessBuilder(tree + "/build-rocport/tree/fill");
      runtime.into(run.environment());
      run.environment().put("ROCPORT_DEVICE", device.socket() + "");
      Path out = folder.resolve("out.txt");
      run.redirectErrorStream(true).redirectOutput(out.toFile()).start().waitFor();
      assertThat(Files.readString(out))
          .contains(" include/store.h:3 in store (inlined into fill at src/fill.hip:5)");
    }
  }

  @Test
  void aProjectsOwnWishIsKept() throws Exception {
    Path tree =
        tree("tree", "all:\n\tcd src && hipcc -g0 -c fill.hip && hipcc -g -c -o g.o fill.hip\n");

    build(tree);

    Path made = tree.resolve("build-rocport/tree/src");
    assertThat(code(made.resolve("fill.o"), TARGETS.getFirst())).doesNotContainKey(".debug_line");
    Map<String, ByteBuffer> full = code(made.resolve("g.o"), TARGETS.getFirst());
    assertThat(full.get(".debug_info").remaining()).isGreaterThan(2000);
    // A debugger finds the sources of the tree.
    String paths = text(full, ".debug_line_str");
    assertThat(paths).contains(tree.toRealPath() + "/src").doesNotContain("build-rocport");
  }

  @Test
  void aCopyOfTheTreeHasTheSameLines() throws Exception {
    String makefile = "all:\n\tcd src && hipcc -O2 -c fill.hip\n";
    for (String name : List.of("one", "two")) {
      build(tree(name, makefile));
    }

    Path object = Path.of("build-rocport/tree/src/fill.o");
    Map<String, ByteBuffer> one = code(folder.resolve("one").resolve(object), TARGETS.getFirst());
    Map<String, ByteBuffer> two = code(folder.resolve("two").resolve(object), TARGETS.getFirst());
    assertThat(one.get(".debug_line")).isEqualTo(two.get(".debug_line"));
    assertThat(text(one, ".debug_line_str"))
        .isEqualTo(text(two, ".debug_line_str"))
        .contains("/rocport.tree/src")
        .doesNotContain(folder + "");
  }

  private static String text(Map<String, ByteBuffer> sections, String name) {
    ByteBuffer content = sections.getOrDefault(name, ByteBuffer.allocate(0)).duplicate();
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
