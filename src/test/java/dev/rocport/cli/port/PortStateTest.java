package dev.rocport.cli.port;

import static dev.rocport.cli.port.PortRun.KERNEL;
import static dev.rocport.cli.port.PortRun.tree;
import static dev.rocport.cli.port.PortRun.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PortStateTest {
  private static final String WARP = KERNEL.replace("*= 2.0f", "+= __shfl_sync(~0u, x[0], 3)");

  @TempDir Path dir;
  private Path in;
  private Path out;
  private Path original;
  private Path ported;

  @BeforeEach
  void aPortedTree() throws IOException {
    in = dir.resolve("in");
    out = dir.resolve("out");
    original = write(in.resolve("k.cu"), KERNEL);
    ported = out.resolve("k.cu");
    assertThat(port().code()).isZero();
  }

  private PortRun port() {
    return PortRun.of("port", in, "--out", out);
  }

  private static void replace(Path file, String what, String by) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(what);
    Files.writeString(file, text.replace(what, by));
  }

  @Test
  void aPortInWhichNothingChangedWritesNothing() throws IOException {
    write(in.resolve("data.txt"), "1 2 3");
    write(in.resolve("log.ptx.txt"), "membar.gl;");
    write(in.resolve("bad.cu"), "cudaGraphConditionalHandle h;\n");
    write(in.resolve("Makefile"), "k: k.cu\n\tnvcc -o k k.cu\n");
    port();
    write(original, WARP); // changes the key of the port, but not the copies
    PortRun first = port();
    Path state = out.resolve(".rocport/port.json");
    FileTime before = FileTime.fromMillis(1_000_000_000_000L);
    Files.setLastModifiedTime(state, before);

    PortRun second = port();

    assertThat(second.code()).isEqualTo(first.code()).isEqualTo(1);
    assertThat(second.err()).contains("5 up to date").contains("bad.cu:1:1: error:");
    assertThat(second.out()).isEqualTo(first.out());
    assertThat(Files.getLastModifiedTime(state)).isEqualTo(before);
  }

  @Test
  void everyKindOfChangeIsNoticed() throws IOException {
    write(original, WARP);
    Path data = write(in.resolve("data.txt"), "1 2 3");
    Path makefile = write(in.resolve("Makefile"), "all:\n\ttrue\n");
    port();
    SortedMap<String, String> complete = tree(out);
    for (String deleted : complete.keySet()) {
      Files.delete(out.resolve(deleted));
      port();
      assertThat(tree(out)).as("without " + deleted).isEqualTo(complete);
    }

    write(data, "3 2 1");
    assertThat(port().err()).contains("1 copied");
    assertThat(out.resolve("data.txt")).hasContent("3 2 1");
    write(makefile, "all:\n\tnvcc k.cu\n");
    port();
    assertThat(out.resolve("Makefile")).content().contains("hipcc");
    write(in.resolve("more.cu"), KERNEL);
    port();
    assertThat(out.resolve("more.cu")).exists();
    Files.delete(in.resolve("more.cu"));
    assertThat(port().err()).contains("no longer in the original");
    assertThat(PortRun.of("port", in, "--out", out, "--launch", "ggl").code()).isZero();
    assertThat(ported).content().contains("hipLaunchKernelGGL");
  }

  @Test
  void editsOfACopyAreKeptWhereAnotherFormOfItsHashIsRecorded() throws IOException {
    Path makefile = write(in.resolve("Makefile"), "all:\n\ttrue\n");
    port();
    Files.writeString(out.resolve("Makefile"), "all:\n\ttrue\n# mine\n");

    PortRun renamed = PortRun.of("port", in, "--out", out, "--rename-sources");

    assertThat(renamed.code()).isZero();
    assertThat(renamed.err()).contains("edited by hand").doesNotContain("conflict");
    assertThat(out.resolve("Makefile")).content().contains("# mine");
    assertThat(makefile).content().doesNotContain("# mine");
  }

  @Test
  void aChangedRowOfAUserTableIsNoticed() throws IOException {
    Path rules = dir.resolve("rules");
    write(
        rules.resolve("ptx/own.yaml"),
        """
        id: PTX-OWN
        topic: ptx
        title: own translations
        why: Tests them.
        severity: note
        confidence: certain
        analysis: ptx
        examples:
          - before: |
              __device__ void f() { asm("brkpt;"); }
            after: |
              __device__ void f() { __builtin_trap(); }
        """);
    write(original, KERNEL.replace("x[threadIdx.x] *= 2.0f", "asm(\"brkpt;\")"));
    Path table = rules.resolve("ptx/own.tsv");
    for (String hip : new String[] {"__builtin_trap()", "__builtin_debugtrap()"}) {
      write(
          table, "ptx\thip\texact\teffort\tmeaning\tnote\nbrkpt\t" + hip + "\texact\t-\tstops\t\n");
      PortRun.of("port", in, "--out", out, "--rules", rules);
      assertThat(ported).content().contains(hip);
    }
  }

  @Test
  void aChangedTitleOfAUserRuleIsNoticed() throws IOException {
    Path rules = dir.resolve("rules");
    write(original, KERNEL.replace("twice<<<1, 32>>>(x);", "twice<<<1, 32>>>(x);\n  own();"));
    for (String title : new String[] {"The first text", "The second text"}) {
      write(
          rules.resolve("own.yaml"),
          """
          - id: OWN-RULE
            title: %s
            why: Tests it.
            severity: warning
            confidence: review
            functions: [own]
            match: $f()
            examples:
              - before: own();
          """
              .formatted(title));
      PortRun run = PortRun.of("port", in, "--out", out, "--rules", rules);
      assertThat(run.out() + run.err()).contains(title);
    }
  }

  @Test
  void editsByHandAreKeptWhereTheOriginalDidNotChange() throws IOException {
    replace(ported, "2.0f", "3.0f");
    PortRun run = port();
    assertThat(run.code()).isZero();
    assertThat(run.err()).contains("k.cu: note: edited by hand").contains("1 up to date");
    assertThat(ported).content().contains("3.0f");
    assertThat(PortRun.of("port", in, "--out", out, "--launch", "ggl").code()).isZero();
    assertThat(ported).content().contains("3.0f").contains("hipLaunchKernelGGL");
  }

  @Test
  void editsByHandAndChangesOfTheOriginalAreMerged() throws IOException {
    replace(ported, "x[threadIdx.x] *= 2.0f;", "x[threadIdx.x] *= 3.0f; // by hand");
    replace(
        original, "cudaDeviceSynchronize();", "cudaDeviceSynchronize();\n  cudaGetLastError();");
    PortRun run = port();
    assertThat(run.code()).isZero();
    assertThat(run.err()).contains("merged with the edits made by hand");
    assertThat(ported).content().contains("by hand").contains("hipGetLastError");
    assertThat(port().err()).contains("1 up to date");
    replace(original, "cudaGetLastError();", "cudaPeekAtLastError();");
    assertThat(port().code()).isZero();
    assertThat(ported).content().contains("by hand").contains("hipPeekAtLastError");
  }

  @Test
  void aContradictionKeepsBothUntilAPersonMerged() throws IOException {
    replace(ported, "2.0f", "3.0f");
    replace(original, "2.0f", "4.0f");
    for (int i = 0; i < 2; i++) {
      PortRun run = port();
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err()).contains("k.cu: conflict:").contains(".rocport/conflicts/k.cu");
      assertThat(ported).content().contains("3.0f").doesNotContain("4.0f");
      assertThat(out.resolve(".rocport/conflicts/k.cu")).content().contains("4.0f").contains("hip");
    }
    replace(ported, "3.0f", "3.0f + 4.0f");
    Files.delete(out.resolve(".rocport/conflicts/k.cu"));
    assertThat(port().code()).isZero();
    assertThat(ported).content().contains("3.0f + 4.0f");
    replace(
        original, "cudaDeviceSynchronize();", "cudaDeviceSynchronize();\n  cudaGetLastError();");
    assertThat(port().code()).isZero();
    assertThat(ported).content().contains("3.0f + 4.0f").contains("hipGetLastError");
  }

  @Test
  void aFileThatRocportDidNotWriteIsLeftAlone() throws IOException {
    write(in.resolve("new.cu"), KERNEL);
    write(out.resolve("new.cu"), "mine\n");
    write(in.resolve("new.txt"), "text\n");
    write(out.resolve("new.txt"), "mine\n");
    PortRun run = port();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("a file that rocport did not write");
    assertThat(out.resolve("new.cu")).content().isEqualTo("mine\n");
    assertThat(out.resolve("new.txt")).content().isEqualTo("mine\n");
    assertThat(out.resolve(".rocport/conflicts/new.cu")).content().contains("hip");
  }

  @Test
  void portsOfDeletedFilesGoUnlessEdited() throws IOException {
    write(in.resolve("sub/gone.cu"), KERNEL);
    write(in.resolve("kept.cu"), KERNEL);
    port();
    Files.delete(in.resolve("sub/gone.cu"));
    Files.delete(in.resolve("kept.cu"));
    replace(out.resolve("kept.cu"), "2.0f", "3.0f");
    PortRun run = port();
    assertThat(run.err())
        .contains("sub/gone.cu: skipped: no longer in the original: its port was removed")
        .contains("kept.cu: skipped: no longer in the original; its port was edited");
    assertThat(tree(out).keySet()).containsExactly("k.cu", "kept.cu");
    assertThat(out.resolve("sub")).doesNotExist();
  }

  @Test
  void aRunOverAPartOfTheTreeRemovesNothingElse() throws IOException {
    write(in.resolve("a/a.cu"), WARP);
    write(in.resolve("b/b.cu"), KERNEL);
    port();
    Map<String, String> before = tree(out);
    PortRun.of("port", in.resolve("a"), in.resolve("k.cu"), "--out", out);
    assertThat(tree(out)).isEqualTo(before);
  }

  @Test
  void aDeletedPortIsMadeAgain() throws IOException {
    Files.delete(ported);
    assertThat(port().err()).contains("1 ported");
    assertThat(ported).exists();
  }

  @Test
  void aDamagedStateStopsTheRunBeforeAnythingIsWritten() throws IOException {
    Path state = out.resolve(".rocport/port.json");
    replace(original, "2.0f", "4.0f");
    Map<String, String> before = tree(out);
    String good = Files.readString(state);
    for (String bad :
        new String[] {
          good.substring(0, good.length() / 2),
          "",
          "[]",
          "{}",
          "{\"format\":1}",
          "{\"format\":1,\"files\":{}}",
          good + good,
          good.replace("\"format\":1", "\"format\":9")
        }) {
      Files.writeString(state, bad);
      PortRun run = port();
      assertThat(run.code()).as(bad).isEqualTo(2);
      assertThat(run.err()).contains("port.json");
      assertThat(tree(out)).isEqualTo(before);
      assertThat(state).content().isEqualTo(bad);
    }
    Files.writeString(state, good);
    assertThat(port().code()).isZero();
    assertThat(ported).content().contains("4.0f");
  }

  @Test
  void halfALineInTheJournalIsWhatAKilledRunLeaves() throws IOException {
    Path state = out.resolve(".rocport/port.json");
    String entry =
        Files.readString(state).lines().filter(l -> l.contains("k.cu")).findFirst().orElseThrow();
    Files.delete(state);
    Files.writeString(
        state.resolveSibling("port.json.journal"), entry + "\n" + entry.substring(0, 40));
    PortRun run = port();
    assertThat(run.code()).isZero();
    assertThat(run.err()).contains("1 up to date");
    assertThat(state).exists();
    assertThat(state.resolveSibling("port.json.journal")).doesNotExist();
  }

  @Test
  void theStateOfAKilledRunIsCompletedWhereNothingElseChanged() throws IOException {
    Path state = out.resolve(".rocport/port.json");
    String entry =
        Files.readString(state).lines().filter(l -> l.contains("k.cu")).findFirst().orElseThrow();
    Path journal = state.resolveSibling("port.json.journal");
    Files.writeString(journal, entry + "\n");
    assertThat(port().err()).contains("1 up to date");
    assertThat(journal).doesNotExist();
  }

  @Test
  void twoRunsOnOneOutputExcludeEachOther() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(out.resolve(".rocport/lock").toFile(), "rw");
        FileLock lock = file.getChannel().lock()) {
      assertThat(lock.isValid()).isTrue();
      PortRun run = port();
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains("another rocport process is writing");
    }
    assertThat(port().code()).isZero();
  }

  @Test
  void inPlaceIsIdempotentAndUndoneByteForByte() throws IOException {
    write(in.resolve("warp.cu"), WARP.replace("\n", "\r\n"));
    write(in.resolve("note.txt"), "text");
    Files.setPosixFilePermissions(
        in.resolve("warp.cu"),
        java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr--"));
    Map<String, String> before = tree(in);
    assertThat(PortRun.of("port", in, "--in-place").code()).isZero();
    Map<String, String> after = tree(in);
    assertThat(after.get("warp.cu")).contains("hip");
    assertThat(after).containsKey("rocport/warp_sync.h");
    PortRun again = PortRun.of("port", in, "--in-place");
    assertThat(again.err()).contains("2 up to date").doesNotContain(" ported");
    assertThat(tree(in)).isEqualTo(after);
    assertThat(PortRun.of("port", in, "--undo").code()).isZero();
    assertThat(tree(in)).isEqualTo(before);
    assertThat(in.resolve(".rocport")).doesNotExist();
    assertThat(
            java.nio.file.attribute.PosixFilePermissions.toString(
                Files.getPosixFilePermissions(in.resolve("warp.cu"))))
        .isEqualTo("rwxr-xr--");
  }

  @Test
  void inPlaceWithOtherOptionsStartsFromTheOriginal() throws IOException {
    PortRun.of("port", in, "--in-place");
    PortRun.of("port", in, "--in-place", "--launch", "ggl");
    assertThat(original).content().contains("hipLaunchKernelGGL");
    PortRun.of("port", in, "--in-place");
    assertThat(original).content().isEqualTo(Files.readString(ported));
    PortRun.of("port", in, "--undo");
    assertThat(original).content().isEqualTo(KERNEL);
  }

  @Test
  void undoLeavesEditedFilesAloneUnlessForced() throws IOException {
    write(in.resolve("other.cu"), KERNEL);
    PortRun.of("port", in, "--in-place");
    replace(original, "2.0f", "3.0f");
    PortRun run = PortRun.of("port", in, "--undo");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("k.cu: edited since the port");
    assertThat(original).content().contains("3.0f").contains("hip");
    assertThat(in.resolve("other.cu")).content().isEqualTo(KERNEL);
    assertThat(PortRun.of("port", in, "--undo", "--force").code()).isZero();
    assertThat(original).content().isEqualTo(KERNEL);
    assertThat(in.resolve(".rocport")).doesNotExist();
  }

  @Test
  void inPlaceKeepsEditsAndPortsNewCudaCode() throws IOException {
    PortRun.of("port", in, "--in-place");
    replace(original, "2.0f;", "3.0f;\n  // more\n}\nvoid more() {\n  cudaGetLastError();");
    PortRun run = PortRun.of("port", in, "--in-place");
    assertThat(run.code()).isZero();
    assertThat(original).content().contains("3.0f").contains("hipGetLastError");
    String now = Files.readString(original);
    PortRun.of("port", in, "--in-place", "--launch", "ggl");
    assertThat(original).content().contains("3.0f").contains("hipGetLastError");
    assertThat(now).contains("3.0f");
    assertThat(PortRun.of("port", in, "--undo").code()).isEqualTo(1);
    assertThat(PortRun.of("port", in, "--undo", "--force").code()).isZero();
    assertThat(original).content().isEqualTo(KERNEL);
  }

  @Test
  void renamingInPlaceIsUndoneToo() throws IOException {
    write(in.resolve("Makefile"), "k.o: k.cu\n");
    Map<String, String> before = tree(in);
    PortRun.of("port", in, "--in-place", "--rename-sources");
    assertThat(tree(in))
        .containsOnlyKeys("Makefile", "k.hip")
        .containsEntry("Makefile", "k.o: k.hip\n");
    PortRun.of("port", in, "--in-place", "--rename-sources");
    assertThat(tree(in)).containsOnlyKeys("Makefile", "k.hip");
    assertThat(PortRun.of("port", in, "--undo").code()).isZero();
    assertThat(tree(in)).isEqualTo(before);
  }

  @Test
  void undoOfAnOutputDeletesWhatWasWritten() throws IOException {
    write(out.resolve("mine.txt"), "x");
    assertThat(PortRun.of("port", out, "--undo").code()).isZero();
    assertThat(tree(out)).containsOnlyKeys("mine.txt");
    assertThat(out.resolve(".rocport")).doesNotExist();
    assertThat(original).content().isEqualTo(KERNEL);
  }

  @Test
  void undoNeverDeletesAFileThatRocportDidNotWrite() throws IOException {
    write(in.resolve("new.cu"), WARP);
    write(out.resolve("new.cu"), "mine\n");
    write(out.resolve("rocport/warp_sync.h"), "mine too\n");
    Files.createSymbolicLink(out.resolve("link.cu"), Path.of("nowhere"));
    write(in.resolve("link.cu"), KERNEL);
    for (int i = 0; i < 2; i++) {
      assertThat(port().code()).isEqualTo(1);
      assertThat(tree(out))
          .containsEntry("link.cu", "-> nowhere")
          .containsEntry("new.cu", "mine\n");
    }
    // As if a person had merged the one.
    Files.delete(out.resolve(".rocport/conflicts/new.cu"));
    port();
    PortRun run = PortRun.of("port", out, "--undo", "--force");
    assertThat(run.err()).contains("new.cu: not written by rocport: left unchanged");
    assertThat(tree(out))
        .containsOnlyKeys("link.cu", "new.cu", "rocport/warp_sync.h")
        .containsEntry("new.cu", "mine\n");
    assertThat(run.code()).isZero();
    assertThat(out.resolve(".rocport")).doesNotExist();
  }

  @Test
  void deletingAnOriginalKeepsForeignFiles() throws IOException {
    write(in.resolve("new.cu"), KERNEL);
    Files.createSymbolicLink(out.resolve("new.cu"), Path.of("nowhere"));
    port();
    Files.delete(in.resolve("new.cu"));
    port();
    assertThat(tree(out)).containsEntry("new.cu", "-> nowhere");
  }

  @Test
  void aFileInTheStepsOfALinkIsLeftAlone() throws IOException {
    Files.createSymbolicLink(in.resolve("same.cu"), Path.of("k.cu"));
    port();
    Files.delete(out.resolve("same.cu"));
    write(out.resolve("same.cu"), "mine\n");
    PortRun run = port();
    assertThat(run.err()).contains("same.cu: conflict: a file or folder exists");
    assertThat(out.resolve("same.cu")).content().isEqualTo("mine\n");
  }

  @Test
  void renamingInPlaceAndItsUndoOverwriteNothing() throws IOException {
    write(in.resolve("k.hip"), "mine\n");
    PortRun run = PortRun.of("port", original, "--in-place", "--rename-sources");
    assertThat(run.err()).contains("k.hip already exists");
    assertThat(in.resolve("k.hip")).content().isEqualTo("mine\n");
    Files.delete(in.resolve("k.hip"));
    PortRun.of("port", in, "--in-place", "--rename-sources");
    write(original, "new\n");
    assertThat(PortRun.of("port", in, "--undo", "--force").code()).isEqualTo(1);
    assertThat(original).content().isEqualTo("new\n");
    assertThat(in.resolve("k.hip")).content().contains("hip");
    Files.delete(original);
    assertThat(PortRun.of("port", in, "--undo").code()).isZero();
    assertThat(original).content().isEqualTo(KERNEL);
  }

  @Test
  void undoneInPartTheRestIsRemembered() throws IOException {
    write(in.resolve("a/a.cu"), KERNEL);
    PortRun.of("port", in, "--in-place");
    PortRun.of("port", in.resolve("a"), "--undo");
    assertThat(in.resolve("a/a.cu")).content().isEqualTo(KERNEL);
    assertThat(original).content().contains("hip");
    PortRun.of("port", in, "--undo");
    assertThat(original).content().isEqualTo(KERNEL);
  }
}
