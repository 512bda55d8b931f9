package dev.rocport.core.result;

/**
 * What one rule leaves to people.
 *
 * @param rule its id
 * @param severity the highest of these findings
 * @param unported places that will not work as they stand
 * @param review places to look at
 * @param files number of files with such a place
 * @param minutes of the estimate that these places make up
 */
public record Left(
    String rule, Severity severity, int unported, int review, int files, int minutes) {}
