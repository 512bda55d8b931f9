package dev.rocport.lang.cuda.symbols;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VisibilityTest {
  /** The names are part of the key of a port, which must be the same in the next process. */
  @Test
  void ownNamesAreSorted() {
    List<String> names =
        List.of(
            "cudaEvent_t",
            "cudaFree",
            "cudaGraph_t",
            "cudaMalloc",
            "cudaMemcpy",
            "cudaMemset",
            "cudaStream_t",
            "rsqrtf");
    String text =
        names.stream().sorted().map("#define %s 1\n"::formatted).collect(Collectors.joining());
    CudaPorter porter = new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);
    SourceFile file = new SourceFile("a.cu", text.getBytes(StandardCharsets.UTF_8));

    ProjectIndex index = ProjectIndex.of(List.of(porter.scan(file)));

    assertThat(List.copyOf(index.ownNames("a.cu"))).isEqualTo(names);
  }
}
