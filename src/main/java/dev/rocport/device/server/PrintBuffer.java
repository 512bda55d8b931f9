package dev.rocport.device.server;

import dev.rocport.device.codeobject.PrintFormats;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The buffer that kernels compiled with {@code -mprintf-kind=buffered} print into, read when the
 * kernel has ended.
 *
 * <p>It begins with the number of bytes in use and the number that fit. A message is a word with
 * its size above two bits (1: standard error, 2: the format is constant), then the hash of the
 * format or the format itself, then the arguments. What does not fit is lost, as in ROCm. Source:
 * the behavior of clang and of the ROCm device libraries.
 */
final class PrintBuffer {
  private static final int HEAD = 8;
  private static final int STANDARD_ERROR = 1;
  private static final int CONSTANT = 2;

  /** As large as in ROCm. */
  static final int SIZE = 4 << 20;

  private final Allocation allocation;
  private final PrintFormats formats;

  /** An empty buffer in {@code allocation}. */
  PrintBuffer(Allocation allocation, PrintFormats formats) {
    this.allocation = allocation;
    this.formats = formats;
    Memory.storeInt(allocation.base(), 0);
    Memory.storeInt(allocation.base() + 4, SIZE - HEAD);
  }

  Allocation allocation() {
    return allocation;
  }

  /** Prints the messages in it. */
  void print(Output output) {
    int used = Math.clamp(Memory.loadInt(allocation.base()), 0, SIZE - HEAD);
    ByteBuffer all =
        ByteBuffer.wrap(Memory.bytes(allocation.base() + HEAD, used))
            .order(ByteOrder.LITTLE_ENDIAN);
    while (all.remaining() >= 4) {
      int word = all.getInt();
      int size = (word >>> 2) - 4;
      if (size < 0 || size > all.remaining()) {
        return;
      }
      ByteBuffer message = all.slice(all.position(), size).order(ByteOrder.LITTLE_ENDIAN);
      output.write((word & STANDARD_ERROR) != 0 ? 2 : 1, text(message, (word & CONSTANT) != 0));
      all.position(all.position() + size);
    }
  }

  private byte[] text(ByteBuffer message, boolean constant) {
    if (!constant) {
      return DeviceFormat.format(DeviceFormat.text(message), message);
    }
    Optional<byte[]> format =
        message.remaining() < 8 ? Optional.empty() : formats.get(message.getLong());
    return format
        .map(f -> DeviceFormat.format(f, message))
        .orElse("rocport: printf with an unknown format\n".getBytes(StandardCharsets.UTF_8));
  }
}
