package dev.rocport.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.commandline.NvccTables.Flag;
import dev.rocport.commandline.NvccTables.Value;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Each row of the table of nvcc's flags: complete, taken by clang, read alike everywhere. */
@Tag("toolchain")
class NvccFlagsTest {
  private static final Set<String> ACTIONS =
      Set.of(
          "pass",
          "link",
          "drop",
          "note",
          "refuse",
          "mode",
          "depend",
          "output",
          "output-folder",
          "include",
          "library",
          "library-path",
          "relocatable",
          "language",
          "standard",
          "optimize",
          "host",
          "forward",
          "switch",
          "stream",
          "options-file",
          "query");

  /** What the text of a build file cannot say in another way. */
  private static final Set<String> NOT_IN_TEXT = Set.of("output-folder", "options-file", "query");

  @TempDir private static Path folder;

  private static List<String> values(Flag flag) {
    return switch (flag.action()) {
      case "standard" -> List.of("c++17", "c++20");
      case "optimize" -> List.of("0", "3", "max");
      case "language" -> List.of("cu", "c++");
      case "stream" -> List.of("per-thread", "legacy");
      case "library" -> List.of("m", "cublas", "cudart", "cublas,cufft");
      case "host" ->
          List.of("-Wall", "-Wall,-fno-strict-aliasing", "-march=x86-64-v2", "-O2 -fopenmp", "/W3");
      case "include", "library-path" -> List.of("dir", "dir,other", "a dir,other");
      case "options-file" -> List.of("options");
      case "output" -> List.of("out.o");
      case "link" -> List.of("-z,relro", "-rpath,dir");
      default ->
          switch (flag.value()) {
            case NONE -> List.of("");
            case BOOL -> List.of("true", "false");
            case LIST, JOINED ->
                flag.name().equals("define-macro")
                    ? List.of("X", "X=1", "X=1,Y", "X=\"a,b\"")
                    : flag.name().equals("threads") ? List.of("4") : List.of("one", "one,two");
            case ONE -> List.of("1");
          };
    };
  }

  /** Each way to write it down. */
  private static List<List<String>> forms(Flag flag, String value) {
    if (flag.value() == Value.NONE) {
      return List.of(List.of("--" + flag.name()), List.of("-" + flag.shortName()));
    }
    List<List<String>> forms = new ArrayList<>();
    for (String name : List.of("--" + flag.name(), "-" + flag.shortName())) {
      forms.add(List.of(name, value));
      forms.add(List.of(name + "=" + value));
      forms.add(List.of(name, value, name, value));
    }
    if (flag.value() == Value.JOINED && flag.shortName().length() == 1) {
      boolean number = flag.action().equals("optimize") && !value.matches("\\d");
      if (!number) {
        forms.add(List.of("-" + flag.shortName() + value));
      }
    }
    return forms;
  }

