package dev.rocport.verify;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of one self-check of a program: one row of the table that {@code rocport_golden.h}
 * writes.
 *
 * @param count elements that a call worked on
 * @param variant words such as {@code np=4,in_place}
 * @param data {@code exact}, {@code power}, {@code random} or {@code edge}
 * @param checks elements compared
 * @param maxUlp unsigned
 * @param errRef greatest difference from a reference in double precision
 */
public record CheckRow(
    String kernel,
    String type,
    String op,
    long count,
    String variant,
    String data,
    long checks,
    long wrong,
    long maxUlp,
    double maxAbs,
    double errRef) {
  private static final String HEADER =
      "kernel\ttype\top\tcount\tvariant\tdata\tchecks\twrong\tmax_ulp\tmax_abs\terr_ref";
  private static final int COLUMNS = 11;
  private static final long LARGEST = 256L << 20;

  /**
   * Reads the rows of a file.
   *
   * @throws VerifyException if it is not such a table
   */
  public static List<CheckRow> read(Path file) throws IOException, VerifyException {
    if (Files.size(file) > LARGEST) {
      throw new VerifyException(
          file + ": the table of checks is too large: " + Files.size(file) + " bytes");
    }
    List<CheckRow> rows = new ArrayList<>();
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new VerifyException(file + ": is not UTF-8");
    }
    if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
      throw new VerifyException(
          file + ": is not a table of checks, because its first line differs");
    }
    for (int i = 1; i < lines.size(); i++) {
      rows.add(row(file, i + 1, lines.get(i).split("\t", -1)));
    }
    return rows;
  }

  private static CheckRow row(Path file, int line, String[] f) throws VerifyException {
    if (f.length != COLUMNS) {
      throw new VerifyException(
          "%s:%d: %d columns, expected %d".formatted(file, line, f.length, COLUMNS));
    }
    try {
      CheckRow row =
          new CheckRow(
              f[0],
              f[1],
              f[2],
              Long.parseLong(f[3]),
              f[4],
              f[5],
              Long.parseLong(f[6]),
              Long.parseLong(f[7]),
              Long.parseUnsignedLong(f[8]),
              Double.parseDouble(f[9].replace("inf", "Infinity").replace("nan", "NaN")),
              Double.parseDouble(f[10].replace("inf", "Infinity").replace("nan", "NaN")));
      if (row.count < 0 || row.checks < 0 || row.wrong < 0 || row.wrong > row.checks) {
        throw new VerifyException(
            "%s:%d: %d of %d wrong".formatted(file, line, row.wrong, row.checks));
      }
      return row;
    } catch (NumberFormatException e) {
      throw new VerifyException("%s:%d: not a number: %s".formatted(file, line, e.getMessage()));
    }
  }

  /** The key of the table cell, independent of the result. */
  String key() {
    return String.join(" ", kernel, type, op, Long.toString(count), variant, data);
  }
}
