package dev.rocport.device.check.race;

import dev.rocport.device.check.Certainty;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.Site;
import dev.rocport.device.check.VectorClock;
import dev.rocport.device.wave.Code;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A race in words. */
final class Report {
  private Report() {}

  static Finding of(Conflict c) {
    LaunchRaces launch = c.wave.group.launch;
    Site site =
        launch
            .view()
            .site(
                role(launch.code(), c.pc, c.stores, c.inLds),
                c.pc,
                c.wave.group.group,
                c.wave.wave.number,
                c.lanes());
    Happening before = launch.session().happening(Epoch.launch(c.other));
    List<Site> others = before == null ? List.of() : List.of(other(c, before));
    if (before != null && before.program() != launch.program() && !c.sameValue) {
      return ofProcesses(before, launch, site, others);
    }
    if (before instanceof HostTouch touch && !c.sameValue) {
      return new Finding(
          Check.RACE,
          Certainty.CERTAIN,
          hostTitle(touch),
          site,
          others,
          touch.isOfMpi() ? OF_MPI : HOST_FIRST,
          hostAdvice(touch));
    }
    Words words =
        words(
            c,
            launch,
            site.where(),
            others.isEmpty() ? "the earlier access" : others.getFirst().where());
    return new Finding(
        Check.RACE, words.certainty(), words.title(), site, others, words.why(), words.advice());
  }

  /** Lanes of one instruction store different values to one place. */
  static Finding ofLanes(WaveClock wave, int pc, boolean inLds, long lanes) {
    LaunchRaces launch = wave.group.launch;
    Site site =
        launch
            .view()
            .site(
                role(launch.code(), pc, true, inLds),
                pc,
                wave.group.group,
                wave.wave.number,
                lanes);
    return new Finding(
        Check.RACE,
        Certainty.CERTAIN,
        "lanes of one wave store different values to one address at the same time",
        site,
        List.of(),
        "It is undefined which of the values remains.",
        "Let one lane store, give each lane its own address, or use an atomic.");
  }

  /** The host copies or fills what an access of a kernel has touched, and is not after it. */
  static Finding ofHost(HostTouch touch, long other, int how, boolean stored) {
    Happening before = touch.session().happening(Epoch.launch(Epoch.actor(other)));
    Site here = host("", touch);
    if (!(before instanceof LaunchRaces launch)) {
      if (before != null && before.program() != touch.program()) {
        return ofProcesses(before, touch, here, List.of(host("earlier ", before)));
      }
      return new Finding(
          Check.RACE,
          Certainty.CERTAIN,
          touch.isOfMpi() || (before instanceof HostTouch first && first.isOfMpi())
              ? "a copy or fill and an MPI function access the same memory, and the host does not"
                  + " wait for the first of them"
              : "two copies access the same memory, with no stream or event ordering them",
          here,
          List.of(host("earlier ", before)),
          "They may run at the same time or in the other order.",
          HOST_ADVICE);
    }
    int wave = Epoch.wave(Epoch.actor(other));
    int pc = launch.pc(how);
    Site site =
        launch
            .view()
            .site(
                "earlier " + role(launch.code(), pc, stored, false),
                pc,
                launch.group(wave / launch.wavesOfGroup()),
                wave % launch.wavesOfGroup(),
                1L << PackedAccess.lane(how));
    if (launch.program() != touch.program()) {
      return ofProcesses(launch, touch, here, List.of(site));
    }
    return new Finding(
        Check.RACE,
        Certainty.CERTAIN,
        hostTitle(touch),
        site,
        List.of(here),
        touch.isOfMpi() ? OF_MPI : HOST_SECOND,
        hostAdvice(touch));
  }

  /** Two processes access the same memory. */
  private static Finding ofProcesses(
      Happening first, Happening second, Site site, List<Site> others) {
    boolean possible = second.session().mayBeOrdered(first, second);
    return new Finding(
        Check.RACE,
        Certainty.of(!possible),
        "two processes access the same memory, and nothing orders the accesses",
        site,
        others,
        possible
            ? "The first access was over when the second began, but no call of MPI or rocSHMEM, no"
                + " shared event and no atomic that the first process has released orders them. In"
                + " another run, they may happen at the same time or in the other order."
            : "They may happen at the same time or in the other order: a barrier or a message"
                + " between the processes orders only what their GPUs have done by then.",
        "Let the first process wait for its GPU (hipStreamSynchronize) and then call MPI_Barrier or"
            + " rocshmem_barrier_all, as the second one does before its access; or signal on the"
            + " GPU (rocshmem_putmem_signal, rocshmem_signal_wait_until).");
  }

  private static String hostTitle(HostTouch touch) {
    return touch.isOfMpi()
        ? "a kernel and an MPI function access the same memory, and the host does not wait for the"
            + " first of them"
        : "a kernel and a copy or fill access the same memory, with no stream or event ordering"
            + " them";
  }

  private static String hostAdvice(HostTouch touch) {
    return touch.isOfMpi()
        ? "Wait for the kernel on the host (hipStreamSynchronize) before the MPI call; launch a"
            + " kernel that uses the buffer only after MPI_Wait."
        : HOST_ADVICE;
  }

  private static final String OF_MPI =
      "MPI uses the memory until its function returns, or until the request is complete. Until then"
          + " the kernel may run, too, so that old and new values get mixed.";
  private static final String HOST_FIRST =
      "The kernel may run before the copy completes and read the old contents, or have its own"
          + " stores overwritten.";
  private static final String HOST_SECOND =
      "The copy may run before the kernel or at the same time.";
  private static final String HOST_ADVICE =
      "Issue both on one stream; or record an event after the first and make the stream of the"
          + " second wait for that event (hipEventRecord, hipStreamWaitEvent); or wait on the host"
          + " (hipStreamSynchronize).";

