package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PortKeyTest {
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();
  private static final PortKey KEY = new PortKey(CATALOG, PortOptions.DEFAULT, RenamedSources.NONE);
  private static final String CLASSES = "struct Zero { int x = 0; };\nstruct Plain { int x; };\n";

  @Test
  void aNewNameOfAClassWithoutInitializersKeepsThePortsOfOtherFiles() {
    assertThat(key(CLASSES + "using Other = Plain;\ntypedef long Index;\n"))
        .isEqualTo(key(CLASSES));
  }

  @Test
  void aNewNameOfAClassWithInitializersMayChangeThem() {
    assertThat(key(CLASSES + "using Other = Zero;\n")).isNotEqualTo(key(CLASSES));
    assertThat(key(CLASSES + "struct One { int x = 1; };\n")).isNotEqualTo(key(CLASSES));
  }

  private static String key(String text) {
    CudaPorter porter = new CudaPorter(CATALOG, PortOptions.DEFAULT);
    List<ProjectIndex.Scan> scans = List.of(porter.scan(SourceFile.of("a.cuh", text)));
    return KEY.ofShared(scans, ProjectIndex.of(scans), BuildPort.NONE, PythonProject.NONE);
  }
}
