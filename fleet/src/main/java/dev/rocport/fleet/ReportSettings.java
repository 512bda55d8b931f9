package dev.rocport.fleet;

import java.util.Map;

/**
 * What {@code rocport fleet report} asks for.
 *
 * @param version of rocport
 * @param out folder of the tables
 * @param since folder of earlier tables; empty if none
 * @param format {@code text}, {@code json} or {@code html}
 * @param top rows of each table
 * @param master Spark's
 * @param spark properties of Spark
 */
record ReportSettings(
    String version,
    String out,
    String since,
    String format,
    int top,
    String master,
    Map<String, String> spark) {
  ReportSettings {
    spark = Map.copyOf(spark);
  }
}
