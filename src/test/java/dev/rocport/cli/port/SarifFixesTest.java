package dev.rocport.cli.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fixes of a SARIF report, applied to the original files, give the output of a port. */
class SarifFixesTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home"));
  private static final Pattern LINE_END = Pattern.compile("\r?\n");
  private static final String SOURCE =
      """
      #include <cuda_runtime.h>
      __global__ void k(float* p) { p[threadIdx.x] = __shfl_down_sync(0xffffffff, p[0], 16); }
      int main() {
      \tfloat* p; /* \ud83d\ude80 \u00e9 */ cudaMalloc(&p, 4); /* \ud83d\ude81 */ cudaFree(p);\t// \u00fc
      \tk<<<1, 32>>>(p);
      \treturn cudaDeviceSynchronize() != cudaSuccess;
      }
      """;

  @TempDir Path folder;
  private Path tree;

  @BeforeEach
  void tree() throws IOException {
    tree = Files.createDirectory(folder.resolve("tree"));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(tree.resolve(name), text);
  }

  /** New content by path, as an editor makes it that knows nothing but SARIF. */
  private SortedMap<String, String> applied(String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("audit", tree.toString(), "--fixes"));
    args.addAll(List.of("--format", "sarif", "--quiet"));
    args.addAll(List.of(more));
    JsonNode run =
        JsonMapper.shared()
            .readTree(CommandLines.run(args.toArray(String[]::new)).out())
            .at("/runs/0");
    assertThat(run.get("columnKind").asString()).isEqualTo("utf16CodeUnits");
    SortedMap<String, String> texts = new TreeMap<>();
    for (JsonNode result : run.get("results")) {
      for (JsonNode change : result.at("/fixes/0/artifactChanges")) {
        String path = URI.create(change.at("/artifactLocation/uri").asString()).getPath();
        String old = Files.readString(tree.resolve(path));
        String mark = old.startsWith("\ufeff") ? "\ufeff" : "";
        texts.put(path, mark + edited(old.substring(mark.length()), change.get("replacements")));
      }
    }
    return texts;
  }

  private static String edited(String text, JsonNode replacements) {
    List<Integer> lines = new ArrayList<>(List.of(0));
    Matcher m = LINE_END.matcher(text);
    while (m.find()) {
      lines.add(m.end());
    }
    StringBuilder out = new StringBuilder();
    int at = 0;
    for (JsonNode r : replacements) {
      JsonNode region = r.get("deletedRegion");
      int from = lines.get(region.get("startLine").asInt() - 1);
      int to = lines.get(region.get("endLine").asInt() - 1);
      from += region.get("startColumn").asInt() - 1;
      to += region.get("endColumn").asInt() - 1;
      out.append(text, at, from).append(r.at("/insertedContent/text").asString(""));
      at = to;
    }
    return out.append(text, at, text.length()).toString();
  }

  /** What a port makes of each file of the tree that it changes. */
  private SortedMap<String, String> ported(String... more) throws IOException {
    Path out = folder.resolve("out");
    List<String> args = new ArrayList<>(List.of("port", tree.toString(), "--quiet"));
    args.addAll(List.of("--out", out.toString()));
    args.addAll(List.of(more));
    CommandLines.run(args.toArray(String[]::new));
    SortedMap<String, String> texts = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(tree)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        Path path = tree.relativize(file);
        if (Files.mismatch(file, out.resolve(path)) >= 0) {
          texts.put(path.toString(), Files.readString(out.resolve(path)));
        }
      }
    }
    return texts;
  }

  @Test
  void whateverTheLineEndsAndCharacters() throws IOException {
    write("plain.cu", SOURCE);
    write("windows.cu", SOURCE.replace("\n", "\r\n"));
    write("mixed.cu", SOURCE.replaceFirst("\n", "\r\n"));
    write("marked.cu", "\ufeff" + SOURCE);
    write("open.cu", SOURCE.stripTrailing());
    write("one.cu", "int* p; auto e = cudaMalloc(&p, 4);");
    write("a b%.cu", SOURCE);
    write("Makefile", "NVCC = nvcc\nall: plain.cu\n\t$(NVCC) -arch=sm_80 -o a plain.cu\n");
    write("a.py", "import torch\nx = torch.cuda.is_available()  # \u00e9\n");
    SortedMap<String, String> ported = ported();
    assertThat(ported).containsKeys("plain.cu", "windows.cu", "marked.cu", "one.cu", "Makefile");
    assertThat(applied()).isEqualTo(ported);
  }

  @Test
  void inOneTreeForBothToo() throws IOException {
    write("plain.cu", SOURCE);
    write("windows.cu", SOURCE.replace("\n", "\r\n"));
    SortedMap<String, String> ported = ported("--style", "single-source");
    assertThat(ported).containsOnlyKeys("plain.cu", "windows.cu");
    assertThat(applied("--style", "single-source")).isEqualTo(ported);
  }

  @Test
  void inTheFixtures() throws IOException {
    for (String name : List.of("particle_in_cell", "cmake_modern", "python/compile_zoo")) {
      Path from = HOME.resolve("fixtures").resolve(name);
      try (Stream<Path> walk = Files.walk(from)) {
        for (Path file : walk.filter(Files::isRegularFile).toList()) {
          Path to = tree.resolve(name).resolve(from.relativize(file));
          Files.createDirectories(to.resolveSibling("."));
          Files.copy(file, to);
        }
      }
    }
    SortedMap<String, String> ported = ported();
    assertThat(ported).hasSizeGreaterThan(20);
    assertThat(applied()).isEqualTo(ported);
  }

  @Test
  void filesThatEditorsReadDifferentlyHaveNoFix() throws IOException {
    Files.write(
        tree.resolve("latin.cu"),
        SOURCE.replaceAll("[^\\x00-\\x7f]+", "\u00e9").getBytes(StandardCharsets.ISO_8859_1));
    write("mac.cu", SOURCE.replace("\n", "\r"));
    assertThat(applied()).isEmpty();
  }

  @Test
  void fixesAreWrittenOnlyOnRequest() throws IOException {
    write("plain.cu", SOURCE);
    String sarif = CommandLines.run("audit", tree.toString(), "--format", "sarif", "-q").out();
    assertThat(sarif).doesNotContain("ROCPORT-PORT").doesNotContain("\"fixes\"");
  }

  @Test
  void namesCannotBeChangedByThem() throws IOException {
    write("plain.cu", SOURCE);
    assertThat(CommandLines.run("audit", tree.toString(), "--fixes", "--rename-sources").code())
        .isEqualTo(2);
  }
}
