package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.Sha256;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectCommands;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.warp.WarpModel;
import dev.rocport.warp.WarpProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With evidence of an earlier state, a tree says what it says without. */
class TreeEvidenceTest {
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);
  private static final String KEY = "0123456789abcdef";
  private static final int STATES = 20;
  private static final int MOST_EDITS = 4;

  @TempDir private Path folder;

  /** The facts by path and text. */
  private final Map<String, Scan> scans = new HashMap<>();

  private CacheFile cache() {
    return CacheFile.in(folder.resolve("cache"), folder, KEY);
  }

  private TreeEvidence open() {
    return TreeEvidence.open(cache(), Instant.now().plus(Duration.ofMinutes(1)));
  }

  private static SourceFile source(String path, String text) {
    return new SourceFile(path, text.getBytes(StandardCharsets.UTF_8));
  }

  private Scan scan(String path, String text) {
    return scans.computeIfAbsent(path + "\n" + text, k -> PORTER.scan(source(path, text)));
  }

  private TreeEntry entry(String path, String text) throws IOException {
    Path file = folder.resolve("tree").resolve(path);
    Files.createDirectories(file.getParent());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!Files.exists(file) || !Sha256.of(file).equals(Sha256.of(bytes))) {
      Files.write(file, bytes);
    }
    return new TreeEntry(file, path, FileKind.SOURCE, "cuda", bytes.length, "");
  }

  /** Keeps the evidence about a state. */
  private void keep(SortedMap<String, String> texts, PortOptions.Warp mode) throws IOException {
    ScanStore store =
        new ScanStore(
            TreeCache.open(
                CacheFile.in(folder.resolve("scans"), folder, KEY),
                folder,
                Instant.now().plus(Duration.ofMinutes(1))));
    List<Scan> scans = new ArrayList<>();
    for (Map.Entry<String, String> e : texts.entrySet()) {
      Scan scan = scan(e.getKey(), e.getValue());
      store.put(entry(e.getKey(), e.getValue()), source(e.getKey(), e.getValue()), scan);
      scans.add(scan);
    }
    WarpProject project = new WarpProject(mode);
    WarpModel decided = project.decide(scans.stream().map(Scan::warps).toList());
    ProjectIndex index = ProjectIndex.EMPTY.after(scans, ProjectCommands.NONE, decided);
    open().save(store.asked(), scans, index, ProjectCommands.NONE, project);
  }

  /** Looks at all files as a run does, and returns the index and how many files were scanned. */
  private int look(TreeEvidence evidence, SortedMap<String, String> texts) throws IOException {
    int scanned = 0;
    for (Map.Entry<String, String> e : texts.entrySet()) {
      TreeEntry entry = entry(e.getKey(), e.getValue());
      SourceFile content = source(e.getKey(), e.getValue());
      if (evidence.find(entry).isEmpty() && evidence.find(entry, content).isEmpty()) {
        evidence.put(entry, content, scan(e.getKey(), e.getValue()));
        scanned++;
      }
    }
    return scanned;
  }

  private static String told(String path, ProjectIndex index) {
    return index.warps().plan(path).key()
        + "\n"
        + index.ownNames(path)
        + index.mixedNames(path)
        + index.companions(path)
        + index.mpiKey()
        + index.shared()
        + index.textures();
  }

  /**
   * Compares what a tree says with evidence and without.
   *
   * @param edited the files that have changed
   * @return the decisions about its warp code
   */
  private String compare(
      SortedMap<String, String> texts, Set<String> edited, PortOptions.Warp mode, String what)
      throws IOException {
    TreeEvidence evidence = open();
    assertThat(evidence.isUsable()).isTrue();
    assertThat(look(evidence, texts)).isLessThanOrEqualTo(edited.size());
    ProjectIndex kept = evidence.index(ProjectCommands.NONE, mode);
    List<Scan> all = new ArrayList<>();
    texts.forEach((path, text) -> all.add(scan(path, text)));
    ProjectIndex whole = ProjectIndex.of(all, ProjectCommands.NONE, mode);
    SortedMap<String, String> now = new TreeMap<>();
    SortedMap<String, String> expected = new TreeMap<>();
    for (String path : texts.keySet()) {
      now.put(path, told(path, kept));
      expected.put(path, told(path, whole));
    }
    assertThat(now).as(what).isEqualTo(expected);
    assertThat(kept.warpKey()).isEqualTo(whole.warpKey());
    for (String path : texts.keySet()) {
      // Alone, the file is decided about with less that was interpreted.
      TreeEvidence alone = open();
      look(alone, texts);
      assertThat(alone.index(ProjectCommands.NONE, mode).warps().plan(path))
          .as("%s, %s alone", what, path)
          .isEqualTo(whole.warps().plan(path));
      if (edited.contains(path)) {
        Changes changes = PORTER.port(source(path, texts.get(path)), kept);
        Changes same = PORTER.port(source(path, texts.get(path)), whole);
        assertThat(changes.edits().sorted()).isEqualTo(same.edits().sorted());
        assertThat(changes.findings()).isEqualTo(same.findings());
      }
    }
    return whole.warpKey();
  }

  @ParameterizedTest
  @EnumSource(PortOptions.Warp.class)
  void portsAreThoseOfARunWithoutEvidence(PortOptions.Warp mode) throws IOException {
    ChangingProject project = new ChangingProject(7 + mode.ordinal());
    Set<String> seen = new HashSet<>();
    for (int state = 0; state < STATES; state++) {
      keep(project.texts(), mode);
      Set<String> edited = new HashSet<>();
      for (int n = 0; n <= state % MOST_EDITS; n++) {
        edited.add(project.edit());
      }
      String what = "state %d, edited %s".formatted(state, edited);
      seen.add(compare(project.texts(), edited, mode, what));
    }
    assertThat(seen).hasSizeGreaterThan(STATES / 4);
  }

  @Test
  void filesThatAreRenamedAreReadAgain() throws IOException {
    SortedMap<String, String> texts = new ChangingProject(1).texts();
    keep(texts, PortOptions.Warp.AUTO);
    SortedMap<String, String> moved = new TreeMap<>(texts);
    String helpers = moved.remove("lib/helpers.cuh");
    moved.put("other/helpers.cuh", helpers);
    moved.put("kernels9.cu", moved.remove("kernels2.cu"));
    Set<String> names = Set.of("other/helpers.cuh", "kernels9.cu");
    String decided = compare(moved, names, PortOptions.Warp.AUTO, "renamed");
    assertThat(compare(moved, names, PortOptions.Warp.AUTO, "again")).isEqualTo(decided);
  }

  @Test
  void damagedEvidenceIsNotUsed() throws IOException {
    ChangingProject project = new ChangingProject(1);
    keep(project.texts(), PortOptions.Warp.AUTO);
    assertThat(open().isUsable()).isTrue();
    byte[] all = Files.readAllBytes(cache().path());
    for (int at : List.of(0, 5, all.length / 2, all.length - 1)) {
      byte[] damaged = all.clone();
      damaged[at] ^= 1;
      Files.write(cache().path(), damaged);
      assertThat(open().isUsable()).as("byte %d", at).isFalse();
    }
    Files.write(cache().path(), Arrays.copyOf(all, all.length / 2));
    assertThat(open().isUsable()).isFalse();
    Files.write(cache().path(), new byte[0]);
    assertThat(open().isUsable()).isFalse();
  }

  @Test
  void filesThatWereOnlyTouchedHaveNotChanged() throws IOException {
    ChangingProject project = new ChangingProject(1);
    keep(project.texts(), PortOptions.Warp.AUTO);
    for (String path : project.texts().keySet()) {
      Path file = folder.resolve("tree").resolve(path);
      Files.delete(file);
      Files.writeString(file, project.texts().get(path));
    }
    assertThat(look(open(), project.texts())).isZero();
  }
}
