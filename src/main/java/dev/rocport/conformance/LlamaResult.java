package dev.rocport.conformance;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What a model has given on the processor and on the device.
 *
 * @param version of llama.cpp
 * @param notes about versions of packages
 * @param expected text of the processor
 * @param actual text of the device
 * @param logits how many there are
 * @param largest the largest logit of the processor, without its sign
 * @param difference the largest one between two logits; infinite if a logit is not a number
 * @param time of all runs
 */
public record LlamaResult(
    String version,
    List<String> notes,
    String expected,
    String actual,
    int logits,
    double largest,
    double difference,
    Duration time) {
  /** Both sides round what they multiply with 8-bit weights to 8 bits, in blocks of their own. */
  private static final double TOLERANCE = 0.02;

  public LlamaResult {
    notes = List.copyOf(notes);
  }

  static LlamaResult of(
      String version,
      List<String> notes,
      String expected,
      String actual,
      float[] wanted,
      float[] found,
      Duration time) {
    double largest = 0;
    double difference = 0;
    for (int i = 0; i < wanted.length; i++) {
      double d = Math.abs((double) wanted[i] - found[i]);
      difference = Math.max(difference, Double.isNaN(d) ? Double.POSITIVE_INFINITY : d);
      largest = Math.max(largest, Math.abs(wanted[i]));
    }
    return new LlamaResult(
        version, notes, expected, actual, wanted.length, largest, difference, time);
  }

  /** The number of tokens, which are letters, up to the first different one. */
  int equalTokens() {
    int equal = 0;
    while (equal < Math.min(expected.length(), actual.length())
        && expected.charAt(equal) == actual.charAt(equal)) {
      equal++;
    }
    return equal;
  }

  /** Whether the device agrees with the processor. */
  public boolean passed() {
    return logits > 0
        && largest > 0
        && expected.equals(actual)
        && difference <= TOLERANCE * largest;
  }

  /** A table with one row, and the notes. */
  public String markdown() {
    StringBuilder out = new StringBuilder();
    out.append(
        "| package | tokens | equal | logits | largest logit | largest difference | time |\n");
    out.append("|---|---|---|---|---|---|---|\n");
    out.append(
        String.format(
            Locale.ROOT,
            "| %s | %d | %d | %d | %.3f | %.3f | %d s |%n",
            version,
            expected.length(),
            equalTokens(),
            logits,
            largest,
            difference,
            time.toSeconds()));
    if (!expected.equals(actual)) {
      out.append("\nprocessor: %s%ndevice:    %s%n".formatted(expected, actual));
    }
    if (difference > TOLERANCE * largest) {
      out.append(
          String.format(
              Locale.ROOT,
              "%nThe logits differ by more than %.1f %% of the largest one.%n",
              TOLERANCE * 100));
    }
    notes.forEach(n -> out.append("- ").append(n).append('\n'));
    return out.toString();
  }
}
