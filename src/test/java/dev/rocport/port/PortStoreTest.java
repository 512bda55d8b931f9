package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortStoreTest {
  private static final Path TREE = Path.of("fixtures", "warp_reduce");

  @TempDir private Path folder;

  private PortStore open(String key) {
    return new PortStore(
        TreeCache.open(CacheFile.in(folder, TREE, "program"), TREE, Instant.now()), path -> key);
  }

  private static SourceTree tree(Path root) throws IOException {
    return SourceTree.walk(TreeSelection.of(List.of(root.toRealPath())));
  }

  /** Returns the ports of the files of a tree. */
  private static List<PortedFile> ports(Path root) throws IOException {
    List<PortedFile> files = Collections.synchronizedList(new ArrayList<>());
    Target target =
        new Target() {
          @Override
          public FileResult ported(PortedFile file) {
            files.add(file);
            return file.result();
          }
        };
    new Porter(RuleCatalog.builtIn(), PortOptions.DEFAULT, 1)
        .run(tree(root), target, ProgressListener.NONE);
    files.sort(Comparator.comparing(f -> f.entry().path()));
    return files;
  }

  private void keep(List<PortedFile> ports) {
    PortStore store = open("key");
    ports.forEach(store::put);
    store.save();
  }

  @Test
  void portsAreReadAsTheyWereMade() throws IOException {
    List<PortedFile> ports = new ArrayList<>(ports(TREE));
    ports.addAll(ports(Path.of("src", "test", "goldens", "findings")));
    assertThat(ports).anyMatch(PortedFile::isChanged).anyMatch(p -> !p.suppressed().isEmpty());
    keep(ports);
    PortStore store = open("key");
    for (PortedFile p : ports) {
      if (p.failure().isEmpty()) {
        PortedFile read = store.find(p.index(), p.entry(), p.source()).orElseThrow();
        assertThat(read.result()).isEqualTo(p.result());
        assertThat(read.output()).isEqualTo(p.output());
        assertThat(read.isChanged()).isEqualTo(p.isChanged());
        assertThat(read.shims()).isEqualTo(p.shims());
        assertThat(read.edited()).isEqualTo(p.edited());
      }
    }
  }

  @Test
  void anotherKeyOrContentMeansAnotherPort() throws IOException {
    List<PortedFile> ports = ports(TREE);
    keep(ports);
    PortedFile p = ports.getFirst();
    TreeEntry entry = p.entry();
    assertThat(open("key").find(0, entry, p.source())).isPresent();
    assertThat(open("other").find(0, entry, p.source())).isEmpty();
    byte[] content = Arrays.copyOf(p.source().bytes(), p.source().length() + 1);
    SourceFile changed = new SourceFile(entry.path(), content);
    assertThat(open("key").find(0, entry, changed)).isEmpty();
  }
}
