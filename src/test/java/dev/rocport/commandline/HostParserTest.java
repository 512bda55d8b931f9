package dev.rocport.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.commandline.ToolCommand.Mode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostParserTest {
  private static ToolCommand parse(String line, boolean hip) {
    return HostParser.parse(CommandLine.words(line), Path.of("."), hip);
  }

  @Test
  void keepsFlagsForCompiling() {
    ToolCommand c = parse("-Wall -O2 -I inc -DX -fPIC -MMD -c src/a.cpp -o out/a.o", false);

    assertThat(c.mode()).isEqualTo(Mode.COMPILE);
    assertThat(c.sources()).containsExactly("src/a.cpp");
    assertThat(c.output()).contains("out/a.o");
    assertThat(c.compile()).containsExactly("-Wall", "-O2", "-Iinc", "-DX", "-fPIC");
    assertThat(c.optimised()).isTrue();
    assertThat(c.dependencies().own()).isTrue();
  }

  @Test
  void keepsTheOrderOfWhatIsLinked() {
    ToolCommand c = parse("-o p a.o -Wl,--start-group libx.a -ly -lcudart -Wl,--end-group", false);

    assertThat(c.mode()).isEqualTo(Mode.LINK);
    assertThat(c.link())
        .containsExactly("a.o", "-Wl,--start-group", "libx.a", "-ly", "-Wl,--end-group");
  }

  @Test
  void takesTargetsFromHipcc() {
    ToolCommand c = parse("--offload-arch=gfx906 -fgpu-rdc -march=native -c a.cpp", true);

    assertThat(c.relocatable()).isTrue();
    assertThat(c.compile()).containsExactly("-Xarch_host", "-march=native");
  }

  @Test
  void knowsOutputsOtherThanObjects() {
    assertThat(parse("a.cpp -O2 -S -masm=intel -o a.s", false).mode()).isEqualTo(Mode.ASSEMBLY);
    assertThat(parse("-c -S a.cpp", false).mode()).isEqualTo(Mode.ASSEMBLY);
    assertThat(parse("-E -c a.cpp", false).mode()).isEqualTo(Mode.PREPROCESS);
    assertThat(parse("-E -S a.cpp", false).mode()).isEqualTo(Mode.PREPROCESS);
    assertThat(parse("-MM -c a.cpp", false).mode()).isEqualTo(Mode.DEPENDENCIES_OWN);
    assertThat(parse("-fsyntax-only -c a.cpp", false).mode()).isEqualTo(Mode.SYNTAX);
    assertThat(parse("-S --genco a.hip", true).mode()).isEqualTo(Mode.DEVICE_ONLY);
    assertThat(parse("--genco -S a.hip", true).compile()).containsExactly("-S");
  }

  @Test
  void distinguishesQueriesFromBuilds() {
    assertThat(parse("-dumpversion", false).mode()).isEqualTo(Mode.QUERY);
    assertThat(parse("--version", false).mode()).isEqualTo(Mode.QUERY);
    assertThat(parse("-E -dM -", false).mode()).isEqualTo(Mode.QUERY);
  }

  @Test
  void readsWordsAsShellsDo() {
    assertThat(CommandLine.words("g++ -DA='\"b c\"' -D\"X=1 2\" a\\ b.cpp"))
        .containsExactly("g++", "-DA=\"b c\"", "-DX=1 2", "a b.cpp");
  }

  @Test
  void namesThatNoFileCanHaveNameNone() {
    ToolCommand c =
        CommandLine.parse("g++", List.of("@a\0b", "-Ic\0d", "-c", "a.cpp"), Path.of(""));

    assertThat(c.compile()).containsExactly("-Ic\0d");
    assertThat(c.problems()).isEmpty();
  }

  @Test
  void aCxxDriverCompilesCFilesAsCxx() {
    Path here = Path.of(".");
    List<String> c = List.of("-c", "a.c");
    assertThat(CommandLine.parse("g++", c, here).language()).isEqualTo("c++");
    assertThat(CommandLine.parse("x86_64-linux-gnu-g++-12", c, here).language()).isEqualTo("c++");
    assertThat(CommandLine.parse("clang++", c, here).language()).isEqualTo("c++");
    assertThat(CommandLine.parse("gcc", c, here).language()).isEmpty();
    assertThat(CommandLine.parse("hipcc", c, here).language()).isEmpty();
    assertThat(CommandLine.parse("g++", List.of("-x", "c", "a.c"), here).language()).isEqualTo("c");
    ToolCommand link = CommandLine.parse("g++", List.of("a.c", "b.o", "-o", "p"), here);
    assertThat(link.sources()).containsExactly("a.c");
    assertThat(link.link()).containsExactly("b.o");
  }
}
