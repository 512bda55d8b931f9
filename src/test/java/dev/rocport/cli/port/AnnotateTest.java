package dev.rocport.cli.port;

import static dev.rocport.cli.port.PortRun.tree;
import static dev.rocport.cli.port.PortRun.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comments in ported trees, and trees without them again. */
final class AnnotateTest {
  private static final Path GOLDENS =
      Path.of(System.getProperty("rocport.home"), "src/test/goldens");
  private static final String CODE =
      "__global__ void k(int* p) {\n  asm(\"wgmma.fence.sync.aligned;\");\n  __syncthreads();\n}\n"
          + "void f() { cudaDeviceSynchronize(); }\n";

  @TempDir private Path dir;
  private Path in;
  private Path out;

  @BeforeEach
  void folders() throws IOException {
    in = dir.resolve("in");
    out = dir.resolve("out");
    write(in.resolve("k.cu"), CODE);
  }

  private String ported() throws IOException {
    return Files.readString(out.resolve("k.cu"));
  }

  @Test
  void openFindingsAreMarkedAndTheMarksRemoved() throws IOException {
    PortRun.of("port", in, "--out", out);
    String plain = ported();
    assertThat(PortRun.of("port", in, "--out", out, "--annotate").code()).isOne();
    assertThat(ported())
        .containsPattern("\\{\n  // rocport PTX-INLINE: inline PTX: wgmma[^\n]* \\[....]\n  asm");
    String noted = ported();
    assertThat(PortRun.of("port", in, "--out", out, "--annotate").err()).contains("1 up to date");
    assertThat(ported()).isEqualTo(noted);
    PortRun removed = PortRun.of("port", out, "--unannotate");
    assertThat(removed.code()).isZero();
    assertThat(removed.err()).contains("removed comments from 1 file");
    assertThat(ported()).isEqualTo(plain);
    assertThat(PortRun.of("port", out, "--unannotate").err()).contains("0 files");
    PortRun.of("port", in, "--out", out, "--annotate");
    assertThat(ported()).isEqualTo(noted);
    PortRun.of("port", in, "--out", out);
    assertThat(ported()).isEqualTo(plain);
  }

  @Test
  void editsByHandSurviveTheRemoval() throws IOException {
    PortRun.of("port", in, "--out", out, "--annotate", "--keep-original");
    assertThat(ported()).contains("// rocport original: void f() { cudaDeviceSynchronize(); }");
    write(
        out.resolve("k.cu"),
        ported().replace("__syncthreads();\n}", "__syncthreads();\n  // mine\n}"));
    PortRun.of("port", out, "--unannotate");
    assertThat(ported()).contains("// mine").doesNotContain("// rocport");
    PortRun.of("port", in, "--out", out, "--annotate");
    assertThat(ported()).contains("// mine").contains("// rocport PTX-INLINE");
  }

  @Test
  void aPortInPlaceIsUndoneWithItsComments() throws IOException {
    PortRun.of("port", in, "--in-place", "--annotate");
    assertThat(Files.readString(in.resolve("k.cu"))).contains("// rocport PTX-INLINE");
    PortRun.of("port", in, "--unannotate");
    assertThat(PortRun.of("port", in, "--undo").code()).isZero();
    assertThat(Files.readString(in.resolve("k.cu"))).isEqualTo(CODE);
  }

  @Test
  void aPartOfAPortLosesItsComments() throws IOException {
    write(in.resolve("sub/s.cu"), CODE);
    write(in.resolve("sub/t.cu"), CODE);
    PortRun.of("port", in, "--out", out, "--annotate");
    String noted = ported();
    PortRun part = PortRun.of("port", out.resolve("sub"), "--unannotate", "--exclude", "t.cu");
    assertThat(part.err()).contains("removed comments from 1 file");
    assertThat(out.resolve("sub/s.cu")).content().doesNotContain("// rocport");
    assertThat(out.resolve("sub/t.cu")).content().isEqualTo(noted);
    assertThat(ported()).isEqualTo(noted);
    PortRun undone = PortRun.of("port", out, "--undo");
    assertThat(undone.err()).doesNotContain("edited since");
    assertThat(undone.code()).isZero();
    assertThat(out.resolve("k.cu")).doesNotExist();
  }

  /** A run that was killed may leave a file without comments whose copy has them. */
  @Test
  void aFileWithoutCommentsIsNoLongerRecordedWithThem() throws IOException {
    PortRun.of("port", in, "--out", out, "--annotate");
    write(out.resolve("k.cu"), ported().replaceAll("(?m)^ *// rocport .*\n", ""));
    assertThat(PortRun.of("port", out, "--unannotate").err()).contains("0 files");
    assertThat(PortRun.of("port", out, "--undo").code()).isZero();
  }

  @Test
  void whileAnotherPortRunsAllStays() throws IOException {
    PortRun.of("port", in, "--out", out, "--annotate");
    String noted = ported();
    try (FileChannel lock =
        FileChannel.open(out.resolve(".rocport/lock"), StandardOpenOption.WRITE)) {
      assertThat(lock.tryLock()).isNotNull();
      PortRun refused = PortRun.of("port", out, "--unannotate");
      assertThat(refused.err()).contains("another rocport process is writing to");
      assertThat(refused.code()).isEqualTo(2);
      assertThat(ported()).isEqualTo(noted);
    }
    assertThat(PortRun.of("port", out, "--unannotate").err()).contains("from 1 file");
    assertThat(PortRun.of("port", out, "--undo").code()).isZero();
  }

  @Test
  void suppressedFindingsAreNotOpen() throws IOException {
    write(
        in.resolve(".rocport.yaml"), "suppress: [{rule: PTX-INLINE, reason: not on this path}]\n");
    PortRun.of("port", in, "--out", out, "--annotate");
    assertThat(ported()).doesNotContain("// rocport");
  }

  @Test
  void aTreeForBothPlatformsHasNoPlaceForComments() {
    PortRun run = PortRun.of("port", in, "--out", out, "--style", "single-source", "--annotate");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--annotate and --keep-original require --style hip");
    assertThat(PortRun.of("port", in, "--unannotate", "--diff").code()).isEqualTo(2);
  }

  @Test
  void commentsChangeNoToken() throws IOException {
    Path plain = dir.resolve("plain");
    PortRun.of("port", GOLDENS.resolve("findings"), "--out", plain, "--quiet");
    PortRun.of(
        "port",
        GOLDENS.resolve("findings"),
        "--out",
        out,
        "--quiet",
        "--annotate-notes",
        "--keep-original");
    int noted = 0;
    for (Path file : sources(plain)) {
      Path other = out.resolve(plain.relativize(file));
      noted += Files.size(other) > Files.size(file) ? 1 : 0;
      assertThat(tokens(other)).as(file.toString()).isEqualTo(tokens(file));
    }
    assertThat(noted).isGreaterThan(20);
    PortRun.of("port", out, "--unannotate", "--quiet");
    assertThat(tree(out)).isEqualTo(tree(plain));
  }

  private static List<Path> sources(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(p -> p.toString().matches(".*\\.(cu|cuh|h|cpp|c)")).sorted().toList();
    }
  }

  private static List<String> tokens(Path file) throws IOException {
    SourceFile source = new SourceFile("a.cu", Files.readAllBytes(file));
    Tokens tokens = Lexer.lex(source);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < tokens.count(); i++) {
      texts.add(
          new String(
              source.bytes(),
              tokens.start(i),
              tokens.end(i) - tokens.start(i),
              StandardCharsets.ISO_8859_1));
    }
    return texts;
  }
}
