package dev.rocport.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A table in a text file: one row per line, cells separated by tabs. Empty lines and lines that
 * begin with {@code #} are skipped; the first remaining line names the columns.
 *
 * @param rows in the order of the lines
 */
public record TsvTable(List<Row> rows) {
  /**
   * One line.
   *
   * @param where file and line, for messages
   * @param cells one a column
   */
  public record Row(String where, List<String> cells) {
    public Row {
      cells = List.copyOf(cells);
    }

    /** The cell of a column, counted from 0. */
    public String cell(int column) {
      return cells.get(column);
    }
  }

  public TsvTable {
    rows = List.copyOf(rows);
  }

  /**
   * Reads a table from a file.
   *
   * @param header the columns that it must have, as its first line
   */
  public static TsvTable read(Path file, String header) {
    try {
      return parse(file.toString(), Files.readString(file), header);
    } catch (IOException e) {
      throw new InvalidFileException("cannot read " + file + ": " + e, e);
    }
  }

  /**
   * A table from its text.
   *
   * @throws InvalidFileException if the header is another, or a line has other columns
   */
  public static TsvTable parse(String name, String text, String header) {
    List<Row> rows = new ArrayList<>();
    int columns = header.split("\t", -1).length;
    boolean first = true;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String where = name + ":" + number;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (first) {
        first = false;
        if (!line.equals(header)) {
          throw new InvalidFileException(where + ": the first line must be " + header);
        }
        continue;
      }
      List<String> cells = List.of(line.split("\t", -1));
      if (cells.size() != columns) {
        throw new InvalidFileException(
            where + ": needs " + columns + " columns, has " + cells.size());
      }
      rows.add(new Row(where, cells));
    }
    if (first) {
      throw new InvalidFileException(name + ":1: the first line must be " + header);
    }
    return new TsvTable(rows);
  }
}
