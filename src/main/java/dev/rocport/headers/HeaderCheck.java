package dev.rocport.headers;

import dev.rocport.rules.ApiName;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.HipVersion;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks the compiler which names of the API tables the headers of a ROCm declare: with {@code using
 * ::name;} for declarations, with {@code #ifndef} for macros.
 */
public final class HeaderCheck {
  private static final Pattern MISSING =
      Pattern.compile("no (?:member|type|template) named '([^']+)'(?: in '([^']+)')?");
  private static final Pattern NCCL_CODE = Pattern.compile("#define NCCL_VERSION_CODE (\\d+)");

  /** NCCL 2.17, the first RCCL with a version like those of HIP. */
  private static final int NCCL_SAME = 21700;

  /** Targets that no header declares. */
  private static final Set<String> BUILT_IN = Set.of("int", "void", "char", "float", "double");

  private final RuleCatalog catalog;
  private final Toolchain toolchain;
  private final Compiler compiler;
  private final List<String> flags;

  /** Compiles a source with the compiler of the toolchain. */
  @FunctionalInterface
  public interface Compiler {
    ToolRun compile(Path source, List<String> arguments) throws IOException;
  }

  /**
   * A check.
   *
   * @param toolchain the headers, and a compiler that reads them
   * @param flags more flags for the compiler, such as folders of headers
   */
  public HeaderCheck(
      RuleCatalog catalog, Toolchain toolchain, Compiler compiler, List<String> flags) {
    this.catalog = catalog;
    this.toolchain = toolchain;
    this.compiler = compiler;
    this.flags = List.copyOf(flags);
  }

  /** The tables with their headers; a table with other headers for {@code --libs roc} is twice. */
  public List<HeaderGroup> groups() {
    List<HeaderGroup> groups = new ArrayList<>();
    for (Rule rule : catalog.rules()) {
      if (rule.family().startsWith("api/")) {
        groups.add(new HeaderGroup(rule.id(), rule.headers(), names(rule, false)));
        groups.add(new HeaderGroup(rule.id(), rule.rocHeaders(), names(rule, true)));
      }
    }
    groups.removeIf(g -> g.headers().isEmpty() || g.names().isEmpty());
    return groups;
  }

  private List<HeaderName> names(Rule rule, boolean roc) {
    String version = toolchain.hip().major() + "." + toolchain.hip().minor();
    Map<String, HeaderName> names = new LinkedHashMap<>();
    for (ApiName row : catalog.names()) {
      if (row.family().equals(rule.id())) {
        String name = catalog.rocm().name(roc ? row.roc() : row.hip(), version);
        if (isDeclared(row.kind(), name)) {
          names.putIfAbsent(name, HeaderName.of(row, name));
        }
      }
    }
    return List.copyOf(names.values());
  }

  private static boolean isDeclared(ApiName.Kind kind, String name) {
    return switch (kind) {
      case FUNCTION, TYPE, TYPEDEF, ENUM, DEVICE, MACRO, MEMBER ->
          name.matches("[A-Za-z_][A-Za-z0-9_:]*") && !BUILT_IN.contains(name);
      case HEADER, NAMESPACE, QUALIFIED, PREFIX -> false;
    };
  }

  /**
   * Checks the names of a group.
   *
   * @param folder where the source for the compiler is written
   */
  public HeaderResult check(HeaderGroup group, Path folder) throws IOException {
    List<String> absent =
        group.headers().stream()
            .filter(h -> h.contains("/") && !h.startsWith("rocport/") && !toolchain.hasHeader(h))
            .toList();
    if (!absent.isEmpty()) {
      return failed(group, "these headers are not installed: " + String.join(", ", absent));
    }
    HipVersion version = version(group);
    Path file = folder.resolve(group.rule() + ".hip");
    Files.writeString(file, source(group));
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(List.of("gfx90a")));
    arguments.addAll(flags);
    arguments.addAll(
        List.of(
            "-DMIOPEN_BETA_API=1",
            "--cuda-host-only",
            "-std=c++17",
            "-fsyntax-only",
            "-ferror-limit=0",
            "-w"));
    ToolRun run = compiler.compile(file, arguments);
    Set<String> lacking = new TreeSet<>();
    Matcher m = MISSING.matcher(run.output());
    while (m.find()) {
      lacking.add(m.group(2) == null ? m.group(1) : m.group(2) + "::" + m.group(1));
      lacking.add(m.group(1));
    }
    if (!run.ok() && lacking.isEmpty()) {
      return failed(group, "the compiler does not accept the headers:\n" + run.tail(8));
    }
    SortedSet<String> missing = new TreeSet<>();
    SortedSet<String> early = new TreeSet<>();
    for (HeaderName n : group.names()) {
      boolean found = !lacking.contains(n.name());
      if (n.expected(version) && !found) {
        missing.add(n.name());
      } else if (!n.expected(version) && found) {
        early.add(n.name());
      }
    }
    return new HeaderResult(
        group.rule(), group.headers(), group.names().size(), missing, early, "");
  }

  private static HeaderResult failed(HeaderGroup group, String problem) {
    return new HeaderResult(
        group.rule(),
        group.headers(),
        group.names().size(),
        new TreeSet<>(),
        new TreeSet<>(),
        problem);
  }

  /** Distributions pair HIP with older RCCL headers, which contain only their NCCL version. */
  private HipVersion version(HeaderGroup group) throws IOException {
    if (!group.headers().contains("rccl/rccl.h")) {
      return toolchain.hip();
    }
    Matcher code = NCCL_CODE.matcher(Files.readString(toolchain.include().resolve("rccl/rccl.h")));
    boolean old = code.find() && Integer.parseInt(code.group(1)) < NCCL_SAME;
    return old ? HipVersion.parse("5.4") : toolchain.hip();
  }

  private static String source(HeaderGroup group) {
    StringBuilder source = new StringBuilder("#include <hip/hip_runtime.h>\n");
    group.headers().forEach(h -> source.append("#include <").append(h).append(">\n"));
    source.append("namespace check {\n");
    for (HeaderName n : group.names()) {
      if (n.field()) {
        String[] field = n.name().split("::", 2);
        source.append(
            "auto f%d = [](%s s) { s.%s = {}; };\n".formatted(source.length(), field[0], field[1]));
      } else if (n.name().contains("::")) {
        source.append("using ::").append(n.name()).append(";\n");
      } else {
        // What CUDA declares may be a macro in HIP, and the other way round.
        source.append("#ifndef %s\nusing ::%s;\n#endif\n".formatted(n.name(), n.name()));
      }
    }
    return source.append("}\n").toString();
  }
}
