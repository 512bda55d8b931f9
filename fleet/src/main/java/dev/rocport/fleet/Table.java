package dev.rocport.fleet;

import java.util.List;
import java.util.Locale;

/** The tables of a fleet; docs/fleet.md describes the columns. */
enum Table {
  REPOSITORIES(
      Column.text("name"),
      Column.text("source"),
      Column.text("team"),
      Column.text("status"),
      Column.number("files"),
      Column.number("bytes"),
      Column.number("lines"),
      Column.number("edits"),
      Column.number("errors"),
      Column.number("warnings"),
      Column.number("notes"),
      Column.number("suppressed"),
      Column.number("ptx_left"),
      Column.number("minutes"),
      Column.text("parts"),
      Column.number("milliseconds")),
  FILES(
      Column.text("path"),
      Column.text("status"),
      Column.text("language"),
      Column.number("bytes"),
      Column.number("lines"),
      Column.number("edits"),
      Column.number("findings"),
      Column.number("minutes"),
      Column.text("effort"),
      Column.text("message")),
  FINDINGS(
      Column.text("path"),
      Column.number("line"),
      Column.number("column"),
      Column.text("rule"),
      Column.text("severity"),
      Column.text("disposition"),
      Column.text("message"),
      Column.text("about"),
      Column.text("fingerprint"),
      Column.text("suppressed")),
  EDITS(Column.text("path"), Column.text("rule"), Column.number("count")),
  RULES(
      Column.text("rule"),
      Column.text("family"),
      Column.text("title"),
      Column.number("edits"),
      Column.number("findings")),
  PTX(
      Column.text("instruction"),
      Column.text("meaning"),
      Column.text("effort"),
      Column.number("count"),
      Column.number("files")),
  DEPENDENCIES(
      Column.text("library"),
      Column.number("edits"),
      Column.number("findings"),
      Column.number("unported")),
  EFFORT(
      Column.text("rule"),
      Column.text("severity"),
      Column.number("unported"),
      Column.number("review"),
      Column.number("files"),
      Column.number("minutes")),
  FAILURES(Column.text("kind"), Column.text("reason"));

  /**
   * A column.
   *
   * @param isNumber a 64-bit integer; otherwise text
   */
  record Column(String name, boolean isNumber) {
    static Column text(String name) {
      return new Column(name, false);
    }

    static Column number(String name) {
      return new Column(name, true);
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Column> columns;

  Table(Column... columns) {
    this.columns = List.of(columns);
  }

  List<Column> columns() {
    return columns;
  }

  /** The name, also in queries. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The file in the folder of a repository. */
  String file() {
    return label() + ".parquet";
  }
}
