package dev.rocport.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.ToolchainRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one part of the examination finds, another part does not repeat. */
class ToolchainProbeTest {
  @TempDir private Path root;

  /** All findings for a machine without GPU and toolchain. */
  private List<Observation> found(Map<String, String> environment) throws Exception {
    Machine machine = new Machine(root, new TreeMap<>(environment), "/", p -> true);
    ToolchainRequest request =
        new ToolchainRequest(root, environment, false, false, true, false, Optional.empty());
    List<Observation> all = new ArrayList<>(ToolchainProbe.observe(machine, request, List.of()));
    all.addAll(Examination.of(machine, ""));
    return all;
  }

  @Test
  void aMissingGpuIsReportedOnce() throws Exception {
    assertThat(found(Map.of()))
        .filteredOn(o -> (o.name() + o.found()).matches(".*(GPU|kfd).*"))
        .singleElement()
        .satisfies(o -> assertThat(o.found()).isEqualTo("no AMD GPU found"));
  }

  @Test
  void aRocmPathWithoutAFolderIsReportedOnce() throws Exception {
    assertThat(found(Map.of("ROCM_PATH", "/no/such/rocm")))
        .filteredOn(o -> (o.name() + o.found()).contains("ROCM_PATH"))
        .singleElement()
        .satisfies(o -> assertThat(o.shell()).isEqualTo("unset ROCM_PATH"));
  }
}
