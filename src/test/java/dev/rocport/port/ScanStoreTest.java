package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectCommands;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanStoreTest {
  private static final String KEY = "0123456789abcdef";

  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  @TempDir private Path folder;
  private TreeEntry entry;

  @BeforeEach
  void file() throws IOException {
    Path file =
        Files.writeString(folder.resolve("a.cu"), "int half_of(int x);\n__global__ void k();");
    entry = new TreeEntry(file, "a.cu", FileKind.SOURCE, "cuda", Files.size(file), "");
  }

  private ScanStore open(String key) {
    Instant later = Instant.now().plus(Duration.ofMinutes(1));
    return new ScanStore(
        TreeCache.open(CacheFile.in(folder.resolve("scans"), folder, key), folder, later));
  }

  private static Scan scan(Path root, Path file) throws IOException {
    String path = root.relativize(file).toString();
    return PORTER.scan(new SourceFile(path, Files.readAllBytes(file)).withLineFeeds());
  }

  private SourceFile content() throws IOException {
    return new SourceFile("a.cu", Files.readAllBytes(entry.file()));
  }

  private Scan keep() throws IOException {
    Scan scan = scan(folder, entry.file());
    ScanStore store = open(KEY);
    store.put(entry, content(), scan);
    store.save();
    return scan;
  }

  private static byte[] packed(Scan scan) {
    PackedWriter out = new PackedWriter();
    scan.write(out);
    return out.toBytes();
  }

  @Test
  void factsOfUnchangedFilesAreFoundWithoutTheirContent() throws IOException {
    Scan scan = keep();
    Scan found = Objects.requireNonNull(open(KEY).find(entry).orElseThrow().scan());
    assertThat(packed(found)).isEqualTo(packed(scan));
    assertThat(open("another key").find(entry)).isEmpty();
  }

  @Test
  void contentOfTheSameSizeAndTimeIsNoticed() throws IOException {
    keep();
    byte[] before = Files.readAllBytes(entry.file());
    FileTime time = Files.getLastModifiedTime(entry.file());
    byte[] after = new String(before, StandardCharsets.UTF_8).replace('x', 'y').getBytes("UTF-8");
    do {
      // Until the clock of the file system has moved on.
      Files.write(entry.file(), after);
      Files.setLastModifiedTime(entry.file(), time);
    } while (open(KEY).find(entry).isPresent());
    assertThat(open(KEY).find(entry, new SourceFile("a.cu", after))).isEmpty();
    assertThat(open(KEY).find(entry, new SourceFile("a.cu", before))).isPresent();
  }

  @Test
  void filesThatWereWrittenShortlyBeforeAreReadAgain() throws IOException {
    SourceFile content = content();
    ScanStore store =
        new ScanStore(
            TreeCache.open(
                CacheFile.in(folder.resolve("scans"), folder, KEY), folder, Instant.now()));
    store.put(entry, content, scan(folder, entry.file()));
    store.save();
    assertThat(open(KEY).find(entry)).isEmpty();
    ScanStore again = open(KEY);
    assertThat(again.find(entry, content)).isPresent();
    again.save();
    assertThat(open(KEY).find(entry)).isPresent();
  }

  @Test
  void filesWithoutFactsAreKept() throws IOException {
    ScanStore store = open(KEY);
    store.put(entry, content(), null);
    store.save();
    assertThat(open(KEY).find(entry)).contains(new KnownScans.Known(null));
  }

  @Test
  void factsOfFilesThatARunDoesNotAskAboutStayWhileTheFilesExist() throws IOException {
    keep();
    TreeEntry other =
        new TreeEntry(
            Files.writeString(folder.resolve("b.cu"), "int b;"),
            "b.cu",
            FileKind.SOURCE,
            "cuda",
            6,
            "");
    ScanStore store = open(KEY);
    store.put(other, SourceFile.of("b.cu", "int b;"), null);
    store.save();
    assertThat(open(KEY).find(entry)).isPresent();
    SourceFile content = content();
    Files.delete(entry.file());
    ScanStore later = open(KEY);
    assertThat(later.find(other)).isPresent();
    later.save();
    assertThat(open(KEY).find(entry, content)).isEmpty();
    assertThat(open(KEY).find(other)).isPresent();
  }

  @Test
  void damagedStoresDoNotCount() throws IOException {
    keep();
    Path file;
    try (Stream<Path> files = Files.list(folder.resolve("scans"))) {
      file = files.findFirst().orElseThrow();
    }
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i += 7) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 0x11;
      Files.write(file, damaged);
      assertThat(open(KEY).find(entry)).as("byte %d", i).isEmpty();
    }
    Files.write(file, new byte[] {1, 2});
    assertThat(open(KEY).find(entry)).isEmpty();
  }

  @Test
  void factsOfAllFixturesAreTheSameWhenReadAgain() throws IOException {
    List<Scan> scans = new ArrayList<>();
    List<Scan> read = new ArrayList<>();
    for (String root : List.of("fixtures/warp", "fixtures/warp_reduce", "src/test/goldens")) {
      Path at = Path.of(root).toRealPath();
      for (TreeEntry e : SourceTree.walk(TreeSelection.of(List.of(at))).entries()) {
        if (e.isSource()) {
          Scan scan = scan(at, e.file());
          byte[] packed = packed(scan);
          Scan again = Scan.read(new PackedReader(packed));
          assertThat(packed(again)).as(e.path()).isEqualTo(packed);
          assertThat(again.definitions()).isEqualTo(scan.definitions());
          assertThat(again.warps().unit().map(u -> u.functions()))
              .isEqualTo(scan.warps().unit().map(u -> u.functions()));
          scans.add(scan);
          read.add(again);
        }
      }
    }
    ProjectIndex index = index(scans);
    assertThat(index.warpKey()).isNotEmpty().isEqualTo(index(read).warpKey());
    assertThat(index.mpiKey()).isEqualTo(index(read).mpiKey());
  }

  private static ProjectIndex index(List<Scan> scans) {
    return ProjectIndex.of(scans, ProjectCommands.NONE, PortOptions.Warp.AUTO);
  }
}
