package dev.rocport.lang.cuda.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.io.TsvTable;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.ShmemName;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program of NVSHMEM that calls every function that has a counterpart, for the host and for the
 * device, with arguments of NVSHMEM's types, compiles as HIP after the port. A quick run takes one
 * function of each family, and one type.
 */
@Tag("toolchain")
final class ShmemCompileTest {
  private static final boolean FULL = TestProfile.isFull();
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();

  /** What NVSHMEM declares a parameter as; T is the type of the function's family. */
  private static final Map<String, String> PARAMETERS =
      Map.ofEntries(
          Map.entry("dest", "T*"),
          Map.entry("source", "const T*"),
          Map.entry("nelems", "size_t"),
          Map.entry("bytes", "size_t"),
          Map.entry("nreduce", "size_t"),
          Map.entry("pe", "int"),
          Map.entry("root", "int"),
          Map.entry("value", "T"),
          Map.entry("cond", "T"),
          Map.entry("ivar", "T*"),
          Map.entry("ivars", "T*"),
          Map.entry("cmp", "int"),
          Map.entry("cmp_value", "T"),
          Map.entry("cmp_values", "T*"),
          Map.entry("status", "const int*"),
          Map.entry("indices", "size_t*"),
          Map.entry("dst", "ptrdiff_t"),
          Map.entry("sst", "ptrdiff_t"),
          Map.entry("sig_addr", "uint64_t*"),
          Map.entry("signal", "uint64_t"),
          Map.entry("sig_op", "int"),
          Map.entry("stream", "cudaStream_t"),
          Map.entry("team", "nvshmem_team_t"),
          Map.entry("src_team", "nvshmem_team_t"),
          Map.entry("dest_team", "nvshmem_team_t"),
          Map.entry("src_pe", "int"),
          Map.entry("start", "int"),
          Map.entry("stride", "int"),
          Map.entry("xrange", "int"),
          Map.entry("config", "nvshmem_team_config_t*"),
          Map.entry("xaxis_config", "nvshmem_team_config_t*"),
          Map.entry("yaxis_config", "nvshmem_team_config_t*"),
          Map.entry("config_mask", "long"),
          Map.entry("xaxis_mask", "long"),
          Map.entry("yaxis_mask", "long"),
          Map.entry("new_team", "nvshmem_team_t*"),
          Map.entry("xaxis_team", "nvshmem_team_t*"),
          Map.entry("yaxis_team", "nvshmem_team_t*"),
          Map.entry("flags", "unsigned int"),
          Map.entry("attributes", "nvshmemx_init_attr_t*"),
          Map.entry("attr", "nvshmemx_init_attr_t*"),
          Map.entry("uniqueid", "nvshmemx_uniqueid_t*"),
          Map.entry("rank", "int"),
          Map.entry("nranks", "int"),
          Map.entry("requested", "int"),
          Map.entry("provided", "int*"),
          Map.entry("major", "int*"),
          Map.entry("minor", "int*"),
          Map.entry("patch", "int*"),
          Map.entry("name", "char*"),
          Map.entry("module", "CUmodule"),
          Map.entry("size", "size_t"),
          Map.entry("count", "size_t"),
          Map.entry("alignment", "size_t"),
          Map.entry("ptr", "void*"),
          Map.entry("addr", "void*"),
          Map.entry("length", "size_t"),
          Map.entry("code", "int"));

  @TempDir Path folder;

  @Test
  void everyFunctionCompilesAfterThePort() throws Exception {
    Map<String, String> types = types();
    StringBuilder source =
        new StringBuilder(
            """
            #include <cuda.h>
            #include <cuda_runtime.h>
            #include <cuda_bf16.h>
            #include <cuda_fp16.h>
            #include <nvshmem.h>
            #include <nvshmemx.h>
            """);
    Map<String, Integer> families = new HashMap<>();
    int count = 0;
    for (Map.Entry<String, List<ShmemName>> e : CATALOG.shmem().names().entrySet()) {
      ShmemName first = e.getValue().getFirst();
      source.append(use(first, count));
      if (first.kind() != ApiName.Kind.FUNCTION || first.target().isEmpty()) {
        continue;
      }
      if (!FULL && families.merge(first.row().name(), 1, Integer::sum) > 1) {
        continue;
      }
      boolean host = e.getValue().stream().anyMatch(n -> !n.row().host().isEmpty());
      boolean device = e.getValue().stream().anyMatch(n -> !n.row().device().isEmpty());
      for (String side : List.of("host", "device")) {
        if (side.equals("host") ? host : device) {
          source.append(call(first, side, types, count++));
        }
      }
    }
    Path file = port(source.toString());
    String output = compile(file);
    System.out.println(count + " calls of NVSHMEM's functions compiled after the port");
    assertThat(output).isEmpty();
  }

