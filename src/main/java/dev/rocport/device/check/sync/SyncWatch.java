package dev.rocport.device.check.sync;

import dev.rocport.device.check.Certainty;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.check.Site;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Translator;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks at one launch. */
final class SyncWatch implements LaunchWatch {
  /** Waves that are followed from the same barrier: more would tell the same. */
  private static final int FOLLOWED = 64;

  /** Looks at a workgroup that waits before this says that it does so forever. */
  private static final int DEADLOCK_ROUNDS = 8;

  /** HIP's header with the functions that trap where their mask is wrong. */
  private static final String MASK_CHECKS = "amd_warp_sync_functions.h:";

  /** Two barriers that waves of a workgroup waited at together, by index of their code. */
  private record Pair(int one, int other) {}

  private final LaunchView launch;
  private final Consumer<Finding> findings;
  private final Translator plain;
  private final Map<Integer, Integer> followed = new ConcurrentHashMap<>();
  private final Set<Pair> compared = ConcurrentHashMap.newKeySet();

  private final GridMeeting grid;
  private final Map<Group, List<Wave>> live = new ConcurrentHashMap<>();
  private final AtomicLong began = new AtomicLong();
  private final Set<Integer> spinsTold = ConcurrentHashMap.newKeySet();

  /** By index of the barrier's code. */
  private final NavigableMap<Integer, Finding> exits = new ConcurrentSkipListMap<>();

  /** Whether barriers were met in a way that is wrong for sure. */
  private volatile boolean broken;

  SyncWatch(LaunchView launch, Consumer<Finding> findings, Translator plain) {
    this.launch = launch;
    this.plain = plain;
    this.findings = findings;
    this.grid = new GridMeeting(launch);
  }

  @Override
  public void groupBegan(List<Wave> waves) {
    waves.forEach(w -> w.sync = new WaveNotes(this, w.exec()));
    began.incrementAndGet();
    live.put(waves.getFirst().group, waves);
  }

  @Override
  public void turnEnds(Wave wave) {
    if (wave.state == WaveState.READY || wave.state == WaveState.YIELDED) {
      notes(wave).turnEnded(wave);
    }
  }

  /** A wave goes round in a loop and waits. */
  void spins(Wave wave, WaveNotes notes, Spin spin) {
    if (spinsTold.contains(spin.head())) {
      return;
    }
    boolean all = allWait();
    if (!all && !Deadlock.isIn(live.getOrDefault(wave.group, List.of()))) {
      notes.rounds = 0;
      return;
    }
    // Twice, since others may have gone on while they were looked at; less and less often then.
    if (++notes.rounds < 2 || Integer.bitCount(notes.rounds) > 1) {
      return;
    }
    Optional<Speculation.Store> store =
        all ? new Speculation(wave, notes.threads, spin, plain).heldUp() : Optional.empty();
    if (store.isPresent()) {
      held(wave, notes, spin, store.get());
    } else if (notes.rounds >= DEADLOCK_ROUNDS) {
      deadlock(wave.group);
    }
  }

  /** Reports the waves of a workgroup if only they could release each other. */
  private void deadlock(Group group) {
    List<Wave> waves = live.getOrDefault(group, List.of());
    if (!Deadlock.isIn(waves)) {
      return;
    }
    Deadlock.finding(launch, waves)
        .ifPresent(
            f -> {
              waves.forEach(w -> told(notes(w).spin));
              findings.accept(f);
              launch.stall("the waves of a block wait for each other");
            });
  }

  private void told(@Nullable Spin spin) {
    if (spin != null) {
      spinsTold.add(spin.head());
    }
  }

  /** Whether no wave of the launch can do anything before memory changes. */
  private boolean allWait() {
    boolean full = live.size() >= launch.residentGroups();
    if (began.get() < launch.groups() && !full) {
      return false;
    }
    for (List<Wave> group : live.values()) {
      for (Wave wave : group) {
        boolean stands =
            switch (wave.state) {
              case ENDED, BARRIER, GRID_BARRIER -> true;
              case READY, YIELDED -> {
                Spin spin = notes(wave).spin;
                yield spin != null && spin.goesOn();
              }
            };
        if (!stands) {
          return false;
        }
      }
    }
    return true;
  }

