package dev.rocport.device.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * What lanes print, gathered from the packets that carry it, formatted when it is whole.
 *
 * <p>The first number of a packet describes it: bit 0 a new message, bit 1 its end, bits 7:5 how
 * many of the seven numbers behind it count, from bit 8 on the message. A message is a control
 * number (1 for standard error), the format, and the arguments; texts end with a zero byte and take
 * whole numbers. Source: the behaviour of the printf functions in ROCm's device libraries.
 */
final class PrintedMessages {
  private static final int BEGIN = 1;
  private static final int END = 2;

  /**
   * More than this of one message is dropped: a kernel that never ends its message must not fill
   * the memory.
   */
  private static final int LONGEST = 1 << 20;

  /** Messages begun but not ended: on a real GPU, one per lane that is in printf. */
  private static final int MOST = 1 << 17;

  private final Map<Long, ByteArrayOutputStream> open = new HashMap<>();
  private long last;

  /**
   * Takes a packet of one lane.
   *
   * @param packet its eight numbers
   * @return the reply to the lane: the description for its next packet, or at the end the count of
   *     bytes printed
   */
  long append(long[] packet, Output output) {
    long description = packet[0];
    long id = description >>> 8;
    if ((description & BEGIN) != 0) {
      if (open.size() >= MOST) {
        return -1;
      }
      id = ++last;
      open.put(id, new ByteArrayOutputStream());
    }
    ByteArrayOutputStream message = open.get(id);
    if (message == null) {
      return -1;
    }
    int count = (int) (description >>> 5) & 7;
    if (message.size() < LONGEST) {
      ByteBuffer bytes = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 1; i <= count; i++) {
        bytes.putLong(packet[i]);
      }
      message.writeBytes(bytes.array());
    }
    if ((description & END) == 0) {
      return id << 8;
    }
    open.remove(id);
    return print(ByteBuffer.wrap(message.toByteArray()).order(ByteOrder.LITTLE_ENDIAN), output);
  }

  private static long print(ByteBuffer message, Output output) {
    if (message.remaining() < 16) {
      return -1;
    }
    int fd = message.getLong() == 1 ? 2 : 1;
    byte[] format = DeviceFormat.text(message);
    byte[] text = DeviceFormat.format(format, message);
    output.write(fd, text);
    return text.length;
  }
}
