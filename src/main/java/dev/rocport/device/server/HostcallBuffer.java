package dev.rocport.device.server;

import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.wave.WaveTrap;
import java.util.ArrayList;
import java.util.List;

/**
 * The buffer in which the kernel of a launch asks the host.
 *
 * <p>A wave takes a packet from the buffer's free stack, writes a header and up to eight numbers a
 * lane, puts it on the ready stack, adds to the doorbell's signal and sends an interrupt message;
 * then it waits until the ready flag of the packet's header is gone, reads two numbers a lane, and
 * gives the packet back. Stacks hold an index of packets in the low bits and a counter above, and 0
 * is empty. Source: the behaviour of the hostcall functions in ROCm's device libraries.
 *
 * <p>The kernel can write all of this memory, so nothing that is read from it is an address.
 */
final class HostcallBuffer {
  private static final int SERVICE_PRINTF = 2;
  private static final int SERVICE_MEMORY = 3;

  // The buffer: headers, payloads, doorbell, free stack, ready stack, mask of the index; then the
  // doorbell's signal and its mailbox.
  private static final int HEADERS = 0;
  private static final int PAYLOADS = 8;
  private static final int DOORBELL = 16;
  private static final int FREE_STACK = 24;
  private static final int READY_STACK = 32;
  private static final int INDEX_MASK = 40;
  private static final int SIGNAL = 64;
  private static final int SIGNAL_MAILBOX = SIGNAL + 16;
  private static final int SIGNAL_EVENT = SIGNAL + 24;
  private static final int MAILBOX = 128;
  private static final int HEAD = 192;

  // A header: next, active lanes, service, control with the ready flag in bit 0.
  private static final int HEADER = 24;
  private static final int HEADER_LANES = 8;
  private static final int HEADER_SERVICE = 16;
  private static final int HEADER_CONTROL = 20;

  private static final int SLOTS = 8;
  private static final int PAYLOAD = 64 * SLOTS * 8;

  /** Waves that find no packet wait, so there need not be one for each. A power of two. */
  private static final int PACKETS = 256;

  /** Bytes of a buffer. */
  static final long SIZE = HEAD + (long) PACKETS * (HEADER + PAYLOAD);

  private final Allocation allocation;
  private final Hostcalls memory;
  private final PrintedMessages printed = new PrintedMessages();

  /**
   * Creates a new buffer in {@code allocation}.
   *
   * @param memory answers requests for memory
   */
  HostcallBuffer(Allocation allocation, Hostcalls memory) {
    this.allocation = allocation;
    this.memory = memory;
    long at = allocation.base();
    long headers = at + HEAD;
    Memory.fill(at, HEAD, (byte) 0);
    Memory.storeLong(at + HEADERS, headers);
    Memory.storeLong(at + PAYLOADS, headers + (long) PACKETS * HEADER);
    Memory.storeLong(at + DOORBELL, at + SIGNAL);
    Memory.storeLong(at + INDEX_MASK, PACKETS - 1L);
    Memory.storeLong(at + SIGNAL_MAILBOX, at + MAILBOX);
    Memory.storeInt(at + SIGNAL_EVENT, 1);
    // The counter begins at one, so that no packet is 0.
    for (int i = 0; i < PACKETS; i++) {
      long header = headers + (long) i * HEADER;
      Memory.fill(header, HEADER, (byte) 0);
      Memory.storeLong(header, i == 0 ? 0 : PACKETS | (i - 1));
    }
    Memory.storeLong(at + FREE_STACK, PACKETS | (PACKETS - 1));
  }

  Allocation allocation() {
    return allocation;
  }

  /**
   * Answers what is ready.
   *
   * @throws WaveTrap where the kernel asks for what there is not
   */
  synchronized void serve(Output output) {
    if (output.isFull()) {
      return;
    }
    long at = allocation.base();
    long packet = (long) Memory.LONG.getAndSet(Memory.ALL, at + READY_STACK, 0L);
    List<Long> ready = new ArrayList<>();
    // The list need not be a list: no more packets than there are.
    while (packet != 0 && ready.size() < PACKETS) {
      long index = packet & (PACKETS - 1);
      ready.add(index);
      packet = Memory.loadLong(at + HEAD + index * HEADER);
    }
    for (long index : ready.reversed()) {
      long header = at + HEAD + index * HEADER;
      answer(
          Memory.loadInt(header + HEADER_SERVICE),
          Memory.loadLong(header + HEADER_LANES),
          at + HEAD + (long) PACKETS * HEADER + index * PAYLOAD,
          output);
      Memory.INT.setRelease(Memory.ALL, header + HEADER_CONTROL, 0);
    }
  }

  private void answer(int service, long lanes, long payload, Output output) {
    for (long left = lanes; left != 0; left &= left - 1) {
      long slots = payload + (long) Long.numberOfTrailingZeros(left) * SLOTS * 8;
      switch (service) {
        case SERVICE_PRINTF -> print(slots, output);
        case SERVICE_MEMORY ->
            Memory.storeLong(
                slots, memory.answer(Memory.loadLong(slots), Memory.loadLong(slots + 8)));
        default -> throw new WaveTrap("the kernel requested an unknown host service: " + service);
      }
    }
  }

  private void print(long slots, Output output) {
    long[] message = new long[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
      message[i] = Memory.loadLong(slots + 8L * i);
    }
    Memory.storeLong(slots, printed.append(message, output));
  }
}