  private void held(Wave wave, WaveNotes notes, Spin spin, Speculation.Store store) {
    if (!spinsTold.add(spin.head())) {
      return;
    }
    findings.accept(
        new Finding(
            Check.SYNC,
            Certainty.CERTAIN,
            "lanes wait for a store by other lanes of their wave",
            launch.site(
                "lanes spin in a loop", store.poll(), wave.group, wave.number, spin.lanes()),
            List.of(
                launch.site(
                    "the store they wait for (its lanes are masked off until this loop exits)",
                    store.pc(),
                    wave.group,
                    wave.number,
                    store.lanes())),
            Waiting.words(wave, notes.waited(wave), spin.poll(store.poll()))
                + " No other wave of the launch can release them: each has ended or waits, too. The"
                + " lanes of an AMD wave share one program counter: lanes that have left the loop"
                + " are masked off until all lanes have left it. On NVIDIA GPUs since Volta,"
                + " threads progress independently, so the store takes place.",
            "Let one lane of the wave act at a time, each with the whole critical section and the"
                + " store, or let one lane act for all (rocport explain W64-LOCK, W64-HANDOVER). To"
                + " store inside the loop (if (got it) { work; store; done = true; }) is not"
                + " enough: the compiler may move the store behind the loop."));
    if (spin.exact()) {
      launch.stall("lanes of a wave wait forever for a store by other lanes of the same wave");
    }
  }

  /** Returns whether following a wave from this barrier or shuffle is worth its cost. */
  boolean wants(int pc) {
    return followed.merge(pc, 1, Integer::sum) <= FOLLOWED;
  }

  @Override
  public void barrier(List<Wave> waves) {
    Wave first = null;
    Wave ended = null;
    int signals = signals(waves);
    for (Wave wave : waves) {
      if (wave.state == WaveState.ENDED) {
        // of RDNA 4, it may have gone on from this barrier before others
        boolean before = signals == 0 || wave.barrierSignals < signals;
        ended = ended == null && before ? wave : ended;
      } else if (first == null) {
        first = wave;
      } else if (wave.barrierSignals == first.barrierSignals
          && notes(wave).barrier != notes(first).barrier) {
        apart(first, wave);
      }
    }
    if (first != null && ended != null && !exits.containsKey(notes(first).barrier)) {
      Site end = launch.site("end of the threads that have returned", ended, notes(ended).threads);
      exits.put(notes(first).barrier, exited(atBarrier(first), end));
    }
  }

  /** How often waves have signaled that wait at a barrier now; 0 where they do not. */
  private static int signals(List<Wave> waves) {
    return waves.stream()
        .filter(w -> w.state != WaveState.ENDED)
        .mapToInt(w -> w.barrierSignals)
        .min()
        .orElse(0);
  }

  @Override
  public void groupEnded(List<Wave> waves) {
    live.remove(waves.getFirst().group);
    if (!launch.isCooperative()) {
      return;
    }
    for (Wave wave : waves) {
      if (launch.isStalled()) {
        grid.stopped(wave, notes(wave).threads);
      } else {
        grid.ended(wave, notes(wave).threads);
      }
    }
  }

  @Override
  public void waveEnded(Wave wave) {
    WaveNotes notes = notes(wave);
    LeftOut.Barrier barrier = notes.leftOut.firstOfReturned();
    if (barrier != null) {
      Site met = launch.site("barrier", barrier.pc(), wave.group, wave.number, barrier.came());
      Site end = launch.site("end of the threads that have returned", wave, barrier.missing());
      exits.putIfAbsent(barrier.pc(), exited(met, end));
    }
    notes.leftOut.clear();
  }

  @Override
  public void ended() {
    grid.finding().ifPresent(findings);
    // One is enough, and none where barriers are so far apart that waves end at the wrong time.
    if (!broken && !exits.isEmpty()) {
      findings.accept(exits.firstEntry().getValue());
    }
  }

  static WaveNotes notes(Wave wave) {
    if (wave.sync instanceof WaveNotes notes) {
      return notes;
    }
    throw new IllegalStateException("a wave whose start this check has not seen");
  }

  private Site atBarrier(Wave wave) {
    WaveNotes notes = notes(wave);
    return launch.site("barrier", notes.barrier, wave.group, wave.number, notes.came);
  }

  /** Two waves of a workgroup wait at the barriers of different places. */
  private void apart(Wave one, Wave other) {
    if (!compared.add(new Pair(notes(one).barrier, notes(other).barrier))) {
      return;
    }
    Site a = atBarrier(one);
    Site b = atBarrier(other);
    // The compiler copies code: what it copied is one place.
    if (a.source().isEmpty() || (a.source().equals(b.source()) && a.calls().equals(b.calls()))) {
      return;
    }
    broken = true;
    Places places = Places.inOrder(a, b);
    findings.accept(
        new Finding(
            Check.SYNC,
            Certainty.CERTAIN,
            "waves of a block wait at different barriers",
            places.first(),
            List.of(places.second()),
            "The hardware counts the waves that reach any barrier. Each of these barriers therefore"
                + " counts and releases waves of the other one, and every later barrier is off by"
                + " one. HIP and CUDA define __syncthreads() only if all threads of the block reach"
                + " the same call.",
            "Let all threads of the block reach the same __syncthreads(), the same number of times:"
                + " put it after the branches, and give loops around it the same trip count in each"
                + " thread."));
  }

