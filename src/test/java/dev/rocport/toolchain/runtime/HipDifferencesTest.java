package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lists of functions in {@code docs/hip-differences.md} are those of the library. */
@Tag("toolchain")
final class HipDifferencesTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final Path PAGE = HOME.resolve("docs/hip-differences.md");
  private static final Pattern DEFINITION =
      Pattern.compile(
          "^hipError_t (hip\\w+)\\([^;{]*\\) \\{(.*?)\\}$", Pattern.MULTILINE | Pattern.DOTALL);

  /** The lambda of an API function ends with an error, whatever came before. */
  private static final Pattern LAST =
      Pattern.compile("\n    fail\\((hip\\w+)\\);[^\n]*\n  \\}\\);\n$");

  /** The helpers of texture.cpp, which do the same. */
  private static final Pattern HELPER =
      Pattern.compile("return (?:refuse|refuseReference|destroy)\\(");

  @Test
  void absentFunctionsAreListed() throws Exception {
    Toolchain toolchain = TestToolchain.since("6.4");
    Path library = TestToolchain.runtime().libraries().resolve("libamdhip64.so");
    ToolRun symbols =
        ToolRun.of(
            List.of(
                toolchain.clang().resolveSibling("llvm-readelf").toString(),
                "--dyn-syms",
                "-W",
                library.toString()));
    assertThat(symbols).matches(ToolRun::ok);
    SortedMap<String, String> bindings = new TreeMap<>();
    for (String line : symbols.output().lines().toList()) {
      String[] fields = line.strip().split("\\s+");
      if (fields.length >= 8 && fields[3].equals("FUNC") && !fields[6].equals("UND")) {
        bindings.put(fields[7].replaceFirst("@.*", ""), fields[4]);
      }
    }
    SortedSet<String> declared = declared(toolchain);

    // A function of missing.c is weak; one that is not even there would not link.
    String absent =
        declared.stream()
            .filter(n -> !bindings.getOrDefault(n, "WEAK").equals("GLOBAL"))
            .map("| `%s` |\n"::formatted)
            .collect(Collectors.joining());

    assertThat(declared).hasSizeGreaterThan(400);
    assertThat(table("absent")).isEqualTo("| function |\n|---|\n" + absent);
  }

  @Test
  void functionsThatNeverSucceedAreListed() throws IOException {
    SortedMap<String, SortedSet<String>> byError = new TreeMap<>();
    for (Path source : RuntimeCompiler.sources(HOME.resolve("hip-runtime/src"))) {
      Matcher m = DEFINITION.matcher(Files.readString(source));
      while (m.find()) {
        String function = m.group(1);
        error(m.group(2))
            .ifPresent(e -> byError.computeIfAbsent(e, k -> new TreeSet<>()).add(function));
      }
    }
    StringBuilder rows = new StringBuilder("| error | functions |\n|---|---|\n");
    for (Map.Entry<String, SortedSet<String>> e : byError.entrySet()) {
      String names = e.getValue().stream().map("`%s`"::formatted).collect(Collectors.joining(", "));
      rows.append("| `%s` | %s |%n".formatted(e.getKey(), names));
    }

    assertThat(table("refused")).isEqualTo(rows.toString());
  }

  @Test
  void onlyFunctionsWithoutAnotherEndAreRefused() {
    String refused =
        "\n  return api([&] {\n    require(p);\n    fail(hipErrorNotSupported);\n  });\n";

    assertThat(error(refused)).contains("hipErrorNotSupported");
    assertThat(error(refused.replace("require(p)", "if (p) return"))).isEmpty();
    assertThat(error(refused.replace("    fail", "    if (p) fail"))).isEmpty();
  }

  private static Optional<String> error(String body) {
    if (HELPER.matcher(body).find()) {
      return Optional.of("hipErrorNotSupported");
    }
    Matcher last = LAST.matcher(body);
    boolean ends = last.find() && !body.substring(body.indexOf('{') + 1).contains("return");
    return ends ? Optional.of(last.group(1)) : Optional.empty();
  }

  private static SortedSet<String> declared(Toolchain toolchain) throws Exception {
    Path scratch = Files.createTempDirectory("rocport-declared");
    try {
      return new RuntimeCompiler(
              toolchain,
              HOME.resolve("hip-runtime"),
              scratch.resolve("store"),
              scratch.resolve("work"),
              "-O0",
              List.of(),
              RuntimeCompiler.Purpose.USE)
          .exported(Library.RUNTIME);
    } finally {
      Folders.delete(scratch);
    }
  }

  /** The table after a mark, to the empty line. */
  private static String table(String mark) throws IOException {
    String page = Files.readString(PAGE);
    String start = "<!-- " + mark + " -->\n";
    assertThat(page).contains(start);
    int from = page.indexOf(start) + start.length();
    return page.substring(from, page.indexOf("\n\n", from) + 1);
  }
}
