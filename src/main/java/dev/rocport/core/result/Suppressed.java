package dev.rocport.core.result;

/**
 * A suppressed finding.
 *
 * @param finding what was found
 * @param reason why it is suppressed; empty if not given
 * @param where the comment or the configuration entry that suppresses it, as {@code PATH:LINE}
 */
public record Suppressed(Finding finding, String reason, String where) {}
