package dev.rocport.lang.ptx.find;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library has each function that a signal may be, and no other. */
@Tag("toolchain")
final class SignalLibraryTest {
  private static final Path SOURCE =
      Path.of(System.getProperty("rocport.home", "."), "hip-runtime/triton/signals.c");
  private static final Pattern DEFINED = Pattern.compile("(?m)^define .*@(rocport_\\w+)\\(");

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942"})
  void hasEachFunction(String target, @TempDir Path folder) throws Exception {
    Toolchain toolchain = TestToolchain.get();
    Path out = folder.resolve("signals.ll");
    Process process =
        new ProcessBuilder(
                toolchain.clang().toString(),
                "-target",
                "amdgcn-amd-amdhsa",
                "-mcpu=" + target,
                "-nogpulib",
                "-x",
                "c",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-O3",
                "-emit-llvm",
                "-S",
                "-o",
                out.toString(),
                SOURCE.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("log"))).isEmpty();
    SortedSet<String> defined = new TreeSet<>();
    Matcher m = DEFINED.matcher(Files.readString(out));
    while (m.find()) {
      defined.add(m.group(1));
    }
    assertThat(defined).isEqualTo(names());
  }

  private static SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>();
    names.add("rocport_getthreadid");
    for (String scope : List.of("system", "gpu", "cta")) {
      for (String mask : List.of("mask", "nomask", "mask_at", "nomask_at")) {
        for (String order : List.of("relaxed", "release")) {
          names.add("rocport_atomicwrite_" + order + "_" + scope + "_" + mask);
        }
        for (String order : List.of("relaxed", "acquire")) {
          for (String compare : List.of("eq", "ne", "lt", "le", "gt", "ge")) {
            names.add(
                "rocport_atomicspinwait_" + order + "_" + scope + "_while_" + compare + "_" + mask);
          }
        }
      }
    }
    return names;
  }
}