  /** Lanes that a barrier was passed without do something again. */
  void goesOn(WaveNotes notes, Wave wave, int pc, long lanes, Instruction instruction) {
    broken = true;
    LeftOut.Barrier barrier = notes.leftOut.first(lanes);
    notes.leftOut.clear();
    Site met = launch.site("barrier", barrier.pc(), wave.group, wave.number, barrier.came());
    boolean alsoBarrier = Instructions.isBarrier(instruction);
    Site on =
        launch.site(
            alsoBarrier ? "barrier of the other lanes" : "the other lanes continue",
            pc,
            wave.group,
            wave.number,
            lanes);
    Places places = alsoBarrier ? Places.inOrder(met, on) : new Places(met, on);
    findings.accept(
        new Finding(
            Check.SYNC,
            Certainty.CERTAIN,
            "a barrier that only some lanes of a wave reach",
            places.first(),
            List.of(places.second()),
            "The AMD barrier counts waves, not threads: it does not wait for lanes on another path,"
                + " and counts their wave again if they reach a barrier later. CUDA waits for"
                + " threads that never arrive, or releases the others early. HIP and CUDA leave"
                + " this case undefined.",
            "Move __syncthreads() out of the branch or loop, so that all threads of the block reach"
                + " it, and keep the condition around the work before and after it."));
  }

  /** A value of lanes that did not take part in a shuffle gets where it counts. */
  void usesAbsent(Wave wave, int pc, Flow.Use use) {
    Origin origin = use.origin();
    followed.put(origin.pc(), FOLLOWED);
    findings.accept(
        new Finding(
            Check.SYNC,
            Certainty.CERTAIN,
            "a shuffle reads lanes that do not participate, and the value is used",
            launch.site("shuffle", origin.pc(), wave.group, wave.number, origin.readers()),
            List.of(
                launch.site(
                    "lanes that are read but do not participate",
                    origin.pc(),
                    wave.group,
                    wave.number,
                    origin.sources()),
                launch.site(use.what(), pc, wave.group, wave.number, use.lanes())),
            "HIP and CUDA leave the value undefined if the source lane is in another"
                + " branch or has returned. AMD hardware returns 0 here, which is"
                + " harmless in a sum but wrong in most other operations; other instructions that a"
                + " compiler may choose keep an old value.",
            "Make sure that every lane whose value is read reaches the shuffle; a lane without a"
                + " value passes a neutral one. Or test whether the lane participates before using"
                + " its value."));
  }

  /**
   * A wave reaches s_trap.
   *
   * @param missing threads that do not
   */
  void traps(Wave wave, long missing) {
    Site site = launch.site("wave function with a mask", wave, wave.exec());
    if (!site.calls().contains(MASK_CHECKS) && !site.source().contains(MASK_CHECKS)) {
      return;
    }
    findings.accept(
        new Finding(
            Check.SYNC,
            Certainty.CERTAIN,
            "the mask of a wave function differs from the lanes that participate",
            site,
            missing == 0
                ? List.of()
                : List.of(launch.site("lanes that do not participate", wave, missing)),
            "Lanes that are in another branch, have left the loop or have returned do not"
                + " participate in a vote or shuffle: code that relies on them gets a result"
                + " without their values. The HIP header traps here unless NDEBUG is defined; CUDA"
                + " does not check the mask.",
            "Let all lanes in the mask reach the call, with a neutral value if they have none; or"
                + " put only participating lanes in the mask."));
  }

  private static Finding exited(Site barrier, Site end) {
    return new Finding(
        Check.SYNC,
        Certainty.POSSIBLE,
        "threads return before a barrier that the rest of their block reaches",
        barrier,
        List.of(end),
        "GPUs do not wait for threads that have ended, but neither HIP nor CUDA guarantees this for"
            + " __syncthreads(): all threads of the block must reach it. After the barrier, shared"
            + " memory lacks whatever the returned threads should have stored.",
        "Do not return early: put the condition around the work before and after __syncthreads().");
  }
}
