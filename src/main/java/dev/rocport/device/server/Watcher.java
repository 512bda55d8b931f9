package dev.rocport.device.server;

import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Checks;
import dev.rocport.device.check.Coverage;
import dev.rocport.device.check.DelayedPlaces;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.FindingJson;
import dev.rocport.device.check.FindingText;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.VectorClock;
import dev.rocport.device.check.race.Races;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.dispatch.Watching;
import dev.rocport.device.memory.Allocation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The checks of one program, and what they have found. */
final class Watcher {
  /** The file descriptor under which findings are sent, one line of JSON each. */
  private static final int FINDINGS = 3;

  /** Kinds of accesses: those that MPI makes. */
  static final int MPI_WRITES = 4;

  static final int MPI_READS = 5;

  private final Checks checks;
  private final Findings findings = new Findings();
  private final DelayedPlaces places;
  private final List<Checker> checkers;
  private final HostSites hostSites = new HostSites();
  private final AtomicLong launches = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  /**
   * Of one program.
   *
   * @param races what all programs of the device do
   */
  Watcher(Checks checks, Races races) {
    this.checks = checks;
    this.places = new DelayedPlaces(checks.delays());
    this.checkers = Checkers.of(checks, findings, places, races);
  }

  List<Checker> checkers() {
    return checkers;
  }

  HostSites hostSites() {
    return hostSites;
  }

  /** Of a launch that is about to start. */
  Watching watching() {
    launches.incrementAndGet();
    return checkers.isEmpty() ? Watching.NOTHING : new Watching(checkers);
  }

  void loaded(CodeObject object, byte[] image) {
    checkers.forEach(c -> c.loaded(object, image));
  }

  /** The program has code that the device does not run. */
  void refused() {
    refused.incrementAndGet();
  }

  void allocated(Allocation allocation, int gpu) {
    checkers.forEach(c -> c.allocated(allocation, gpu));
  }

  /** Memory of a GPU that the host writes without a call: fine-grained. */
  void reachable(Allocation allocation) {
    checkers.forEach(c -> c.mayHaveWritten(allocation.base(), allocation.size()));
  }

  void freed(Allocation allocation) {
    checkers.forEach(c -> c.freed(allocation));
  }

  /** {@link Checker#meets}: the number of what was told last. */
  long meets(@Nullable Map<Long, Long> known) {
    return checkers.stream().mapToLong(c -> c.meets(known)).max().orElse(0);
  }

  /** The program has ended, and all its memory has been freed. */
  void ended() {
    checkers.forEach(Checker::ended);
  }

  /** What the host has done to memory that it shares with the GPUs. */
  void touched(int kind, long to, long from, long size, @Nullable VectorClock clock) {
    boolean reads = kind == 1 || kind == 2 || kind == MPI_READS;
    boolean writes = kind != 1 && kind != MPI_READS;
    checkers.forEach(c -> c.touches(writes ? to : 0, reads ? from : 0, size, clock));
    switch (kind) {
      case 0 -> checkers.forEach(c -> c.hostWrote(to, size));
      case 1, MPI_READS -> checkers.forEach(c -> c.hostRead(from, size));
      case 2 -> checkers.forEach(c -> c.copied(to, from, size));
      case 3, MPI_WRITES -> checkers.forEach(c -> c.mayHaveWritten(to, size));
      default ->
          throw new RequestException(
              Status.BAD_REQUEST, "unknown kind of access to memory: " + kind);
    }
  }

  /** A finding of the program's own side. */
  void add(Finding finding) {
    findings.add(finding);
  }

  /** What the check {@code order} may delay. */
  DelayedPlaces places() {
    return places;
  }

  /** Tells what has been found since the last call. */
  void tell(Output output) {
    for (Finding finding : findings.fresh()) {
      output.write(2, FindingText.of(finding).getBytes(StandardCharsets.UTF_8));
      output.write(FINDINGS, (FindingJson.of(finding) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    for (DelayedPlaces.Place place : places.fresh()) {
      output.write(FINDINGS, (FindingJson.of(place) + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Tells at the program's end how much was looked at.
   *
   * @param lateCommands commands of the host that were late
   */
  Coverage tellCoverage(Output output, long lateCommands) {
    Coverage all =
        checkers.stream()
            .map(Checker::coverage)
            .reduce(new Coverage(launches.get(), refused.get(), 0, lateCommands), Coverage::plus);
    output.write(FINDINGS, (FindingJson.of(all) + "\n").getBytes(StandardCharsets.UTF_8));
    return all;
  }

  /** How many different findings there are, without notes. */
  int count() {
    return findings.count();
  }

  /** The page for the program's end. */
  String page(Coverage coverage) {
    return FindingText.page(findings, checks, coverage);
  }
}
