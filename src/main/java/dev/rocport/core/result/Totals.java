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
 * @param byStatus files by what was done with them
 * @param byLanguage files by language
 * @param edits number of edits
 * @param editsByRule by rule id
 * @param editsByFamily by rule family, such as {@code api/runtime}
 * @param findings number of findings
 * @param bySeverity findings by severity
 * @param byDisposition findings by what became of the place
 * @param byRule findings by rule id
 * @param suppressed number of findings put aside
 * @param left what people have to do, most minutes first
 * @param effort of all files, and what counts once for the tree
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
