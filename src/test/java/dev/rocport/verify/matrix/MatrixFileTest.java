package dev.rocport.verify.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.core.result.VerifyInfo;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Matrices and results that someone else wrote. */
class MatrixFileTest {
  private static final MatrixCell CELL = new MatrixCell("ring", "small", "gfx90a", 1, 2);

  @TempDir Path folder;

  private Path matrix(Matrix matrix, String from, String to) throws IOException {
    StringWriter text = new StringWriter();
    matrix.write(text);
    assertThat(text.toString()).contains(from);
    return Files.writeString(folder.resolve("matrix.json"), text.toString().replace(from, to));
  }

  private static Matrix of(MatrixCell... cells) {
    return new Matrix("/", List.of("ring"), List.of(cells));
  }

  private void assertRefused(Path file, String why) {
    assertThatThrownBy(() -> Matrix.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(why);
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    assertThat(Matrix.read(matrix(of(CELL), "", ""))).isEqualTo(of(CELL));
  }

  @Test
  void anotherFileIsRefused() throws Exception {
    assertRefused(matrix(of(CELL), "\"kind\"", "\"sort\""), "not an output of");
    assertRefused(matrix(of(CELL), "\"arguments\"", "\"words\""), "has no arguments");
    assertRefused(matrix(of(), "", ""), "no cells");
    assertRefused(matrix(of(CELL, CELL), "", ""), "contains a cell twice: " + CELL.id());
  }

  @ParameterizedTest
  @ValueSource(strings = {"../ring", ".ring", "", "a/b", "a\nb", "a\u0000b"})
  void cellsAreNoPaths(String program) throws Exception {
    MatrixCell cell = new MatrixCell(program, "", "gfx90a", 0, 0);
    assertRefused(matrix(of(cell), "", ""), "not the name of a cell");
    assertRefused(
        matrix(of(new MatrixCell("ring", "x/../..", "gfx90a", 0, 0)), "", ""),
        "not the name of a cell");
  }

  @Test
  void resultsOfOthersAreRefusedWithTheFile() throws Exception {
    VerifyInfo.Case row =
        new VerifyInfo.Case("ring", "", "gfx90a", 0, "ok", Map.of(), List.of(), List.of(), "");
    MatrixFolder cells = new MatrixFolder(folder);
    cells.put(
        new MatrixResult(
            CELL,
            "ring/ring",
            new ResultKey("i", "s", "p"),
            "host",
            new TreeMap<>(),
            new VerifyInfo("emulated", "", List.of(row), List.of(), List.of(), List.of()),
            List.of()));
    Path file = folder.resolve("results").resolve(CELL.id() + ".json");
    String good = Files.readString(file);
    assertThat(cells.results()).hasSize(1);
    assertResultRefused(
        cells, file, good.replace("\"program\" : \"ring\"", "\"program\" : \"/x\""));
    assertResultRefused(cells, file, good.replace("\"findings\"", "\"found\""));
    String finding = "\"findings\": [{\"severity\": \"bad\", \"disposition\": \"bad\"}], \"x\"";
    assertResultRefused(cells, file, good.replace("\"findings\"", finding));
  }

  private static void assertResultRefused(MatrixFolder cells, Path file, String text)
      throws IOException {
    assertThat(text).isNotEqualTo(Files.readString(file));
    Files.writeString(file, text);
    assertThatThrownBy(cells::results)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file.toString());
  }
}
