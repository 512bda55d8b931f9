package dev.rocport.fleet;

/**
 * What {@code rocport fleet report} asks for.
 *
 * @param version of rocport
 * @param out folder of the tables
 * @param since folder of earlier tables; empty if none
 * @param format {@code text} or {@code json}
 * @param top rows of each table
 */
record ReportSettings(String version, String out, String since, String format, int top) {}