  private static String call(ShmemName n, String side, Map<String, String> types, int number) {
    String type = types.getOrDefault(typeOf(n.name(), types), "void");
    List<String> declared = new ArrayList<>();
    for (String p : n.parameters()) {
      String pattern = PARAMETERS.get(p);
      assertThat(pattern).as(p + " of " + n.name()).isNotNull();
      boolean word = p.equals("cmp_value") && type.equals("void");
      String t = word ? "uint64_t" : pattern.replaceAll("\\bT\\b", type);
      if (n.name().endsWith("_atomic_fetch")) {
        t = t.replace("const ", ""); // no constant in rocSHMEM: noted by the rule
      }
      declared.add(t + " " + p);
    }
    String call = n.name() + "(" + String.join(", ", n.parameters()) + ");";
    return "__%s__ void call%d(%s) { %s }%n"
        .formatted(side, number, String.join(", ", declared), call);
  }

  /** A type, constant, or macro in a separate declaration; initializers are in none. */
  private static String use(ShmemName n, int number) {
    return n.target().isEmpty() || n.target().equals("{}")
        ? ""
        : switch (n.kind()) {
          case TYPE -> "void use%d(%s* t);%n".formatted(number, n.name());
          case ENUM -> {
            String side = n.row().device().isEmpty() ? "host" : "device";
            yield "inline __%s__ auto use%s() { return %s; }%n"
                .formatted(side, n.name().replace("NVSHMEM", ""), n.name());
          }
          case MACRO ->
              "static auto use%s = %s;%n".formatted(n.name().replace("NVSHMEM", ""), n.name());
          default -> "";
        };
  }

  private static String typeOf(String name, Map<String, String> types) {
    for (String part : name.split("_", -1)) {
      if (types.containsKey(part)) {
        return part;
      }
    }
    return "";
  }

  /** NVSHMEM's names of types, with the types in CUDA. */
  private static Map<String, String> types() throws IOException {
    Map<String, String> types = new HashMap<>();
    TsvTable table =
        TsvTable.parse(
            "types",
            Files.readString(HOME.resolve("rules/shmem/types.tsv")),
            "name\trocshmem\ttype\tsets");
    for (TsvTable.Row r : table.rows()) {
      if (r.cell(3).contains("all")) {
        types.put(r.cell(0), r.cell(2).replace("__hip_bfloat16", "__nv_bfloat16"));
      }
    }
    return types;
  }

  private Path port(String text) throws IOException {
    CudaPorter porter = new CudaPorter(CATALOG, PortOptions.DEFAULT);
    SourceFile file = SourceFile.of("all.cu", text);
    Changes changes = porter.port(file, ProjectIndex.EMPTY);
    assertThat(changes.findings().stream().filter(f -> f.disposition() == Disposition.UNPORTED))
        .extracting(Finding::message)
        .isEmpty();
    String ported =
        new String(changes.edits().apply(file.bytes()), StandardCharsets.UTF_8)
            .replace("\"rocport/", "\"" + HOME.toAbsolutePath() + "/hip-runtime/include/rocport/");
    assertThat(ported).doesNotContainIgnoringCase("nvshmem");
    return Files.writeString(folder.resolve("all.hip"), ported);
  }

  private String compile(Path file) throws Exception {
    Toolchain toolchain = TestToolchain.get();
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(List.of("gfx942")));
    arguments.addAll(
        List.of(
            "-I" + HOME.resolve("hip-runtime/rocshmem/include").toAbsolutePath(),
            "-std=c++17",
            "-fgpu-rdc",
            "-fsyntax-only",
            "-ferror-limit=60"));
    return TestCompiler.compile(file, arguments).messages();
  }
}
