package dev.rocport.fleet;

import java.util.List;

/**
 * A question about a fleet, in Spark SQL; {@code :top} is the number of rows.
 *
 * @param key its name in JSON
 * @param title its heading
 */
record Question(String key, String title, String query) {
  private static final String SUMS =
      """
      count(*) AS repositories,
      count_if(status = 'failed') AS failed,
      coalesce(sum(files), 0L) AS files,
      coalesce(sum(lines), 0L) AS lines,
      coalesce(sum(edits), 0L) AS edits,
      coalesce(sum(errors), 0L) AS errors,
      coalesce(sum(warnings), 0L) AS warnings,
      coalesce(sum(notes), 0L) AS notes,
      coalesce(sum(ptx_left), 0L) AS ptx_left,
      coalesce(sum(minutes), 0L) AS minutes
      """;

  private static final String SUMS_OF_BILLS =
      """
      count(*) AS repositories,
      count_if(status = 'failed') AS failed,
      coalesce(sum(files), 0L) AS files,
      coalesce(sum(components), 0L) AS components,
      coalesce(sum(partly), 0L) AS partly,
      coalesce(sum(manual), 0L) AS manual,
      coalesce(sum(no), 0L) AS no
      """;

  private static final Question FAILURES =
      new Question(
          "failures",
          "Repositories that failed",
          """
          SELECT r.name, f.kind, f.reason FROM failures f
          JOIN repositories r ON r.repository = f.repository
          ORDER BY f.kind, r.name, f.repository LIMIT :top
          """);

  /** The questions about the tables of a work. */
  static List<Question> ofOneFleet(Work work) {
    return work == Work.BILL ? ofBills() : ofReports();
  }

  private static List<Question> ofBills() {
    return List.of(
        new Question("totals", "Fleet", "SELECT " + SUMS_OF_BILLS + " FROM repositories"),
        new Question(
            "teams",
            "Components by team (no: without a counterpart)",
            """
            SELECT r.team, count(DISTINCT r.repository) AS repositories,
              count(DISTINCT c.component) AS components,
              count(DISTINCT CASE WHEN c.support = 'manual' THEN c.component END) AS manual,
              count(DISTINCT CASE WHEN c.support = 'no' THEN c.component END) AS no
            FROM repositories r LEFT JOIN components c ON c.repository = r.repository
            WHERE r.status <> 'failed' GROUP BY r.team ORDER BY no DESC, manual DESC, r.team
            LIMIT :top
            """),
        new Question(
            "components",
            "Components in most repositories",
            """
            SELECT component, max(name) AS name, count(*) AS repositories, sum(places) AS places,
              max(counterpart) AS counterpart
            FROM components GROUP BY component
            ORDER BY repositories DESC, places DESC, component LIMIT :top
            """),
        new Question(
            "blocking",
            "Components without a counterpart, or to be ported by hand",
            """
            SELECT component, support, count(*) AS repositories, sum(places) AS places
            FROM components WHERE support IN ('manual', 'no') GROUP BY component, support
            ORDER BY support = 'no' DESC, repositories DESC, places DESC, component LIMIT :top
            """),
        new Question(
            "names",
            "Names without a counterpart",
            """
            SELECT component, cuda AS name, sum(count) AS places,
              count(DISTINCT repository) AS repositories
            FROM names WHERE hip = '' GROUP BY component, cuda
            ORDER BY repositories DESC, places DESC, component, name LIMIT :top
            """),
        new Question(
            "gpus",
            "GPUs that something is built for",
            """
            SELECT gpu, count(DISTINCT repository) AS repositories, count(*) AS places
            FROM gpus GROUP BY gpu ORDER BY repositories DESC, places DESC, gpu LIMIT :top
            """),
        FAILURES);
  }

  private static List<Question> ofReports() {
    return List.of(
        new Question("totals", "Fleet", "SELECT " + SUMS + " FROM repositories"),
        new Question(
            "teams",
            "Effort by team",
            """
            SELECT team, count(*) AS repositories, sum(errors) AS errors, sum(minutes) AS minutes
            FROM repositories WHERE status <> 'failed'
            GROUP BY team ORDER BY minutes DESC, team LIMIT :top
            """),
        new Question(
            "blocking",
            "Rules with errors in most repositories (alone: the only rule with errors there)",
            """
            WITH blocked AS (
              SELECT repository, rule, count(*) AS findings FROM findings
              WHERE severity = 'error' AND suppressed = '' GROUP BY repository, rule),
            single AS (
              SELECT repository FROM blocked GROUP BY repository HAVING count(*) = 1),
            titles AS (SELECT rule, max(title) AS title FROM rules GROUP BY rule)
            SELECT b.rule, count(*) AS repositories, count(s.repository) AS alone,
              sum(b.findings) AS findings, max(t.title) AS title
            FROM blocked b LEFT JOIN single s ON s.repository = b.repository
              LEFT JOIN titles t ON t.rule = b.rule
            GROUP BY b.rule ORDER BY repositories DESC, alone DESC, b.rule LIMIT :top
            """),
        new Question(
            "ptx",
            "PTX that is not ported, by instruction",
            """
            SELECT CASE WHEN instruction = '' THEN meaning ELSE instruction END AS instruction,
              sum(count) AS places, count(DISTINCT repository) AS repositories,
              max(effort) AS effort
            FROM ptx GROUP BY 1 ORDER BY places DESC, instruction LIMIT :top
            """),
        new Question(
            "libraries",
            "Libraries with names that have no counterpart",
            """
            SELECT library, sum(unported) AS places, count(DISTINCT repository) AS repositories
            FROM dependencies WHERE unported > 0
            GROUP BY library ORDER BY places DESC, library LIMIT :top
            """),
        FAILURES);
  }

  private static Question trend(String sums) {
    return new Question(
        "trend",
        "Trend",
        "SELECT 'before' AS run, "
            + sums
            + " FROM old_repositories UNION ALL SELECT 'now', "
            + sums
            + " FROM repositories ORDER BY run");
  }

  /** The questions about the tables of a work, and about an earlier {@code old_repositories}. */
  static List<Question> ofTwoFleets(Work work) {
    return work == Work.BILL
        ? List.of(trend(SUMS_OF_BILLS))
        : List.of(
            trend(SUMS),
            new Question(
                "changes",
                "Repositories that changed most",
                """
                WITH pairs AS (
                  SELECT coalesce(n.name, o.name) AS name,
                    CASE WHEN n.status = 'failed' THEN 'failed' WHEN n.repository IS NULL THEN 'gone'
                      WHEN o.repository IS NULL THEN 'new' WHEN o.status = 'failed' THEN n.status
                      ELSE 'changed' END AS state,
                    coalesce(o.status, '') = 'failed' AS failed_before,
                    coalesce(n.status, '') = 'failed' AS fails_now,
                    coalesce(n.errors, 0L) - coalesce(o.errors, 0L) AS errors,
                    coalesce(n.minutes, 0L) - coalesce(o.minutes, 0L) AS minutes
                  FROM repositories n FULL JOIN old_repositories o ON o.repository = n.repository)
                SELECT name, state,
                  CASE WHEN failed_before OR fails_now THEN 0L ELSE errors END AS errors,
                  CASE WHEN failed_before OR fails_now THEN 0L ELSE minutes END AS minutes
                FROM pairs
                WHERE (state <> 'changed' OR pairs.errors <> 0 OR pairs.minutes <> 0)
                  AND NOT (failed_before AND fails_now)
                ORDER BY fails_now DESC, abs(minutes) DESC, abs(errors) DESC, name LIMIT :top
                """));
  }
}
