package dev.rocport.headers;

import java.util.List;
import java.util.SortedSet;

/**
 * What headers have of the names of a table.
 *
 * @param rule the rule of the table
 * @param headers the headers
 * @param names number of names that were looked for
 * @param missing names that these headers must have, but do not
 * @param early names that these headers have, although the table gives a later version
 * @param problem why the headers could not be checked; empty if they were
 */
public record HeaderResult(
    String rule,
    List<String> headers,
    int names,
    SortedSet<String> missing,
    SortedSet<String> early,
    String problem) {
  public HeaderResult {
    headers = List.copyOf(headers);
  }

  /** Whether the headers were read, and have all names that they must have. */
  public boolean ok() {
    return problem.isEmpty() && missing.isEmpty();
  }
}
