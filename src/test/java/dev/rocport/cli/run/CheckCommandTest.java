package dev.rocport.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts stand for programs and for what the device writes while they run. */
@Tag("device")
final class CheckCommandTest {
  private static final String LAUNCH =
      "echo 'rocport: GPU 0, k: grid (2, 3, 1), block (64, 1, 1), 6 waves, 10 instructions, 8 bytes"
          + " read, 8 bytes written, 0.1 ms' >&2";

  @TempDir private Path folder;

  private CommandLines check(String seconds, String script, String... more) throws IOException {
    return check(folder.resolve("program"), seconds, script, more);
  }

  private static CommandLines check(Path program, String seconds, String script, String... more)
      throws IOException {
    // Where a check uses all of its time, a program that takes some costs less than one that does
    // not.
    Files.writeString(program, "#!/bin/sh\nsleep 0.05\n" + script);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    List<String> line = new ArrayList<>(List.of("check", "--time", seconds));
    line.addAll(List.of(more));
    line.addAll(List.of("--", program.toString()));
    return CommandLines.run(line.toArray(String[]::new));
  }

  private static String finding(String check, String source) {
    return """
    echo '{"check": "%s", "certain": true, "title": "it is wrong", "site": {"source": "%s", "pc": 4, "kernel": "k"}, "others": [], "why": "", "do": "mend it"}' >> "$ROCPORT_FINDINGS"
    exit 1
    """
        .formatted(check, source);
  }

  @Test
  void aProgramWithoutDefectsIsGood() throws Exception {
    CommandLines run = check("2", LAUNCH + "\n");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("program uninit,race,sync")
        .contains("seeds from 1 to ")
        .contains("each run launches 1 kernel 1 time, 6 blocks in all");
  }

  @Test
  void countsWhatWasLookedAt() throws Exception {
    CommandLines run =
        check(
            "2",
            """
            case "$ROCPORT_CHECK" in
              *race*) echo '{"coverage": {"launches": 1, "refused": 0, "pairs": 5, "late": 0}}' >> "$ROCPORT_FINDINGS" ;;
              order=[12]) echo '{"coverage": {"launches": 1, "refused": 0, "pairs": 0, "late": 7}}' >> "$ROCPORT_FINDINGS" ;;
            esac
            [ "$ROCPORT_CHECK" != order=3 ] || sleep 5
            """
                + LAUNCH
                + "\n");
    assertThat(run.out()).contains("with checks: 5 pairs of accesses compared, 14 accesses and");
  }

  @Test
  void reportsADefectOnceAtItsLine() throws Exception {
    Path source = Files.writeString(folder.resolve("k.hip"), "int a;\n  a = 1;\n");
    CommandLines run =
        check(
            "2",
            "case \"$ROCPORT_CHECK\" in *race*) "
                + finding("race", source + ":2")
                + " ;; esac\n"
                + LAUNCH
                + "\n",
            "--format",
            "json");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .containsOnlyOnce("it is wrong (--check uninit,race,sync)")
        .contains("CHECK-RACE")
        .contains("a = 1;")
        .contains("mend it");
  }

  /** So that a baseline holds when lines above a finding come or go. */
  @Test
  void aFingerprintDoesNotDependOnTheNumberOfTheLine() throws Exception {
    Path source = folder.resolve("k.hip");
    List<String> prints = new ArrayList<>();
    for (String above : List.of("", "// more\n\n", "b = 2;\n")) {
      Files.writeString(source, above + "  a  = 1;\n");
      long line = 1 + above.lines().count();
      CommandLines run =
          check(
              "2",
              "case \"$ROCPORT_CHECK\" in *race*) "
                  + finding("race", source + ":" + line)
                  + " ;; esac\n"
                  + LAUNCH
                  + "\n",
              "--format",
              "json");
      Matcher print = Pattern.compile("\"fingerprint\" ?: ?\"(\\w+)\"").matcher(run.out());
      assertThat(print.find()).isTrue();
      prints.add(print.group(1));
    }
    assertThat(prints).containsOnly(prints.getFirst());
  }

