package dev.rocport.singlesource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.singlesource.Isolation.Checked;
import dev.rocport.singlesource.Isolation.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IsolationTest {
  private static final Isolation ISOLATION = new Isolation(Set.of(Gates.MACRO, "USE_ROCM"));

  private static Checked check(String before, String after) {
    return ISOLATION.check(SourceFile.of("a.cu", before), SourceFile.of("a.cu", after));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "#ifdef __HIP_PLATFORM_AMD__|x|#else|a|#endif",
        "#if defined(__HIP_PLATFORM_AMD__)|x|#endif|a",
        "#if defined __HIP_PLATFORM_AMD__|x|y|#else // not AMD|a|#endif // AMD",
        "#ifndef __HIP_PLATFORM_AMD__|a|#endif",
        "#if !defined(__HIP_PLATFORM_AMD__)|a|#else|x|#endif",
        "#if (!defined(__HIP_PLATFORM_AMD__))|a|#elif X|y|#else|x|#endif",
        "#if __HIP_PLATFORM_AMD__ && defined(X)|x|#endif|a",
        "#if defined(USE_ROCM)|#if A|x|#else|y|#endif|#else|a|#endif",
        "#  if \\|  defined(USE_ROCM)|x|#  endif|a",
      })
  void gatesOfEveryCommonFormAreResolved(String after) {
    String text = after.replace('|', '\n') + "\nb\n";
    assertThat(check("a\nb\n", text).verdict()).isEqualTo(Verdict.GATED);
    assertThat(check("a\r\nb\r\n", text.replace("\n", "\r\n")).verdict()).isEqualTo(Verdict.GATED);
  }

  @Test
  void aGateInFrontOfAConditionGivesItBack() {
    assertThat(
            check(
                    "#if A\na\n#else\nb\n#endif\n",
                    "#if defined(USE_ROCM)\nx\n#elif A\na\n#else\nb\n#endif\n")
                .verdict())
        .isEqualTo(Verdict.GATED);
    assertThat(
            check(
                    "#if A\na\n#else\nb\n#endif\n",
                    "#if A\na\n#elif defined(USE_ROCM)\nx\n#else\nb\n#endif\n")
                .verdict())
        .isEqualTo(Verdict.GATED);
  }

  @Test
  void gatesThatWereThereBeforeAreNoDifference() {
    String old = "#ifdef USE_ROCM\nx\n#else\na\n#endif\n";
    assertThat(check(old, old.replace("x", "x\ny")).verdict()).isEqualTo(Verdict.GATED);
  }

  @Test
  void theFirstDifferenceIsNamedByItsLines() {
    Checked c = check("a\nb\nc\n", "a\n#ifdef USE_ROCM\nx\n#endif\nB\nc\n");
    assertThat(c.verdict()).isEqualTo(Verdict.DIFFERS);
    assertThat(List.of(c.line(), c.oldLine())).containsExactly(5, 2);
    assertThat(List.of(c.is(), c.was())).containsExactly("B", "b");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "#if defined(USE_ROCM) || defined(X)~x~#endif~a",
        "#if defined(USE_ROCM) or defined(X)~x~#endif~a",
        "#ifdef OTHER~x~#endif~a",
        "// #ifdef USE_ROCM~x~// #endif~a",
        "/*~#ifdef USE_ROCM~*/~a",
        "a ~",
        "#ifdef USE_ROCM~a~#endif",
        "#ifdef USE_ROCM~x~a",
      })
  void changesOnNvidiaAreDifferences(String after) {
    assertThat(check("a\n", after.replace('~', '\n') + "\n").verdict()).isEqualTo(Verdict.DIFFERS);
  }

  @Test
  void aLineEndMoreOrLessIsADifference() {
    assertThat(check("a\nb", "a\nb\n").message()).isEqualTo("continues where the old file ends");
    assertThat(check("a\nb\n", "a\nb").message()).isEqualTo("ends where the old file continues");
  }

  @Test
  void treesAreComparedFileByFile(@TempDir Path dir) throws IOException {
    write(dir, "old/same.py", "x");
    write(dir, "new/same.py", "x");
    write(dir, "old/changed.py", "x");
    write(dir, "new/changed.py", "y");
    write(dir, "old/gone.h", "x");
    write(dir, "old/src/a.cu", "a\n");
    write(dir, "new/src/a.cu", "#ifdef USE_ROCM\nx\n#endif\na\n");
    write(dir, "new/rocport/more.h", "x");
    write(dir, "new/.rocport/state", "x");
    List<Checked> checked =
        ISOLATION.compare(tree(dir.resolve("old")), tree(dir.resolve("new")), false);
    assertThat(checked.stream().map(c -> c.path() + " " + c.verdict()))
        .containsExactly(
            "changed.py DIFFERS",
            "gone.h MISSING",
            "rocport/more.h ADDED",
            "same.py IDENTICAL",
            "src/a.cu GATED");
  }

  @Test
  void aGateIsWhatItsModuleMakesIt(@TempDir Path dir) throws IOException {
    String gate = "hasattr(torch.version, \"hip\") and torch.version.hip is not None";
    write(dir, "old/a/k.py", "b()\n");
    write(dir, "new/a/k.py", "from ._rocm_triton import is_rocm\n(a() if is_rocm else b())\n");
    write(dir, "new/a/_rocm.py", "is_rocm = " + gate + "\n");
    assertThat(ofKernel(dir)).isEqualTo(Verdict.UNKNOWN);
    write(dir, "new/a/_rocm_triton.py", "is_rocm = tl.constexpr(" + gate + ")\n");
    assertThat(ofKernel(dir)).isEqualTo(Verdict.GATED);
    Files.writeString(dir.resolve("new/a/_rocm_triton.py"), "is_rocm = tl.constexpr(True)\n");
    assertThat(ofKernel(dir)).isEqualTo(Verdict.UNKNOWN);
  }

  private static Verdict ofKernel(Path dir) throws IOException {
    return ISOLATION.compare(tree(dir.resolve("old")), tree(dir.resolve("new")), false).stream()
        .filter(c -> c.path().equals("a/k.py"))
        .findFirst()
        .orElseThrow()
        .verdict();
  }

  private static void write(Path dir, String path, String text) throws IOException {
    Path file = dir.resolve(path);
    Files.createDirectories(file.resolve(".."));
    Files.writeString(file, text);
  }

  private static SourceTree tree(Path root) throws IOException {
    return SourceTree.walk(TreeSelection.of(List.of(root)));
  }
}
