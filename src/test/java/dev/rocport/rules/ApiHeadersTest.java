package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.headers.HeaderCheck;
import dev.rocport.headers.HeaderGroup;
import dev.rocport.headers.HeaderResult;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every name that a table maps to exists in the real headers of the toolchain, or its row carries
 * the later version that brings it.
 */
@Tag("toolchain")
final class ApiHeadersTest {
  /** Headers of earlier versions declare it with other parameters. */
  private static final Set<String> OTHER_BEFORE = Set.of("hipDeviceGetTexture1DLinearMaxWidth");

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> mappedNamesExist() throws Exception {
    HeaderCheck check = check();
    return check.groups().stream()
        .map(
            g ->
                DynamicTest.dynamicTest(
                    g.rule() + " in " + g.headers(),
                    () -> {
                      HeaderResult result = check.check(g, folder);
                      assertThat(result.problem()).isEmpty();
                      assertThat(result.missing()).isEmpty();
                      assertThat(result.early()).isSubsetOf(OTHER_BEFORE);
                    }));
  }

  @Test
  void findsNamesThatHeadersLack() throws Exception {
    HeaderCheck check = check();
    HeaderGroup complex =
        check.groups().stream().filter(g -> g.rule().equals("API-COMPLEX")).findFirst().get();
    HeaderGroup other =
        new HeaderGroup(complex.rule(), List.of("hip/driver_types.h"), complex.names());

    assertThat(check.check(other, folder).missing()).contains("hipComplex", "hipCadd");
    HeaderGroup none = new HeaderGroup("NONE", List.of("hip/no_such.h"), complex.names());
    assertThat(check.check(none, folder).problem()).contains("hip/no_such.h");
  }

  private static HeaderCheck check() throws Exception {
    return new HeaderCheck(
        RuleCatalog.builtIn(),
        TestToolchain.get(),
        ApiHeadersTest::compile,
        List.of(
            "-I" + Path.of("hip-runtime/include").toAbsolutePath(),
            "-idirafter",
            Path.of("hip-runtime/amdsmi/include").toAbsolutePath().toString()));
  }

  private static ToolRun compile(Path source, List<String> arguments) throws IOException {
    try {
      TestCompiler.Compiled compiled = TestCompiler.compile(source, arguments);
      return new ToolRun(compiled.code(), compiled.messages());
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
