package dev.rocport.core.result;

/**
 * The manual work that one rule leaves.
 *
 * @param rule its id
 * @param severity the highest of these findings
 * @param unported locations that do not work without a change
 * @param review locations to review
 * @param files number of files with such locations
 * @param minutes the estimate for these locations
 */
public record Left(
    String rule, Severity severity, int unported, int review, int files, int minutes) {}
