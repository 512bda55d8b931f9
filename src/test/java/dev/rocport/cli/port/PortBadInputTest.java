package dev.rocport.cli.port;

import static dev.rocport.cli.port.PortRun.KERNEL;
import static dev.rocport.cli.port.PortRun.tree;
import static dev.rocport.cli.port.PortRun.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
final class PortBadInputTest {
  @TempDir Path dir;
  private Path in;
  private Path out;

  @BeforeEach
  void aTreeWithOneGoodFile() throws IOException {
    in = dir.resolve("in");
    out = dir.resolve("out");
    write(in.resolve("good.cu"), KERNEL);
  }

  private PortRun port() {
    return PortRun.of("port", in, "--out", out);
  }

  private void assertGoodFileIsPorted() {
    assertThat(out.resolve("good.cu")).content().contains("hipDeviceSynchronize");
  }

  @Test
  void utf16IsReportedAndCopied() throws IOException {
    Path file =
        write(in.resolve("wide.cu"), ("\ufeff" + KERNEL).getBytes(StandardCharsets.UTF_16LE));
    PortRun run = port();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("wide.cu: error: the file is UTF-16");
    assertThat(out.resolve("wide.cu")).hasSameBinaryContentAs(file);
    assertGoodFileIsPorted();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "x-UTF-16LE-BOM", "UTF-16"})
  void codeInWideCharactersIsAnErrorWhateverTheFileIsCalled(String charset) throws IOException {
    Charset wide = Charset.forName(charset);
    write(in.resolve("wide.cpp"), "#include <a.h>\nint main() {\n}\n".getBytes(wide));
    write(in.resolve("words.h"), "a list of words, one a line".getBytes(wide));
    PortRun run = port();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("wide.cpp: error:").contains("words.h: warning:");
    assertGoodFileIsPorted();
  }

  @Test
  void zeroBytesInCudaSourceAreAnErrorAndInAHeaderAWarning() throws IOException {
    Path cuda = write(in.resolve("zero.cu"), KERNEL + "\0\n");
    write(in.resolve("zero.h"), "int x;\0\n");
    PortRun run = port();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("zero.cu: error:").contains("zero.h: warning:");
    assertThat(out.resolve("zero.cu")).hasSameBinaryContentAs(cuda);
    assertGoodFileIsPorted();
  }

  @Test
  void latin1BomAndCrlfSurviveThePort() throws IOException {
    byte[] latin1 = ("// gr\u00f6\u00dfe\r\n" + KERNEL).getBytes(StandardCharsets.ISO_8859_1);
    write(in.resolve("latin1.cu"), latin1);
    write(in.resolve("bom.cu"), "\ufeff" + KERNEL);
    assertThat(port().code()).isZero();
    byte[] ported = Files.readAllBytes(out.resolve("latin1.cu"));
    assertThat(new String(ported, StandardCharsets.ISO_8859_1))
        .contains("// gr\u00f6\u00dfe\r\n")
        .contains("hipDeviceSynchronize");
    assertThat(Files.readString(out.resolve("bom.cu"))).startsWith("\ufeff").contains("hip");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hip", "single-source"})
  void theLineEndsOfOldMacsArePortedAndKept(String style) throws IOException {
    String text = "// first\n" + KERNEL + "// last\n";
    Path lf = write(in.resolve("good.cu"), text);
    Path cr = write(in.resolve("mac.cu"), text.replace('\n', '\r'));
    write(in.resolve("mac.inc"), text.replace('\n', '\r'));
    assertThat(PortRun.of("port", in, "--out", out, "--style", style).code()).isZero();
    String ported = Files.readString(out.resolve(in.relativize(lf)));
    assertThat(ported).contains("hip").contains("// last\n");
    assertThat(out.resolve("mac.cu")).hasContent(ported.replace('\n', '\r'));
    assertThat(out.resolve("mac.inc")).content().contains("hip");
    if (style.equals("single-source")) {
      PortRun isolation = PortRun.of("isolation", cr, out.resolve("mac.cu"));
      assertThat(isolation.code()).as(isolation.out()).isZero();
    }
    PortRun again = PortRun.of("port", out.resolve("mac.cu"), "--diff", "--style", style);
    assertThat(again.out()).doesNotContain("mac.cu");
  }

  @Test
  void aLoneReturnAmongOtherLineEndsEndsACommentAndStays() throws IOException {
    write(in.resolve("mixed.cu"), "// one\rvoid f() { cudaDeviceSynchronize(); }\n");
    assertThat(port().code()).isZero();
    assertThat(out.resolve("mixed.cu"))
        .content()
        .contains("// one\r")
        .contains("void f() { hipDevice");
    PortRun single = PortRun.of("port", in, "--diff", "--style", "single-source");
    assertThat(single.code()).isEqualTo(1);
    assertThat(single.err()).contains("mixed.cu").contains("FILE-NOT-ISOLATED");
  }

  @Test
  void anEmptyPathIsWrongUsage() {
    for (Object[] args :
        new Object[][] {
          {"port", "", "--diff"},
          {"port", in, "--out", ""},
          {"audit", ""},
          {"build", ""},
          {"isolation", "", in},
          {"port", in, "--diff", "--rules", ""}
        }) {
      PortRun run = PortRun.of(args);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains("a path is empty");
    }
  }

  @Test
  void aRuleThatIsNotThereIsWrongUsage() throws IOException {
    for (String option : new String[] {"--only", "--skip"}) {
      PortRun run = PortRun.of("port", in, "--out", out, option, "API-RUNTIM");
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains("'API-RUNTIM': no such rule; similar: API-RUNTIME");
      assertThat(PortRun.of("audit", in, option, "NOSUCH-*").code()).isEqualTo(2);
      assertThat(PortRun.of("audit", in, option, "").code()).isEqualTo(2);
    }
    write(in.resolve(".rocport.yaml"), "only: [API-RUNTIM]\n");
    assertThat(port().code()).isEqualTo(2);
    assertThat(out).doesNotExist();
    write(in.resolve(".rocport.yaml"), "only: [API-*, LAUNCH-GGL]\n");
    assertThat(port().code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "launch: [ggl|.rocport.yaml:2:1: while parsing a flow sequence",
        "style: hip\\nstyle: hip|.rocport.yaml:2:6: Duplicate Object property",
        "exclude: &a [b]\\nonly: *a|.rocport.yaml:2:7: aliases are not supported",
        "exclude: &a [*a]|.rocport.yaml:1:14: aliases are not supported",
        "suppress:\\n  - rule: X\\n    rule: Y|.rocport.yaml:3:9: Duplicate Object property",
        "launch: ggl\\n---\\nstyle: hip|.rocport.yaml:3:1: a second document",
      })
  void aBadConfigurationIsRefusedWithItsPlace(String text, String message) throws IOException {
    write(in.resolve(".rocport.yaml"), text.replace("\\n", "\n") + "\n");
    PortRun run = port();
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(message);
    assertThat(out).doesNotExist();
  }

  @Test
  void aVersionOfHipIsANumber() {
    PortRun run = PortRun.of("port", in, "--out", out, "--hip", "abc");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--hip 'abc': not a version such as 6.4");
    assertThat(PortRun.of("port", in, "--out", out, "--hip", "6.2").code()).isZero();
  }

  @Test
  @Timeout(60)
  void aPipeOrDeviceThatIsNamedIsWrongUsage() throws IOException, InterruptedException {
    assertThat(Path.of("/dev/null")).exists();
    PortRun device = PortRun.of("port", "/dev/null", "--out", out);
    assertThat(device.code()).isEqualTo(2);
    assertThat(device.err()).contains("/dev/null: a pipe, socket or device");
    Process mkfifo = new ProcessBuilder("mkfifo", in.resolve("pipe.cu").toString()).start();
    assertThat(mkfifo.waitFor(10, TimeUnit.SECONDS) && mkfifo.exitValue() == 0).isTrue();
    assertThat(PortRun.of("port", in.resolve("pipe.cu"), "--diff").code()).isEqualTo(2);
    assertThat(PortRun.of("isolation", in.resolve("pipe.cu"), in).code()).isEqualTo(2);
    assertThat(PortRun.of("isolation", in, in).code()).isZero();
  }

  @Test
  void aStateFolderThatCannotBeMadeIsAMessage() throws IOException {
    write(out.resolve(".rocport"), "a file");
    PortRun run = port();
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("a file exists where a folder is needed");
    Files.delete(out.resolve(".rocport"));
    Files.createDirectories(out.resolve(".rocport/lock"));
    assertThat(port().code()).isEqualTo(2);
    assertThat(port().err()).contains(".rocport/lock: Is a directory").doesNotContain("\tat ");
    assertThat(out.resolve("good.cu")).doesNotExist();
  }

  @Test
  void reportsAStateThatCannotBeSavedAfterTheReport() throws IOException {
    Files.createDirectories(out.resolve(".rocport/base.pack/x"));
    PortRun broken = port();
    assertThat(broken.code()).isEqualTo(2);
    assertThat(broken.err()).doesNotContain("\tat ");
    PortRun run = PortRun.of("port", in, "--out", dir.resolve("other"));
    assertThat(run.code()).isZero();
    Path state = dir.resolve("other/.rocport/port.json");
    Files.delete(state);
    Files.createDirectories(state.resolve("x"));
    write(in.resolve("good.cu"), KERNEL.replace("2.0f", "4.0f"));
    PortRun again = PortRun.of("port", in, "--out", dir.resolve("other"));
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"#include\f<cuda_runtime.h>", "#include\u000b<cuda_runtime.h>"})
  void anyBlankMayStandBeforeAHeader(String include) throws IOException {
    write(in.resolve("good.cu"), KERNEL.replace("#include <cuda_runtime.h>", include));
    assertThat(port().code()).isZero();
    assertThat(out.resolve("good.cu"))
        .content()
        .contains("<hip/hip_runtime.h>")
        .doesNotContain("cuda_runtime");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "__global__ void k() { if (1) { }\n",
        "void f() { k<<<1, 2; }\n",
        "void f() { k<<<<<1, 2>>>(); } }}} )))\n",
        "const char* s = \"open\nint x;\n",
        "auto s = R\"x(never closed\n",
        "/* never closed\n",
        "#if 1\n#else\n",
        "#define A(x\nA(((\n",
        "#include \"broken.cu\"\n"
      })
  void brokenSourceIsPortedAsFarAsPossible(String text) throws IOException {
    write(in.resolve("broken.cu"), text);
    PortRun run = port();
    assertThat(run.code()).isIn(0, 1);
    assertThat(out.resolve("broken.cu")).exists();
    assertGoodFileIsPorted();
  }

  @Test
  void includeCyclesEnd() throws IOException {
    write(in.resolve("a.h"), "#include \"b.h\"\n");
    write(in.resolve("b.h"), "#include \"a.h\"\nvoid f() { cudaDeviceSynchronize(); }\n");
    assertThat(port().code()).isZero();
    assertThat(out.resolve("b.h")).content().contains("hipDeviceSynchronize");
  }

  @Test
  void linksStayInTheTreeAndAreNeverFollowed() throws IOException {
    Path outside = write(dir.resolve("outside/secret.cu"), KERNEL);
    Files.createSymbolicLink(in.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(in.resolve("b"), Path.of("a"));
    Files.createSymbolicLink(in.resolve("up"), Path.of("."));
    Files.createSymbolicLink(in.resolve("same.cu"), Path.of("good.cu"));
    Files.createSymbolicLink(in.resolve("absolute.cu"), in.resolve("good.cu"));
    Files.createSymbolicLink(in.resolve("gone.cu"), Path.of("missing.cu"));
    Files.createSymbolicLink(in.resolve("away.cu"), outside);
    Files.createSymbolicLink(in.resolve("awayFolder"), outside.getParent());
    PortRun run = port();
    assertThat(run.code()).isZero();
    assertThat(run.err())
        .contains("a: skipped: a symbolic link that leads back to itself")
        .contains("away.cu: skipped: a symbolic link out of the tree")
        .contains("awayFolder: skipped: a symbolic link out of the tree");
    assertThat(tree(out))
        .containsOnlyKeys("absolute.cu", "gone.cu", "good.cu", "same.cu", "up")
        .containsEntry("same.cu", "-> good.cu")
        .containsEntry("absolute.cu", "-> good.cu")
        .containsEntry("up", "-> .");
    assertThat(outside).content().isEqualTo(KERNEL);
    assertThat(PortRun.of("port", in, "--in-place").code()).isZero();
    assertThat(outside).content().isEqualTo(KERNEL);
    assertThat(Files.isSymbolicLink(in.resolve("same.cu"))).isTrue();
  }

  @Test
  void aLinkInTheOutputDoesNotLeadThePortOutOfIt() throws IOException {
    write(in.resolve("sub/k.cu"), KERNEL);
    Path outside = Files.createDirectories(dir.resolve("outside"));
    Files.createDirectories(out);
    Files.createSymbolicLink(out.resolve("sub"), outside);
    PortRun run = port();
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("sub/k.cu: failed").contains("points outside it");
    assertThat(tree(outside)).isEmpty();
    assertGoodFileIsPorted();
  }

  @Test
  void theOutputInsideTheInputIsNotPortedAgain() throws IOException {
    out = in.resolve("ported");
    port();
    port();
    assertThat(tree(out).keySet()).containsExactly("good.cu");
    PortRun.of("port", in, "--out", dir.resolve("elsewhere"));
    assertThat(tree(dir.resolve("elsewhere")).keySet()).containsExactly("good.cu");
  }

  @Test
  void versionControlAndBuildFoldersAreLeftOut() throws IOException {
    write(in.resolve(".git/config"), "x");
    write(in.resolve("build/CMakeCache.txt"), "x");
    write(in.resolve("build/gen.cu"), KERNEL);
    write(in.resolve(".gitignore"), "x");
    PortRun run = port();
    assertThat(tree(out).keySet()).containsExactly(".gitignore", "good.cu");
    assertThat(run.err()).contains("build: skipped: a CMake build folder");
  }

  @Test
  @Timeout(60)
  void pipesAreSkipped() throws IOException, InterruptedException {
    Process mkfifo = new ProcessBuilder("mkfifo", in.resolve("pipe.cu").toString()).start();
    assertThat(mkfifo.waitFor(10, TimeUnit.SECONDS) && mkfifo.exitValue() == 0).isTrue();
    PortRun run = port();
    assertThat(run.code()).isZero();
    assertThat(run.err()).contains("pipe.cu: skipped: a pipe, socket or device");
    assertGoodFileIsPorted();
  }

  @Test
  void aReadOnlyFileIsLeftAloneInPlaceAndPortedElsewhere() throws IOException {
    Path file = write(in.resolve("fixed.cu"), KERNEL);
    assertThat(file.toFile().setWritable(false, false)).isTrue();
    PortRun run = PortRun.of("port", in, "--in-place");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("fixed.cu: failed").contains("read-only");
    assertThat(file).content().isEqualTo(KERNEL);
    assertThat(in.resolve("good.cu")).content().contains("hip");
    assertThat(PortRun.of("port", file, "--out", out).code()).isZero();
    assertThat(out.resolve("fixed.cu")).content().contains("hip");
    assertThat(PortRun.of("port", file, "--out", out, "--launch", "ggl").code()).isZero();
  }

  @Test
  void namesOfAnyBytesComeThrough() throws IOException, InterruptedException {
    String script =
        "cp good.cu \"$(printf 'b\\377d.cu')\" && cp good.cu \"$(printf 'b\\376d.cu')\"";
    Process sh = new ProcessBuilder("sh", "-c", script).directory(in.toFile()).start();
    assertThat(sh.waitFor(10, TimeUnit.SECONDS) && sh.exitValue() == 0).isTrue();
    write(in.resolve("a b'c\"d\n.cu"), KERNEL);
    PortRun run = PortRun.of("port", in, "--out", out, "--format", "json");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("b\\\\xffd.cu").contains("b\\\\xfed.cu");
    Process count =
        new ProcessBuilder("sh", "-c", "cat \"$(printf 'b\\377d.cu')\" b*d.cu | grep -c hipDevice")
            .directory(out.toFile())
            .start();
    assertThat(new String(count.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
        .isEqualTo("3");
    assertThat(port().err()).contains("4 up to date");
  }

  @Test
  void aFolderWhereAFileBelongsIsReportedAndTheRestIsDone() throws IOException {
    Files.createDirectories(out.resolve("bad.cu/x"));
    write(in.resolve("bad.cu"), KERNEL);
    PortRun run = port();
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains("bad.cu");
    assertThat(out.resolve("bad.cu/x")).isDirectory();
    assertGoodFileIsPorted();
  }

  @Test
  void emptyFilesAndFoldersKeepTheirPlace() throws IOException {
    write(in.resolve("empty.cu"), "");
    Files.createDirectories(in.resolve("obj"));
    assertThat(port().code()).isZero();
    assertThat(out.resolve("empty.cu")).isEmptyFile();
    assertThat(out.resolve("obj")).isDirectory();
  }

  @Test
  void aFileBeyondTheLimitIsAnErrorAndCopied() throws IOException {
    Path big = write(in.resolve("big.cu"), KERNEL + "//".repeat(1 << 20));
    write(in.resolve(".rocport.yaml"), "max-file: 1\n");
    PortRun run = port();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("big.cu: error: 2 MB is above the size limit (1 MB");
    assertThat(out.resolve("big.cu")).hasSameBinaryContentAs(big);
    assertGoodFileIsPorted();
    assertThat(PortRun.of("port", in, "--out", out, "--max-file", "3").code()).isZero();
    assertThat(out.resolve("big.cu")).content().contains("hipDeviceSynchronize");
    assertThat(PortRun.of("audit", in, "--max-file", "0").code()).isEqualTo(2);
  }
}
