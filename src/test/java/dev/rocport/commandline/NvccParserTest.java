package dev.rocport.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.rocport.commandline.ToolCommand.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvccParserTest {
  @TempDir private Path folder;

  private ToolCommand parse(String line) {
    return NvccParser.parse(CommandLine.words(line), folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-arch=sm_80|",
        "-arch sm_80|",
        "--gpu-architecture=compute_70|",
        "-gencode arch=compute_70,code=sm_70 -gencode=arch=compute_80,code=sm_80|",
        "-std=c++14|-std=c++14",
        "--std c++20|-std=c++20",
        "-O3|-O3",
        "-O 3|-O3",
        "-Iinclude -I../x|-Iinclude -I../x",
        "-I a,b|-Ia -Ib",
        "--include-path=inc|-Iinc",
        "-isystem sys|-isystem sys",
        "-DN=4 -D M -UK|-DN=4 -DM -UK",
        "-DA=1,B -DV='\"x, y\"'|-DA=1 -DB -DV=\"x, y\"",
        "-include first.h,second.h|-include first.h -include second.h",
        "-G|-g -O0",
        "-lineinfo|-gline-tables-only",
        "-Xcompiler -Wall,-fPIC|-Wall -fPIC",
        "-Xcompiler -export-dynamic|-rdynamic",
        "-Xcompiler \"-Wall -Wextra\"|-Wall -Wextra",
        "--compiler-options=-Wall|-Wall",
        "-Xcompiler -march=native|-Xarch_host -march=native",
        "-Xcompiler -finstrument-functions|-Xarch_host -finstrument-functions",
        "--fmad=false|-ffp-contract=off",
        "-ftz=true -prec-div=false|-fgpu-flush-denormals-to-zero"
            + " -fno-hip-fp32-correctly-rounded-divide-sqrt",
        "-ftz=false -prec-div=true|",
        "--default-stream per-thread|-fgpu-default-stream=per-thread",
        "--default-stream legacy|",
        "--expt-relaxed-constexpr --extended-lambda|",
        "-ccbin g++ -m64 -Xptxas -v,-O3 --threads 4|",
        "-maxrregcount=32 -diag-suppress 177|",
      })
  void translatesCompileFlags(String nvcc, String clang) {
    ToolCommand c = parse(nvcc + " -c a.cu");

    assertThat(c.problems()).isEmpty();
    assertThat(c.mode()).isEqualTo(Mode.COMPILE);
    assertThat(c.sources()).containsExactly("a.cu");
    assertThat(String.join(" ", c.compile())).isEqualTo(clang == null ? "" : clang);
  }

  @Test
  void turnsNvidiasLibrariesToAmds() {
    ToolCommand c = parse("a.o b.o -o prog -Llib -lcublas -lcudart -lcurand -lm -lmine");

    assertThat(c.mode()).isEqualTo(Mode.LINK);
    assertThat(c.output()).contains("prog");
    assertThat(c.link())
        .containsExactlyInAnyOrder(
            "a.o", "b.o", "-Llib", "-lhipblas", "-lhiprand", "-lm", "-lmine");
  }

  @Test
  void knowsRelocatableDeviceCode() {
    assertThat(parse("-dc a.cu").relocatable()).isTrue();
    assertThat(parse("-rdc=true -c a.cu").relocatable()).isTrue();
    assertThat(parse("-rdc true -c a.cu").relocatable()).isTrue();
    assertThat(parse("--relocatable-device-code=false -c a.cu").relocatable()).isFalse();
    assertThat(parse("-dlink a.o -o d.o").mode()).isEqualTo(Mode.DEVICE_LINK);
  }

  @Test
  void knowsDependencyFlags() {
    ToolCommand c = parse("-MMD -MP -MF a.d -MT x.o -c a.cu -o x.o");

    assertThat(c.dependencies())
        .isEqualTo(new ToolCommand.Dependencies(true, true, "a.d", "x.o", true));
  }

  @Test
  void reportsWhatNvccDoesNotKnow() {
    assertThat(parse("--no-such-flag -c a.cu").problems())
        .containsExactly("unknown nvcc flag --no-such-flag");
    assertThat(parse("--forward-unknown-to-host-compiler -fno-plt -c a.cu").compile())
        .containsExactly("-fno-plt");
  }

  @Test
  void reportsWhatHasNoCounterpart() {
    assertThat(parse("-optix-ir a.cu").problems()).hasSize(1);
    assertThat(parse("-maxrregcount 32 -c a.cu").notes())
        .singleElement()
        .asString()
        .startsWith("-maxrregcount 32 is left out: ");
    assertThat(parse("a.o -lnppc").notes()).singleElement().asString().contains("-lnppc");
  }

  @Test
  void leavesOutFoldersWithCudasOwnHeaders() throws Exception {
    Files.createDirectories(folder.resolve("cuda/include"));
    Files.createFile(folder.resolve("cuda/include/cuda_runtime.h"));

    assertThat(parse("-Icuda/include -Imine -c a.cu").compile()).containsExactly("-Imine");
  }

  @Test
  void readsOptionFiles() throws Exception {
    Files.writeString(folder.resolve("flags"), "-DA=\"b c\" -O1\n-std=c++17");

    assertThat(parse("-optf flags -c a.cu").compile())
        .containsExactly("-DA=b c", "-O1", "-std=c++17");
  }

  @Test
  void forcesTheLanguage() {
    assertThat(parse("-x cu -c a.cpp").language()).isEqualTo("hip");
    assertThat(parse("-c a.cpp").language()).isEmpty();
  }

  @Test
  void everyFlagOfTheTableIsHandled() {
    for (NvccTables.Flag flag : NvccTables.flags()) {
      for (String name : List.of("--" + flag.name(), "-" + flag.shortName())) {
        List<String> args = new ArrayList<>(List.of(name));
        if (flag.value() != NvccTables.Value.NONE) {
          args.add(flag.value() == NvccTables.Value.BOOL ? "true" : "1");
        }
        args.add("a.cu");
        assertThatCode(() -> assertThat(NvccParser.parse(args, folder).sources()).contains("a.cu"))
            .as(name)
            .doesNotThrowAnyException();
        if (flag.action().equals("drop") || flag.action().equals("note")) {
          assertThat(flag.reason()).as(name).isNotEmpty();
        }
      }
    }
  }

  @Test
  void namesThatNoFileCanHaveNameNone() {
    ToolCommand c = NvccParser.parse(List.of("-Ia\0b", "-optf", "c\0d", "-c", "a.cu"), folder);

    assertThat(c.compile()).contains("-Ia\0b");
    assertThat(c.problems()).containsExactly("option file c\0d cannot be read");
  }
}
