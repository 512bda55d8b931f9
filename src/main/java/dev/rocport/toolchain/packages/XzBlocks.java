package dev.rocport.toolchain.packages;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.tukaani.xz.BasicArrayCache;
import org.tukaani.xz.SeekableInputStream;
import org.tukaani.xz.SeekableXZInputStream;

/**
 * Decompresses the blocks of an xz file in parallel: dpkg writes large packages as blocks of 24 MiB
 * that do not depend on each other.
 */
final class XzBlocks extends InputStream {
  /** Larger blocks are decompressed one after the other, in little memory. */
  private static final long LARGEST = 64 << 20;

  private final Path file;
  private final long offset;
  private final long size;
  private final int blocks;
  private final ExecutorService workers;
  private final Deque<Future<byte[]>> ahead = new ArrayDeque<>();
  private final int most;
  private int next;
  private byte[] block = {};
  private int at;

  private XzBlocks(Path file, long offset, long size, int blocks, int jobs) {
    this.file = file;
    this.offset = offset;
    this.size = size;
    this.blocks = blocks;
    this.most = jobs + 1;
    this.workers = Executors.newFixedThreadPool(jobs, Thread.ofPlatform().daemon().factory());
  }

  /**
   * Opens an xz file inside another file.
   *
   * @return empty if it is one block, or one is too large
   */
  static Optional<InputStream> open(Path file, long offset, long size, int jobs)
      throws IOException {
    try (Part part = new Part(file, offset, size);
        SeekableXZInputStream in = new SeekableXZInputStream(part)) {
      int blocks = in.getBlockCount();
      boolean parallel = jobs > 1 && blocks > 1 && in.getLargestBlockSize() <= LARGEST;
      return parallel
          ? Optional.of(new XzBlocks(file, offset, size, blocks, jobs))
          : Optional.empty();
    }
  }

  private byte[] decompressed(int number) throws IOException {
    // The dictionary of one block serves the next.
    try (Part part = new Part(file, offset, size);
        SeekableXZInputStream in =
            new SeekableXZInputStream(part, -1, BasicArrayCache.getInstance())) {
      in.seekToBlock(number);
      byte[] bytes = new byte[Math.toIntExact(in.getBlockSize(number))];
      if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
        throw new EOFException("a block is truncated");
      }
      return bytes;
    }
  }

  /** Makes the next block the current one; false after the last. */
  private boolean advance() throws IOException {
    while (next < blocks && ahead.size() < most) {
      int number = next++;
      Callable<byte[]> task = () -> decompressed(number);
      ahead.add(workers.submit(task));
    }
    Future<byte[]> first = ahead.poll();
    if (first == null) {
      return false;
    }
    try {
      block = first.get();
      at = 0;
      return true;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int start, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (at == block.length) {
      if (!advance()) {
        return -1;
      }
    }
    int n = Math.min(length, block.length - at);
    System.arraycopy(block, at, to, start, n);
    at += n;
    return n;
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }

  /** A part of a file. */
  private static final class Part extends SeekableInputStream {
    private final FileChannel channel;
    private final long start;
    private final long size;
    private long position;

    Part(Path file, long start, long size) throws IOException {
      this.channel = FileChannel.open(file);
      this.start = start;
      this.size = size;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int most = (int) Math.min(length, size - position);
      if (most <= 0) {
        return length == 0 ? 0 : -1;
      }
      int n = channel.read(ByteBuffer.wrap(to, from, most), start + position);
      position += Math.max(n, 0);
      return n;
    }

    @Override
    public long length() {
      return size;
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void seek(long to) throws IOException {
      if (to < 0) {
        throw new IOException("before the start");
      }
      position = to;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
