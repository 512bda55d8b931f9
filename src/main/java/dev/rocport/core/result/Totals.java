package dev.rocport.core.result;

import dev.rocport.core.result.FileResult.Status;
import java.util.List;
import java.util.SortedMap;

/**
 * Sums over all files. Findings are those that are not suppressed.
 *
 * @param files number of files
 * @param bytes of the originals
 * @param lines of the originals that are text
 * @param byStatus files by status
 * @param byLanguage files by language
 * @param edits number of edits
 * @param editsByRule by rule id
 * @param editsByFamily by rule family, such as {@code api/runtime}
 * @param findings number of findings
 * @param bySeverity findings by severity
 * @param byDisposition findings by disposition
 * @param byRule findings by rule id
 * @param suppressed number of suppressed findings
 * @param left the manual work, most minutes first
 * @param effort the effort for all files and for the tree as a whole
 * @param bySize files by class of effort
 */
public record Totals(
    int files,
    long bytes,
    long lines,
    SortedMap<Status, Integer> byStatus,
    SortedMap<String, Integer> byLanguage,
    int edits,
    SortedMap<String, Integer> editsByRule,
    SortedMap<String, Integer> editsByFamily,
    int findings,
    SortedMap<Severity, Integer> bySeverity,
    SortedMap<Disposition, Integer> byDisposition,
    SortedMap<String, Integer> byRule,
    int suppressed,
    List<Left> left,
    Effort effort,
    SortedMap<Effort.Size, Integer> bySize) {}
