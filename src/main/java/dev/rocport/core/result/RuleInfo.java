package dev.rocport.core.result;

/**
 * The description of a rule in a report.
 *
 * @param id stable name
 * @param family file below {@code rules/} without its ending
 * @param title one line
 * @param why what goes wrong without it
 * @param severity the default severity of its findings
 * @param confidence {@code certain}, {@code likely} or {@code review}
 * @param advice what to do; may be empty
 * @param topic what it is about; reports decide by it and do not show it
 */
public record RuleInfo(
    String id,
    String family,
    String title,
    String why,
    Severity severity,
    String confidence,
    String advice,
    Topic topic) {}
