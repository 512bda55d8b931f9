package dev.rocport.lang.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Comments between the tokens of code that is written anew; and where includes go. */
final class CommentsTest {
  private static String port(String text, PortOptions.Launch launch) {
    PortOptions d = PortOptions.DEFAULT;
    PortOptions options =
        new PortOptions(
            launch, d.libs(), d.style(), d.warp(), d.renameSources(), d.hip(), d.filter());
    CudaPorter porter = new CudaPorter(RuleCatalog.builtIn(), options);
    SourceFile file = SourceFile.of("a.cu", text);
    ProjectIndex index = ProjectIndex.of(List.of(porter.scan(file)));
    byte[] ported = porter.port(file, index).edits().apply(file.bytes());
    return new String(ported, StandardCharsets.UTF_8);
  }

  private static String port(String text) {
    return port(text, PortOptions.Launch.CHEVRONS);
  }

  @Test
  void goWithTheirArgument() {
    assertThat(
            port(
                "cudnnGetConvolutionForwardWorkspaceSize(handle, /* in */ x, w /* W */, conv, y,"
                    + " algo, // how\n size);\n"))
        .endsWith(
            "miopenConvolutionForwardGetWorkSpaceSize(handle, w /* W */, /* in */ x, conv, y,"
                + " // how\n size);\n");
  }

  @Test
  void stayInALaunch() {
    assertThat(port("k<<<a, /* b */ 1, /* bytes */ c>>>(p);\n", PortOptions.Launch.GGL))
        .endsWith("hipLaunchKernelGGL(k, dim3(a), dim3(/* b */ 1), /* bytes */ c, 0, p);\n");
  }

  @Test
  void stayBetweenPartsOfALaunch() {
    assertThat(port("k< /* a */ <<1, 2>> // b\n>(p);\n"))
        .endsWith("k<<< /* a */ 1, 2>>> // b\n(p);\n");
  }

  @Test
  void stayAfterAWordThatVanishes() {
    assertThat(port("void f(const __restrict__ /* x */ int* x);\n"))
        .isEqualTo("void f(const  /* x */ int* x);\n");
    assertThat(port("void f() { register /* r */ int i = 0; }\n"))
        .isEqualTo("void f() { /* r */ int i = 0; }\n");
  }

  @Test
  void noIncludeFollowsAPragmaInACondition() {
    String text =
        "#ifndef A\n#pragma once\n__global__ void k(int* p) { *p = 1; }\n#endif\nint x;\n";
    String once = port(text);
    assertThat(once).isEqualTo("#include <hip/hip_runtime.h>\n" + text);
    assertThat(port(once)).isEqualTo(once);
  }
}
