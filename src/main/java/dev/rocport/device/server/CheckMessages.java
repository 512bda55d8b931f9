package dev.rocport.device.server;

import dev.rocport.device.check.Certainty;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.ConcurrentCopy;
import dev.rocport.device.check.DelayedPlaces;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.Site;
import dev.rocport.device.check.VectorClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads what a program tells for the checks of its memory accesses. */
final class CheckMessages {
  private CheckMessages() {}

  /** A finding of the library: what it is in words, and its place in the host's code. */
  static Finding found(Wire.Request in, Supplier<HostSites> host) {
    int check = in.u32();
    Check named =
        Arrays.stream(Check.values())
            .filter(c -> c.number() == check)
            .findFirst()
            .orElseThrow(() -> new RequestException(Status.BAD_REQUEST, "no check " + check));
    boolean certain = in.u32() != 0;
    String title = in.string();
    String why = in.string();
    String advice = in.string();
    List<Site> sites = new ArrayList<>();
    for (int n = in.u32(); n > 0; n--) {
      sites.add(hostSite(in, host));
    }
    if (sites.isEmpty()) {
      throw new RequestException(Status.BAD_REQUEST, "a finding without a location");
    }
    return new Finding(
        named,
        Certainty.of(certain),
        title,
        sites.getFirst(),
        List.copyOf(sites.subList(1, sites.size())),
        why,
        advice);
  }

  /** What happened, and the calls of the host that it happened in. */
  private static Site hostSite(Wire.Request in, Supplier<HostSites> host) {
    String role = in.string();
    return host.get().of(role, calls(in));
  }

  private static List<HostSites.Call> calls(Wire.Request in) {
    List<HostSites.Call> calls = new ArrayList<>();
    for (int c = in.u32(); c > 0; c--) {
      calls.add(new HostSites.Call(in.string(), in.u64()));
    }
    return calls;
  }

  /** The host, or MPI for it, has accessed memory that it shares with the GPUs. */
  static void touched(Wire.Request in, Watcher watcher) {
    int kind = in.u32();
    long to = in.u64();
    long from = in.u64();
    long size = in.u64();
    boolean byMpi = kind == Watcher.MPI_READS || kind == Watcher.MPI_WRITES;
    watcher.touched(
        kind,
        to,
        from,
        size,
        clock(in, byMpi ? VectorClock.OF_MPI : "copy or fill", watcher::hostSites));
  }

  /** A command of the host that may be late, and its place in the host's code. */
  static void delayed(Wire.Request in, DelayedPlaces places, Supplier<HostSites> host) {
    int number = in.u32();
    Site site = hostSite(in, host);
    places.mayDelay(number, () -> site);
  }

  /** What may happen during the next launch. */
  static List<ConcurrentCopy> concurrent(Wire.Request in, Supplier<HostSites> host) {
    List<ConcurrentCopy> all = new ArrayList<>();
    for (int n = in.u32(); n > 0; n--) {
      all.add(
          new ConcurrentCopy(in.u64(), in.u64(), in.u32() != 0, in.string(), hostSite(in, host)));
    }
    return List.copyOf(all);
  }

  /** What a program has come to know of others, or lets them know: the last number of each line. */
  static long meet(Wire.Request in, Watcher watcher) {
    boolean tells = in.u32() != 0;
    Map<Long, Long> known = moments(in);
    return watcher.meets(tells ? known : null);
  }

  private static Map<Long, Long> moments(Wire.Request in) {
    Map<Long, Long> all = new HashMap<>();
    for (int n = in.u32(); n > 0; n--) {
      all.put(in.u64(), in.u64());
    }
    return all;
  }

  /**
   * The block that ends a message where races are looked for; null where there is none.
   *
   * @param what has this clock, in words
   */
  static @Nullable VectorClock clock(Wire.Request in, String what, Supplier<HostSites> host) {
    if (!in.payload().hasRemaining()) {
      return null;
    }
    Map<Long, Long> after = moments(in);
    long stream = in.u64();
    long sequence = in.u64();
    List<HostSites.Call> calls = calls(in);
    return new VectorClock(stream, sequence, after, what, role -> host.get().of(role, calls));
  }
}
