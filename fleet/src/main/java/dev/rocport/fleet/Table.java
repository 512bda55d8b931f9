package dev.rocport.fleet;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The tables of a fleet; docs/fleet.md describes the columns. */
enum Table {
  REPOSITORIES(
      Works.REPORTS,
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
      Column.number("milliseconds"),
      Column.number("processor_milliseconds"),
      Column.number("worker_age")),
  FILES(
      Works.REPORTS,
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
      Works.REPORTS,
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
  EDITS(Works.REPORTS, Column.text("path"), Column.text("rule"), Column.number("count")),
  RULES(
      Works.REPORTS,
      Column.text("rule"),
      Column.text("family"),
      Column.text("title"),
      Column.number("edits"),
      Column.number("findings")),
  PTX(
      Works.REPORTS,
      Column.text("instruction"),
      Column.text("meaning"),
      Column.text("effort"),
      Column.number("count"),
      Column.number("files")),
  DEPENDENCIES(
      Works.REPORTS,
      Column.text("library"),
      Column.number("edits"),
      Column.number("findings"),
      Column.number("unported")),
  EFFORT(
      Works.REPORTS,
      Column.text("rule"),
      Column.text("severity"),
      Column.number("unported"),
      Column.number("review"),
      Column.number("files"),
      Column.number("minutes")),
  /** What the audit of a repository in parts consisted of. */
  TASKS(
      Works.REPORTS,
      Column.text("step"),
      Column.number("part"),
      Column.number("milliseconds"),
      Column.number("processor_milliseconds"),
      Column.number("worker_age")),
  /** The table {@code repositories} of bills. */
  BILLS(
      Works.BILLS,
      Column.text("name"),
      Column.text("source"),
      Column.text("team"),
      Column.text("status"),
      Column.number("files"),
      Column.number("components"),
      Column.number("partly"),
      Column.number("manual"),
      Column.number("no"),
      Column.number("milliseconds"),
      Column.number("processor_milliseconds"),
      Column.number("worker_age")),
  COMPONENTS(
      Works.BILLS,
      Column.text("component"),
      Column.text("name"),
      Column.text("kind"),
      Column.text("support"),
      Column.text("versions"),
      Column.text("counterpart"),
      Column.text("purl"),
      Column.number("places"),
      Column.number("names"),
      Column.number("unported")),
  PLACES(
      Works.BILLS,
      Column.text("component"),
      Column.text("kind"),
      Column.text("path"),
      Column.number("line"),
      Column.text("text"),
      Column.text("version"),
      Column.number("count")),
  NAMES(
      Works.BILLS,
      Column.text("component"),
      Column.text("cuda"),
      Column.text("hip"),
      Column.number("count")),
  GPUS(
      Works.BILLS,
      Column.text("gpu"),
      Column.text("how"),
      Column.text("path"),
      Column.number("line")),
  UNEXAMINED(Works.BILLS, Column.text("path"), Column.text("reason")),
  FAILURES(Works.ALL, Column.text("kind"), Column.text("reason"));

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

  /** Constants that those of the enum use. */
  private static final class Works {
    static final Set<Work> REPORTS = Set.of(Work.AUDIT, Work.PORT);
    static final Set<Work> BILLS = Set.of(Work.BILL);
    static final Set<Work> ALL = Set.of(Work.values());
  }

  @SuppressWarnings("ImmutableEnumChecker") // Set.of
  private final Set<Work> works;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Column> columns;

  Table(Set<Work> works, Column... columns) {
    this.works = works;
    this.columns = List.of(columns);
  }

  /** The tables of a work. */
  static List<Table> of(Work work) {
    return Arrays.stream(values()).filter(t -> t.works.contains(work)).toList();
  }

  /** The table with a row for each repository. */
  static Table repositories(Work work) {
    return work == Work.BILL ? BILLS : REPOSITORIES;
  }

  List<Column> columns() {
    return columns;
  }

  /** The name, also in queries. */
  String label() {
    return this == BILLS ? REPOSITORIES.label() : name().toLowerCase(Locale.ROOT);
  }

  /** The file in the folder of a repository. */
  String file() {
    return label() + ".parquet";
  }
}
