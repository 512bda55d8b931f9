package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.warp.WarpModel;
import dev.rocport.warp.WarpProject;
import dev.rocport.warp.WarpScan;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After each edit, the decisions of a project that is kept are those of a new one. */
class WarpProjectTest {
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);
  private static final int STEPS = 150;

  private static WarpScan scan(String path, String text) {
    return PORTER.scan(new SourceFile(path, text.getBytes(StandardCharsets.UTF_8))).warps();
  }

  @ParameterizedTest
  @EnumSource(PortOptions.Warp.class)
  void decisionsAreThoseOfANewProject(PortOptions.Warp mode) {
    ChangingProject project = new ChangingProject(41 + mode.ordinal());
    SortedMap<String, WarpScan> scans = new TreeMap<>();
    project.texts().forEach((path, text) -> scans.put(path, scan(path, text)));
    WarpProject kept = new WarpProject(mode);
    kept.decide(scans.values());
    Set<String> seen = new HashSet<>();
    Random random = new Random(3);
    int cancelled = 0;
    for (int step = 0; step < STEPS; step++) {
      String path = project.edit();
      String text = project.texts().get(path);
      if (text == null) {
        scans.remove(path);
      } else {
        scans.put(path, scan(path, text));
      }
      if (random.nextInt(3) == 0) {
        AtomicInteger left = new AtomicInteger(random.nextInt(6));
        try {
          kept.decide(scans.values(), () -> left.getAndDecrement() == 0);
        } catch (CancellationException e) {
          cancelled++;
          continue; // the next step changes the project once more
        }
      }
      String decided = kept.decide(scans.values()).key();
      assertThat(decided)
          .as("step %d changes %s", step, path)
          .isEqualTo(WarpModel.of(scans.values(), mode).key());
      seen.add(decided);
    }
    assertThat(cancelled).isGreaterThan(STEPS / 50);
    assertThat(seen).hasSizeGreaterThan(STEPS / 4);
  }
}
