package dev.rocport.lang.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.Main;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The machine code of PTX's orders and scopes, as the compiler makes it of the port: waits,
 * write-backs and invalidations are where the LLVM memory model for the target requires them.
 */
@Tag("toolchain")
final class PtxOrdersTest {
  private static final Path KERNELS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/kernels");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+):.*");
  private static final Pattern CODE =
      Pattern.compile("\\t((?:global|flat|ds|buffer|s_waitcnt|s_barrier)\\S*)(.*)");
  private static final Pattern ACCESS = Pattern.compile("\\t((?:global|flat|ds)_\\S*).*");
  private static final Set<String> BITS = Set.of("glc", "slc", "nt", "sc0", "sc1");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942"})
  void eachOrderMatchesTheMemoryModelOfTheTarget(String target) throws Exception {
    Map<String, List<String>> code = code(target);
    List<String> rows = Files.readAllLines(KERNELS.resolve("ptx_orders.tsv"));
    int column = Arrays.asList(rows.getFirst().split("\t")).indexOf(target);
    assertThat(code).hasSize(rows.size() - 1);
    for (String row : rows.subList(1, rows.size())) {
      String[] cells = row.split("\t");
      List<String> expected = List.of(cells[column].split("; "));
      List<String> all = code.getOrDefault(cells[0], List.of());
      // from after the preceding plain store to the following plain access
      List<String> from = all.subList(all.indexOf("global_store_dword") + 1, all.size());
      assertThat(from).as(cells[0] + " " + target).startsWith(expected.toArray(String[]::new));
      assertThat(from.get(expected.size()))
          .as("%s %s, behind %s", cells[0], target, expected)
          .isIn("global_store_dword", "global_load_dword");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942"})
  void aPlainAccessHappensAsOftenAsInTheProgram(String target) throws Exception {
    Map<String, List<String>> found = new LinkedHashMap<>();
    List<String> kernel = new ArrayList<>();
    for (String line : assembly("ptx_kept.cu", target)) {
      Matcher label = LABEL.matcher(line);
      Matcher access = ACCESS.matcher(line);
      if (label.matches()) {
        kernel = new ArrayList<>();
        found.put(label.group(1), kernel);
      } else if (line.contains("Loop Header")) {
        kernel.add("loop");
      } else if (line.contains("\ts_cbranch") && kernel.contains("loop")) {
        kernel.add("again");
      } else if (access.matches()) {
        kernel.add(access.group(1));
      }
    }
    for (String row : Files.readAllLines(KERNELS.resolve("ptx_kept.tsv"))) {
      String[] cells = row.split("\t");
      assertThat(found.remove(cells[0])).as(cells[0]).containsExactly(cells[1].split("; "));
    }
    assertThat(found).isEmpty();
  }

  /** Of each kernel, its accesses and waits in order: opcodes and bits; waits in a row as one. */
  private Map<String, List<String>> code(String target) throws Exception {
    Map<String, List<String>> code = new LinkedHashMap<>();
    List<String> kernel = new ArrayList<>();
    for (String line : assembly("ptx_orders.cu", target)) {
      Matcher label = LABEL.matcher(line);
      Matcher instruction = CODE.matcher(line);
      if (label.matches()) {
        kernel = new ArrayList<>();
        code.put(label.group(1), kernel);
      } else if (instruction.matches()) {
        add(kernel, instruction.group(1), List.of(instruction.group(2).strip().split("\\s+")));
      }
    }
    return code;
  }

  /** The assembly of the port of a file. */
  private List<String> assembly(String name, String target) throws Exception {
    Path in = Files.createDirectories(folder.resolve("in"));
    Files.copy(KERNELS.resolve(name), in.resolve(name));
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed);
    String port = folder.resolve("port").toString();
    int ported = Main.run(out, out, "port", in.toString(), "--out", port, "--quiet");
    assertThat(ported).as(printed.toString()).isZero();
    Toolchain toolchain = TestToolchain.get();
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(List.of(target)));
    arguments.addAll(List.of("-O2", "-std=c++17", "--cuda-device-only", "-S"));
    Path assembly = TestCompiler.compile(Path.of(port, name), arguments).made();
    return Files.readAllLines(assembly);
  }

  private static void add(List<String> kernel, String opcode, List<String> words) {
    if (!opcode.equals("s_waitcnt")) {
      StringBuilder text = new StringBuilder(opcode);
      words.stream().filter(BITS::contains).forEach(bit -> text.append(' ').append(bit));
      kernel.add(text.toString());
      return;
    }
    Set<String> waits = new TreeSet<>(words);
    if (!kernel.isEmpty() && kernel.getLast().startsWith(opcode)) {
      String before = kernel.removeLast();
      waits.addAll(List.of(before.substring(opcode.length() + 1).split(" ")));
    }
    List<String> counters =
        new ArrayList<>(waits).reversed(); // vmcnt first, as the compiler has it
    kernel.add(opcode + " " + String.join(" ", counters));
  }
}