  private static Site host(String when, @Nullable Happening happening) {
    VectorClock clock = happening == null ? null : happening.clock();
    String role = when + (clock == null ? "copy or fill" : clock.what());
    return clock == null ? new Site(role, "", "", "", "", -1) : clock.site().apply(role);
  }

  private static Site other(Conflict c, Happening before) {
    if (!(before instanceof LaunchRaces launch)) {
      return host("earlier ", before);
    }
    int wave = Epoch.wave(c.other);
    return launch
        .view()
        .site(
            "earlier " + role(launch.code(), c.otherPc, c.otherStored, c.inLds),
            c.otherPc,
            launch.group(wave / launch.wavesOfGroup()),
            wave % launch.wavesOfGroup(),
            c.otherLanes());
  }

  private static String role(@Nullable Code code, int pc, boolean stores, boolean inLds) {
    String name = code == null ? "" : code.at(pc).instruction().name();
    String what =
        name.contains("atomic")
                || (name.startsWith("ds_") && !name.contains("read") && !name.contains("write"))
            ? "atomic update"
            : stores ? "store" : "load";
    return what + (inLds ? " of LDS" : " of global memory");
  }

  private record Words(Certainty certainty, String title, String why, String advice) {}

  private static Words words(Conflict c, LaunchRaces launch, String here, String there) {
    boolean sameLaunch = Epoch.launch(c.other) == launch.number();
    boolean sameGroup = sameLaunch && c.wave.group.holds(c.other);
    boolean mixed = c.atomic || c.otherAtomic;
    // An old value does no harm where an update follows that sees the new one.
    Certainty certainty = Certainty.of(!mixed || (c.stores && c.otherStored));
    if (c.sameValue) {
      Happening before = launch.session().happening(Epoch.launch(c.other));
      String who =
          sameGroup
              ? "two waves of a block"
              : sameLaunch
                  ? "two blocks"
                  : before != null && before.program() != launch.program()
                      ? "two processes"
                      : "two kernels";
      String memory = c.inLds ? "LDS" : "global memory";
      if (!c.stores || !c.otherStored) {
        return new Words(
            Certainty.BENIGN,
            who
                + " load and store the same "
                + memory
                + " in no order, and the store does not change it",
            "The stored value was there already in this run, so the load sees it in either order."
                + " They race if the values can differ with other data.",
            "Nothing, if the store never changes the value. Otherwise, order the two, or leave out"
                + " the store.");
      }
      return new Words(
          Certainty.BENIGN,
          who + " store the same value to the same " + memory + ", and nothing orders the stores",
          "Both store the same value in this run, so their order does not matter. They race if the"
              + " values can differ with other data.",
          "Nothing, if all of these threads store the same value with any data. Otherwise, let one"
              + " thread store, or use an atomic.");
    }
    if (c.atomic && c.otherAtomic) {
      return new Words(
          Certainty.CERTAIN,
          "two blocks use an atomic at workgroup scope",
          "Such an atomic is coherent only within its own compute unit: blocks on other compute"
              + " units may never see its result, and it releases nothing to them.",
          "Use __HIP_MEMORY_SCOPE_AGENT at "
              + there
              + " and "
              + here
              + ", or functions such as atomicAdd.");
    }
    if (c.notAcquired) {
      return new Words(
          Certainty.POSSIBLE,
          "a load after this block has seen a flag of another block, without an acquire in between",
          "The other block released its stores, and this block has seen its flag or counter, but"
              + " the load may still hit an old line in the cache of this compute unit.",
          "Load the flag with __ATOMIC_ACQUIRE, or put __threadfence() between the load of the flag"
              + " and "
              + here
              + ".");
    }
    if (sameGroup) {
      return new Words(
          certainty,
          "two waves of a block access the same "
              + (c.inLds ? "LDS" : "global memory")
              + " with no barrier in between",
          "The waves of a block run in any order and at any speed, so " + outcome(c) + ".",
          "Put __syncthreads() between "
              + between(there, here)
              + ", on a path that every thread of the block executes"
              + (mixed ? ", or make both accesses atomic." : "."));
    }
    if (sameLaunch) {
      return new Words(
          certainty,
          "two blocks access the same global memory, and nothing orders the accesses",
          "Blocks run in any order and on any compute unit, each with its own cache, so "
              + outcome(c)
              + ".",
          mixed
              ? "Make both accesses atomic (atomicAdd, __hip_atomic_load, __hip_atomic_store), or"
                  + " publish the data: after "
                  + there
                  + ", call __threadfence() and store an atomic flag; before "
                  + here
                  + ", load the flag and call __threadfence()."
              : c.stores && c.otherStored
                  ? "Give each block its own element, or use atomicAdd or atomicExch."
                  : "Split the kernel in two, or publish the data with __threadfence() and an"
                      + " atomic flag on both sides.");
    }
    return new Words(
        Certainty.CERTAIN,
        "two kernels access the same memory, with no stream or event ordering them",
        "The kernels may run at the same time or in the other order, so " + outcome(c) + ".",
        "Launch both on one stream, or record an event after the first and make the stream of the"
            + " second wait for that event (hipEventRecord, hipStreamWaitEvent).");
  }

  private static String between(String there, String here) {
    return there.equals(here)
        ? "the access in one iteration and the access in the next iteration at " + here
        : there + " and " + here;
  }

  private static String outcome(Conflict c) {
    if (c.stores && c.otherStored) {
      return "either value may remain";
    }
    return (c.stores
            ? "the load may already see the later store"
            : "the load may still see the value from before the store")
        + (c.atomic || c.otherAtomic
            ? "; this does no harm if an atomic operation that follows decides"
            : "");
  }
}
