package dev.rocport.device.check.sync;

import dev.rocport.device.wave.Wave;
import java.util.Optional;

/** What a wave waits for, in words. */
final class Waiting {
  private Waiting() {}

  /**
   * A sentence.
   *
   * @param instructions that the wave has run in its loop at least
   * @param poll what it waits for, if that is known
   */
  static String words(Wave wave, long instructions, Optional<Spin.Poll> poll) {
    return "Wave %d of block (%d, %d, %d) has been in its loop for %d instructions or more%s."
        .formatted(
            wave.number,
            wave.group.x(),
            wave.group.y(),
            wave.group.z(),
            instructions,
            poll.map(p -> ", until " + place(wave, p)).orElse(""));
  }

  /** What has to change. */
  private static String place(Wave wave, Spin.Poll poll) {
    long address = poll.first();
    boolean local = poll.isIn(wave.group);
    return "the %d bytes at %s 0x%x hold another value than 0x%x"
        .formatted(
            poll.bytes(),
            local ? "LDS offset" : "address",
            local ? address - wave.group.lds() : address,
            Stored.load(address, poll.bytes()));
  }
}
