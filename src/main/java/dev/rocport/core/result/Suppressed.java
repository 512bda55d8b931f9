package dev.rocport.core.result;

/**
 * A finding that somebody put aside.
 *
 * @param finding what was found
 * @param reason why it does not count; empty where none was given
 * @param where the comment or the configuration entry that says so, as {@code PATH:LINE}
 */
public record Suppressed(Finding finding, String reason, String where) {}
