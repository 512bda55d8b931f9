package dev.rocport.verify;

import java.util.ArrayList;
import java.util.List;

/** What to do about delays that decide how a program ends. */
final class DelayAdvice {
  private static final String STORES =
      "Each wave must wait for its own stores before a flag or a counter tells other threads that"
          + " the data is ready: call __threadfence() before __syncthreads(), or before the store"
          + " of the flag. A release by one thread covers only the stores of its own wave.";

  private static final String LOADS =
      "After the thread has seen that the data is ready, and before this load, call"
          + " __threadfence(), or read the flag with an acquire.";

  private static final String RESULTS =
      "The result is used before it has arrived: in inline assembly, wait with s_waitcnt first.";

  private static final String COMMANDS =
      "Wait before the program uses the effect of this command: hipStreamSynchronize,"
          + " hipEventSynchronize, or hipStreamWaitEvent for work of another stream.";

  private DelayAdvice() {}

  static String of(List<DelayedPlace> places) {
    List<String> all = new ArrayList<>();
    if (places.stream().anyMatch(p -> !p.onHost() && p.isStore())) {
      all.add(STORES);
    }
    if (places.stream().anyMatch(p -> !p.onHost() && p.isLoad())) {
      all.add(LOADS);
    }
    if (places.stream().anyMatch(p -> !p.onHost() && !p.isLoad() && !p.isStore())) {
      all.add(RESULTS);
    }
    if (places.stream().anyMatch(DelayedPlace::onHost)) {
      all.add(COMMANDS);
    }
    return String.join(" ", all);
  }
}
