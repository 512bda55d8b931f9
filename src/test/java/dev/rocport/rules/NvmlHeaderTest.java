package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code rocport/nvml.h} with an AMD SMI of fixed values: units, error codes, order of GPUs. */
@Tag("toolchain")
final class NvmlHeaderTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"c,c99", "c,gnu17", "c++,c++11", "c++,c++20"})
  void convertsUnitsAndErrors(String language, String standard) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("-x", language, "-std=" + standard, "-O1", "-Wall", "-Wextra"));
    arguments.addAll(List.of("-Werror", "-I" + HOME.resolve("hip-runtime/include")));
    TestToolchain.get().sysroot().ifPresent(s -> arguments.add("--sysroot=" + s));
    arguments.addAll(List.of("-isystem", TestToolchain.get().include() + ""));
    arguments.addAll(List.of("-idirafter", HOME.resolve("hip-runtime/amdsmi/include") + ""));
    arguments.add("-lstdc++");
    Path program =
        TestCompiler.compile(HOME.resolve("src/test/nvml/units.c").toAbsolutePath(), arguments)
            .made();
    Exec.Outcome run =
        Exec.run(List.of(program.toString()), folder, Map.of(), Duration.ofMinutes(1));
    assertThat(run.stdout()).isEqualTo("PASS\n");
    assertThat(run.ok()).isTrue();
  }
}
