package dev.rocport.git;

import org.jspecify.annotations.Nullable;

/**
 * A file of a commit that differs from the commit before.
 *
 * @param path relative to the ported folder
 * @param content null if the file is removed; for a link, its target
 * @param like the path of a file of the ported commit with the same mode; empty for a new file
 */
@SuppressWarnings("ArrayRecordComponent") // handed to the writer, never compared
public record FileChange(String path, byte @Nullable [] content, String like) {}
