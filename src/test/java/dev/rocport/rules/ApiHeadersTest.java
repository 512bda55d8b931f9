package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.HipVersion;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every name that a table maps to exists in the real headers of the toolchain, or its row carries
 * the later version that brings it. The compiler itself is asked: {@code using ::name;} for what is
 * declared, {@code #ifndef} for macros.
 */
@Tag("toolchain")
final class ApiHeadersTest {
  private static final Pattern MISSING =
      Pattern.compile("no (?:member|type|template) named '([^']+)'");

  /** Targets that no header declares. */
  private static final Set<String> BUILT_IN = Set.of("int", "void", "char", "float", "double");

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> mappedNamesExist() {
    RuleCatalog catalog = RuleCatalog.builtIn();
    return catalog.rules().stream()
        .filter(r -> !r.headers().isEmpty() && r.family().startsWith("api/"))
        .flatMap(
            r ->
                Stream.of(false, true)
                    .filter(roc -> !headers(r, roc).isEmpty())
                    .map(
                        roc ->
                            DynamicTest.dynamicTest(
                                r.id() + " in " + headers(r, roc), () -> check(catalog, r, roc))));
  }

  private static List<String> headers(Rule rule, boolean roc) {
    return roc ? rule.rocHeaders() : rule.headers();
  }

  private void check(RuleCatalog catalog, Rule rule, boolean roc) throws Exception {
    Toolchain toolchain = TestToolchain.get();
    List<String> headers = headers(rule, roc);
    HipVersion version = version(toolchain, headers);
    SortedSet<String> names = new TreeSet<>();
    SortedSet<String> fields = new TreeSet<>();
    for (ApiName n : catalog.names()) {
      String target = roc ? n.roc() : n.hip();
      boolean wanted = n.family().equals(rule.id()) && !target.isEmpty();
      if (wanted
          && n.kind() != ApiName.Kind.MEMBER
          && !BUILT_IN.contains(target)
          && isSince(n, version)
          && target.matches("[A-Za-z_][A-Za-z0-9_:]*")) {
        switch (n.kind()) {
          case FUNCTION, TYPE, TYPEDEF, ENUM, DEVICE, MACRO -> names.add(target);
          default -> {}
        }
      } else if (wanted && n.kind() == ApiName.Kind.MEMBER && isSince(n, version)) {
        fields.add(target);
      }
    }
    Set<String> missing = missing(toolchain, rule.id(), headers, names, fields);
    assertThat(missing).as("%d names of %s", names.size(), headers).isEmpty();
  }

  /** Distributions pair HIP with older RCCL headers, which contain only their NCCL version. */
  private static HipVersion version(Toolchain toolchain, List<String> headers) throws IOException {
    if (!headers.contains("rccl/rccl.h")) {
      return toolchain.hip();
    }
    Matcher code =
        Pattern.compile("#define NCCL_VERSION_CODE (\\d+)")
            .matcher(Files.readString(toolchain.include().resolve("rccl/rccl.h")));
    boolean old = code.find() && Integer.parseInt(code.group(1)) < 21700;
    return old ? HipVersion.parse("5.4") : toolchain.hip();
  }

  private static boolean isSince(ApiName n, HipVersion hip) {
    return n.needs().isEmpty() || hip.atLeast(HipVersion.parse(n.needs()));
  }

  private Set<String> missing(
      Toolchain toolchain, String id, List<String> headers, Set<String> names, Set<String> fields)
      throws Exception {
    StringBuilder source = new StringBuilder("#include <hip/hip_runtime.h>\n");
    headers.forEach(h -> source.append("#include <").append(h).append(">\n"));
    source.append("namespace check {\n");
    // What CUDA declares may be a macro in HIP, and the other way round.
    names.forEach(
        n ->
            source.append(
                n.contains("::")
                    ? "using ::%s;\n".formatted(n)
                    : "#ifndef %s\nusing ::%s;\n#endif\n".formatted(n, n)));
    fields.forEach(
        n -> {
          String[] field = n.split("::");
          source.append(
              "auto f%d = [](%s s) { s.%s = {}; };\n"
                  .formatted(source.length(), field[0], field[1]));
        });
    source.append("}\n");
    Path file = folder.resolve(id + ".hip");
    Files.writeString(file, source);
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(List.of("gfx90a")));
    arguments.addAll(
        List.of(
            "-I" + Path.of("hip-runtime/include").toAbsolutePath(),
            "-DMIOPEN_BETA_API=1",
            "--cuda-host-only",
            "-std=c++17",
            "-fsyntax-only",
            "-ferror-limit=0",
            "-w"));
    TestCompiler.Compiled compiled = TestCompiler.compile(file, arguments);
    SortedSet<String> missing = new TreeSet<>();
    String output = compiled.messages();
    Matcher m = MISSING.matcher(output);
    while (m.find()) {
      missing.add(m.group(1));
    }
    boolean failed = compiled.code() != 0;
    assertThat(failed && missing.isEmpty()).as(output).isFalse();
    return missing;
  }
}
