package dev.rocport.device.server;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Kernel output that has not been sent to its program yet. Workers never wait for a program to
 * read: if the queue is too long, they leave packets of its kernel unanswered until it has been
 * sent.
 */
final class OutputQueue implements Output {
  private static final int FULL = 1 << 20;

  /**
   * Bytes for a file descriptor.
   *
   * @param fd 1 for standard output, 2 for standard error, 3 for findings
   */
  record Chunk(int fd, ByteArrayOutputStream bytes) {}

  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private int size;
  private boolean ended;

  @Override
  public synchronized void write(int fd, byte[] text) {
    Chunk last = chunks.peekLast();
    if (last == null || last.fd() != fd) {
      last = new Chunk(fd, new ByteArrayOutputStream());
      chunks.addLast(last);
    }
    last.bytes().writeBytes(text);
    size += text.length;
    notifyAll();
  }

  @Override
  public synchronized boolean isFull() {
    return size >= FULL;
  }

  /** Nothing will come any more. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Whether all has come, and was taken. */
  synchronized boolean isEnded() {
    return ended && chunks.isEmpty();
  }

  /** Returns the first entry, or null if none arrives in time or ever will. */
  synchronized @Nullable Chunk take(long milliseconds) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
    while (chunks.isEmpty() && !ended) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) {
        return null;
      }
      wait(left);
    }
    Chunk chunk = chunks.pollFirst();
    if (chunk != null) {
      size -= chunk.bytes().size();
    }
    return chunk;
  }
}
