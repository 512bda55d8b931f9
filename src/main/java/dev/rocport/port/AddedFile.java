package dev.rocport.port;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of the output that has no original.
 *
 * @param content its bytes
 * @param like file whose permissions it gets; null for the usual ones
 */
@SuppressWarnings("ArrayRecordComponent") // handed to the writer, never compared
record AddedFile(byte[] content, @Nullable Path like) {}