  @Test
  void aBenignFindingIsANote() throws Exception {
    Path source = Files.writeString(folder.resolve("k.hip"), "int a;\n  a = 1;\n");
    CommandLines run =
        check(
            "2",
            """
            case "$ROCPORT_CHECK" in *race*)
              echo '{"check": "race", "certain": false, "benign": true, "title": "both store one value", "site": {"source": "%s:2", "pc": 4, "kernel": "k"}, "others": [], "why": "", "do": ""}' >> "$ROCPORT_FINDINGS"
            esac
            """
                    .formatted(source)
                + LAUNCH
                + "\n");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("k.hip:2:1: note: benign: both store one value")
        .contains("program uninit,race,sync")
        .doesNotContain("failed");
  }

  @Test
  void namesTheLineOfTheOriginal() throws Exception {
    Path cuda = Files.createDirectories(folder.resolve("cuda"));
    Files.writeString(
        cuda.resolve("k.cu"),
        """
        __global__ void rotate(unsigned* v) {
          unsigned lanes = __ballot_sync(0xffffffff, v[threadIdx.x] > 3);
          v[threadIdx.x] = v[threadIdx.x + 1] + lanes;
        }
        """);
    Path ported = folder.resolve("ported");
    CommandLines.run("port", cuda.toString(), "--out", ported.toString());
    List<String> lines = Files.readAllLines(ported.resolve("k.cu"));
    int line = 1 + lines.indexOf("  v[threadIdx.x] = v[threadIdx.x + 1] + lanes;");
    assertThat(line).isGreaterThan(3);
    CommandLines run =
        check(
            ported.resolve("program"),
            "2",
            "case \"$ROCPORT_CHECK\" in *race*) "
                + finding("race", "k.cu:" + line)
                + " ;; esac\n"
                + LAUNCH
                + "\n");
    assertThat(run.out())
        .contains("ported from k.cu:3 (--check")
        .contains(" | v[threadIdx.x] = v[threadIdx.x + 1] + lanes;");
  }

  @Test
  void aResultThatDependsOnOrderIsADefect() throws Exception {
    CommandLines run = check("2", LAUNCH + "\ncase \"$ROCPORT_CHECK\" in order=2) exit 4;; esac\n");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("exits with 4 if it runs with --check order=2, and no finding explains this")
        .contains("CHECK-RESULT");
  }

  @Test
  void namesTheDelayThatDecides() throws Exception {
    Path source =
        Files.writeString(folder.resolve("k.hip"), "int a;\n  *data = 1;\n  *flag = 1;\n");
    String listed =
        """
        for i in 1 2 3 4 5 6; do
          echo "{\\"delayed\\": \\"a$i\\", \\"site\\": {\\"role\\": \\"store of 4 bytes\\", \\"source\\": \\"%s:$((i - 2))\\", \\"pc\\": $i, \\"kernel\\": \\"k\\"}}" >> "$ROCPORT_FINDINGS"
        done
        """
            .formatted(source);
    CommandLines run =
        check(
            "20",
            LAUNCH
                + "\ncase \"$ROCPORT_CHECK\" in order=*@all) "
                + listed
                + ";; esac\n"
                + "case \"$ROCPORT_CHECK\" in *order=*@*a4*|*order=?|*order=??) exit 4;; esac\n");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("k.hip:2:1: error: the program exits with 4 if this is late, and with 0 if")
        .contains("store of 4 bytes at ")
        .contains("(--check order=1@a4) [CHECK-DELAY]")
        .contains(" | *data = 1;")
        .contains("the same again")
        .doesNotContain("CHECK-RESULT");
  }

  @Test
  void saysThatNothingWasChecked() throws Exception {
    CommandLines slow = check("1", LAUNCH + "\n[ -z \"$ROCPORT_CHECK\" ] || sleep 20\n");
    assertThat(slow.code()).isEqualTo(1);
    assertThat(slow.out()).contains("CHECK-TIME").contains("because the time is used");

    CommandLines host = check("9", "exit 3\n");
    assertThat(host.code()).isEqualTo(1);
    assertThat(host.out()).contains("the program exits with 3 without checks [CHECK-RUN]");

    CommandLines none = check("9", "exit 0\n");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.out()).contains("launches no kernel on the rocport device [CHECK-RUN]");
  }

  @Test
  void refusesWhatMakesNoSense() throws Exception {
    assertThat(CommandLines.run("check", "--", folder + "/none").code()).isEqualTo(2);
    CommandLines own = check("1", "exit 0\n", "--check", "race");
    assertThat(own.code()).isEqualTo(2);
    assertThat(own.err()).contains("check chooses the checks itself");
    assertThat(check("0", "exit 0\n").code()).isEqualTo(2);
  }
}
