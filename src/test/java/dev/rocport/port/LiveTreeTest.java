package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.TreeSelection;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.warp.WarpFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After each edit, a tree that is kept says what a tree says that is read again. */
class LiveTreeTest {
  private static final int STEPS = 25;

  @TempDir private Path folder;

  private LiveTree tree() throws IOException {
    LiveTree tree =
        new LiveTree(
            RuleCatalog.builtIn(),
            PortOptions.DEFAULT,
            TreeSelection.of(List.of(folder)),
            1,
            Long.MAX_VALUE);
    tree.refresh();
    return tree;
  }

  /** The findings, the edits, the decisions, and the sizes of blocks of all files. */
  private static SortedMap<String, String> told(LiveTree tree, Iterable<String> paths) {
    SortedMap<String, String> told = new TreeMap<>();
    for (String path : paths) {
      WarpFacts warps = tree.warps(path);
      String answer = tree.answer(path).map(a -> a.result() + "\n" + a.fix()).orElse("no answer");
      List<?> sizes = warps.launches().stream().map(warps.sizes()::block).toList();
      told.put(path, answer + "\n" + warps.plan() + "\n" + sizes);
    }
    return told;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void editsLeadToTheSameFindingsAsReadingAgain(long seed) throws IOException {
    ChangingProject project = new ChangingProject(seed);
    for (String path : project.texts().keySet()) {
      write(path, project.texts().get(path));
    }
    LiveTree kept = tree();
    told(kept, project.texts().keySet());
    for (int step = 0; step < STEPS; step++) {
      String path = project.edit();
      String text = project.texts().get(path);
      if (text == null) {
        Files.deleteIfExists(folder.resolve(path));
        kept.remove(path);
        kept.refresh();
      } else {
        write(path, text);
        kept.put(path, text.getBytes(StandardCharsets.UTF_8));
      }
      assertThat(told(kept, project.texts().keySet()))
          .as("step %d changes %s", step, path)
          .isEqualTo(told(tree(), project.texts().keySet()));
    }
  }

  private void write(String path, String text) throws IOException {
    Files.createDirectories(folder.resolve(path).resolveSibling("."));
    Files.writeString(folder.resolve(path), text);
  }
}
