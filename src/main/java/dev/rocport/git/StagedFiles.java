package dev.rocport.git;

import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;

/**
 * The files in the index of a repository. Their sizes and times show which files have not changed,
 * so that these need not be read.
 */
final class StagedFiles {
  private final Map<String, DirCacheEntry> entries;
  private final Instant written;
  private final boolean isRead;

  private StagedFiles(Map<String, DirCacheEntry> entries, Instant written, boolean isRead) {
    this.entries = entries;
    this.written = written;
    this.isRead = isRead;
  }

  /**
   * Reads the index. An index in a form that JGit does not know, such as a split index, counts as
   * empty: then every file is read, and {@link #isRead} is false.
   */
  static StagedFiles read(Repository repository) throws IOException {
    Path index = repository.getIndexFile().toPath();
    Map<String, DirCacheEntry> entries = new HashMap<>();
    if (!Files.isRegularFile(index)) {
      return new StagedFiles(entries, Instant.MIN, true);
    }
    Instant written = Files.getLastModifiedTime(index).toInstant();
    try {
      DirCache cache = DirCache.read(index.toFile(), NoCommands.FILES);
      for (int i = 0; i < cache.getEntryCount(); i++) {
        DirCacheEntry e = cache.getEntry(i);
        entries.put(PathText.of(e.getRawPath()), e);
      }
    } catch (IOException | IllegalArgumentException e) {
      return new StagedFiles(Map.of(), written, false);
    }
    return new StagedFiles(entries, written, true);
  }

  /** Returns whether the index is known, so that a file that it does not hold is not staged. */
  boolean isRead() {
    return isRead;
  }

  boolean holds(String path) {
    return entries.containsKey(path);
  }

  /** Returns whether a sparse checkout leaves out this file. */
  boolean isLeftOut(String path) {
    DirCacheEntry e = entries.get(path);
    return e != null && e.isSkipWorkTree();
  }

  /** Returns whether a file has certainly this content. */
  boolean isSame(String path, ObjectId content, Path file) {
    DirCacheEntry e = entries.get(path);
    if (e == null || !e.isMerged() || e.isSmudged() || !e.getObjectId().equals(content)) {
      return false;
    }
    try {
      BasicFileAttributes is =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      Instant time = is.lastModifiedTime().toInstant();
      Instant noted = e.getLastModifiedInstant();
      // Some programs note whole seconds.
      boolean whole = noted.equals(noted.truncatedTo(ChronoUnit.SECONDS));
      return is.isRegularFile()
          && (int) is.size() == e.getLength()
          && noted.equals(whole ? time.truncatedTo(ChronoUnit.SECONDS) : time)
          // A change right after the index was written may leave no trace in size and time.
          && time.isBefore(written.truncatedTo(whole ? ChronoUnit.SECONDS : ChronoUnit.NANOS));
    } catch (IOException x) {
      return false;
    }
  }
}