  @Test
  void hasEveryOptionOfNvcc() throws IOException {
    String list;
    try (InputStream in = NvccFlagsTest.class.getResourceAsStream("options.tsv")) {
      assertThat(in).isNotNull();
      list = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<String> options = list.lines().filter(l -> !l.startsWith("#")).toList();
    assertThat(options).hasSizeGreaterThan(140);
    assertThat(NvccTables.flags().stream().map(f -> f.name() + "\t" + f.shortName()).toList())
        .containsAll(options);
  }

  @Test
  void saysWhyWhatIsLeftOutIsLeftOut() {
    for (Flag flag : NvccTables.flags()) {
      assertThat(ACTIONS).as(flag.name()).contains(flag.action());
      boolean lost = Set.of("drop", "note", "refuse").contains(flag.action());
      assertThat(lost && flag.reason().isEmpty()).as(flag.name()).isFalse();
      boolean detailed = Set.of("pass", "link", "mode", "switch").contains(flag.action());
      assertThat(detailed && flag.detail().isEmpty()).as(flag.name()).isFalse();
    }
  }

  @TestFactory
  Stream<DynamicTest> commandsThatAreRunAndThoseInTextsComeToTheSame() throws IOException {
    Files.writeString(folder.resolve("options"), "-DX\n");
    return NvccTables.flags().stream()
        .map(f -> DynamicTest.dynamicTest(f.name(), () -> comesToTheSame(f)));
  }

  private static void comesToTheSame(Flag flag) {
    for (String value : values(flag)) {
      ToolCommand first = null;
      for (List<String> form : forms(flag, value)) {
        List<String> line = new ArrayList<>(form);
        line.add("a.cu");
        ToolCommand run = NvccParser.parse(line, folder);
        if (form.size() < 4) {
          first = first == null ? run : first;
          assertThat(run)
              .usingRecursiveComparison()
              .ignoringFields("notes", "problems") // they name the flag as it is spelled
              .as("%s", form)
              .isEqualTo(first);
          assertThat(run.notes()).as("%s", form).hasSameSizeAs(first.notes());
          assertThat(run.problems()).as("%s", form).hasSameSizeAs(first.problems());
        }
        if (!NOT_IN_TEXT.contains(flag.action())) {
          agrees(line, run);
        }
      }
    }
  }

  private static void agrees(List<String> line, ToolCommand run) {
    List<NvccWords.Change> changes = NvccWords.changes(line);
    boolean refused = changes.stream().anyMatch(c -> !c.problem().isEmpty());
    boolean ptx = line.getFirst().matches("--?ptx");
    boolean later =
        run.mode() == ToolCommand.Mode.DEVICE_LINK || run.mode() == ToolCommand.Mode.ARCHIVE;
    if (ptx || later) {
      assertThat(refused).as("%s", line).isTrue();
      return;
    }
    assertThat(refused).as("%s: %s", line, changes).isEqualTo(!run.problems().isEmpty());
    if (refused) {
      return;
    }
    List<String> text = new ArrayList<>(line);
    for (NvccWords.Change c : changes.reversed()) {
      text.subList(c.first(), c.first() + c.count()).clear();
      text.addAll(c.first(), c.words());
    }
    ToolCommand said = HostParser.parse(text, folder, true);
    String as = line + " -> " + text;
    assertThat(said.mode()).as(as).isEqualTo(run.mode());
    assertThat(said.sources()).as(as).isEqualTo(run.sources());
    assertThat(said.output()).as(as).isEqualTo(run.output());
    assertThat(said.compile()).as(as).isEqualTo(run.compile());
    assertThat(said.relocatable()).as(as).isEqualTo(run.relocatable());
    assertThat(said.language()).as(as).isEqualTo(run.language());
    assertThat(said.dependencies()).as(as).isEqualTo(run.dependencies());
    List<String> link = new ArrayList<>(said.link());
    link.removeIf("-lamdhip64"::equals);
    assertThat(link).as(as).isEqualTo(run.link());
  }

  /** In the full profile, each alone; a warning about one could depend on another. */
  @Test
  void clangTakesWhatIsPassed() throws Exception {
    Files.writeString(
        folder.resolve("unit.hip"),
        "__attribute__((device)) float k(float p) { return p / 3.0f; }\n");
    Set<List<String>> passed = new LinkedHashSet<>();
    for (Flag flag : NvccTables.flags()) {
      for (String value : values(flag)) {
        List<String> line = new ArrayList<>(forms(flag, value).getFirst());
        line.addAll(List.of("-c", "a.cu"));
        ToolCommand c = NvccParser.parse(line, folder);
        boolean files = Set.of("pre-include").contains(flag.name());
        if (c.problems().isEmpty() && !files) {
          passed.add(c.compile());
        }
      }
    }
    assertThat(passed).hasSizeGreaterThan(25);
    List<List<String>> all = List.copyOf(passed);
    int atOnce = TestProfile.isFull() ? 1 : 12;
    for (int i = 0; i < all.size(); i += atOnce) {
      List<List<String>> some = all.subList(i, Math.min(i + atOnce, all.size()));
      List<String> together = some.stream().flatMap(List::stream).toList();
      if (said(together).isEmpty()) {
        continue;
      }
      // They may contradict each other.
      for (List<String> one : some) {
        assertThat(said(one)).as(String.join(" ", one)).isEmpty();
      }
    }
  }

  /** Returns what clang says to flags, if only that it fails. */
  private String said(List<String> flags) throws Exception {
    List<String> arguments = new ArrayList<>(TestToolchain.get().hipCompile(List.of("gfx90a")));
    arguments.addAll(List.of("-nogpuinc", "-Werror", "-c"));
    arguments.addAll(flags);
    TestCompiler.Compiled compiled = TestCompiler.compile(folder.resolve("unit.hip"), arguments);
    return compiled.code() == 0 ? compiled.messages() : "fails: " + compiled.messages();
  }
}
