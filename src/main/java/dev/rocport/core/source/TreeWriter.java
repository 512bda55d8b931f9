package dev.rocport.core.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes files below one folder atomically: into a temporary file in the same folder, which is then
 * renamed. Never writes outside the folder, not even through links in it. Thread-safe.
 */
public final class TreeWriter {
  private static final int CHUNK = 1 << 16;

  /** The process that wrote it, and a number. */
  private static final Pattern UNFINISHED_NAME =
      Pattern.compile(Pattern.quote(SourceTree.UNFINISHED) + "(\\d{1,18})-\\d+\\.tmp");

  private final Path root;
  private final Opener opener;
  private final Set<Path> checked = ConcurrentHashMap.newKeySet();
  private final AtomicLong names = new AtomicLong();
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
  private volatile boolean stopping;

  /** Opens a file that does not exist yet. */
  public interface Opener {
    OutputStream open(Path file) throws IOException;
  }

  /** Writes the content of a file, as often as it likes. */
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes below a folder.
   *
   * @param root the folder; made when the first file is written
   */
  public TreeWriter(Path root) {
    this(
        root,
        f -> Files.newOutputStream(f, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /** For file systems that fail on demand. */
  public TreeWriter(Path root, Opener opener) {
    this.root = root.toAbsolutePath().normalize();
    this.opener = opener;
  }

  public Path root() {
    return root;
  }

  /**
   * Writes a file.
   *
   * @param like the file whose permissions and owner the new one gets; null for the usual ones
   */
  public void write(Path target, byte[] content, @Nullable Path like) throws IOException {
    replace(target, out -> out.write(content), like);
  }

  /** Writes a file whose content is made on the way. */
  public void write(Path target, Content content) throws IOException {
    replace(target, content, null);
  }

  /** Copies a file of any size with its permissions. */
  public void copy(Path from, Path target) throws IOException {
    replace(
        target,
        out -> {
          byte[] buffer = new byte[CHUNK];
          try (InputStream in = Files.newInputStream(from)) {
            int n;
            while ((n = in.read(buffer)) > 0) {
              if (stopping) {
                throw new IOException("interrupted");
              }
              out.write(buffer, 0, n);
            }
          }
        },
        from);
  }

  /** Makes a symbolic link, replacing what is there. */
  public void link(Path target, Path leadsTo) throws IOException {
    Path parent = prepare(target);
    enter();
    try {
      Path unfinished = unfinished(parent);
      Files.createSymbolicLink(unfinished, leadsTo);
      finish(unfinished, target);
    } finally {
      gate.readLock().unlock();
    }
  }

  /** Makes a folder and those above it. */
  public void folder(Path folder) throws IOException {
    if (checked.contains(folder)) {
      return;
    }
    Path normal = folder.toAbsolutePath().normalize();
    if (!normal.startsWith(root)) {
      throw new IOException("is outside the output folder");
    }
    Path parent = normal.getParent();
    boolean made = !normal.equals(root) && parent != null && isMade(normal, parent);
    if (!made) {
      try {
        Files.createDirectories(normal);
      } catch (FileAlreadyExistsException e) {
        throw new IOException("a file exists where a folder is needed: " + e.getFile(), e);
      }
      if (!normal.toRealPath().startsWith(root.toRealPath())) {
        throw new IOException("a link in the output folder points outside it");
      }
    }
    checked.add(folder);
  }

  /** Makes a folder in one that is checked; returns false if it exists or cannot be made. */
  private boolean isMade(Path folder, Path parent) throws IOException {
    folder(parent);
    try {
      Files.createDirectory(folder);
      return true;
    } catch (IOException e) {
      return false; // the general way says why
    }
  }

  /** Deletes a file, if it is there. */
  public void delete(Path file) throws IOException {
    prepare(file);
    Files.deleteIfExists(file);
  }

  /** Deletes the unfinished files that a killed run has left in a folder. */
  public void sweep(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, SourceTree.UNFINISHED + "*.tmp")) {
      for (Path file : files) {
        Matcher name = UNFINISHED_NAME.matcher(String.valueOf(file.getFileName()));
        if (name.matches()
            && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
            && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          delete(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /**
   * Ends writing for good: waits for files that are being finished, then no more are begun. For the
   * end of the program by a signal.
   */
  public void stop() {
    stopping = true;
    gate.writeLock().lock();
    // Kept forever: threads that still want to write wait until the program is gone.
  }

  private void replace(Path target, Content content, @Nullable Path like) throws IOException {
    Path parent = prepare(target);
    enter();
    try {
      Path unfinished = unfinished(parent);
      try {
        try (OutputStream out = opener.open(unfinished)) {
          content.writeTo(out);
        }
        if (like != null) {
          imitate(like, unfinished);
        }
        finish(unfinished, target);
      } catch (IOException | RuntimeException | Error e) {
        Files.deleteIfExists(unfinished);
        throw e;
      }
    } finally {
      gate.readLock().unlock();
    }
  }

  private void enter() throws IOException {
    gate.readLock().lock();
    if (stopping) {
      gate.readLock().unlock();
      throw new IOException("interrupted");
    }
  }

  private Path prepare(Path target) throws IOException {
    Path parent = target.toAbsolutePath().normalize().getParent();
    if (parent == null) {
      throw new IOException("is outside the output folder");
    }
    folder(parent);
    return parent;
  }

  private Path unfinished(Path parent) {
    String name =
        SourceTree.UNFINISHED
            + ProcessHandle.current().pid()
            + "-"
            + names.incrementAndGet()
            + ".tmp";
    return parent.resolve(name);
  }

  private static void finish(Path unfinished, Path target) throws IOException {
    if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(unfinished);
      throw new IOException("a folder exists where a file is needed");
    }
    Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void imitate(Path like, Path file) throws IOException {
    PosixFileAttributeView from = Files.getFileAttributeView(like, PosixFileAttributeView.class);
    PosixFileAttributeView to = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (from == null || to == null) {
      return;
    }
    PosixFileAttributes wanted = from.readAttributes();
    PosixFileAttributes now = to.readAttributes();
    if (!now.permissions().equals(wanted.permissions())) {
      to.setPermissions(wanted.permissions());
    }
  }
}
