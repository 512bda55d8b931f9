package dev.rocport.device.check.race;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.Site;
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
    LaunchRaces before = launch.session().launch(Epoch.launch(c.other));
    List<Site> others = before == null ? List.of() : List.of(other(c, before));
    Words words =
        words(c, launch, site.source(), others.isEmpty() ? "" : others.getFirst().source());
    return new Finding(
        Check.RACE, words.certain(), words.title(), site, others, words.why(), words.advice());
  }

  private static Site other(Conflict c, LaunchRaces launch) {
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

  private record Words(boolean certain, String title, String why, String advice) {}

  private static Words words(Conflict c, LaunchRaces launch, String here, String there) {
    boolean sameLaunch = Epoch.launch(c.other) == launch.number();
    boolean sameGroup = sameLaunch && c.wave.group.holds(c.other);
    boolean mixed = c.atomic || c.otherAtomic;
    if (sameGroup) {
      String memory = c.inLds ? "LDS" : "global memory";
      return new Words(
          true,
          "two waves of a block access the same " + memory + " with no barrier between",
          "The waves of a block run in any order and at any speed, so " + outcome(c) + ".",
          "Put __syncthreads() between "
              + between(there, here)
              + ", where all threads of the block come by"
              + (mixed ? ", or make both accesses atomic." : "."));
    }
    if (sameLaunch) {
      return new Words(
          true,
          "two blocks access the same global memory, and nothing orders them",
          "Blocks run in any order and on any compute unit, each with a cache of its own, so "
              + outcome(c)
              + ".",
          mixed
              ? "Make both accesses atomic (atomicAdd, __hip_atomic_load, __hip_atomic_store), or"
                  + " hand over: __threadfence() and an atomic flag after "
                  + there
                  + ", and the flag and __threadfence() before "
                  + here
                  + "."
              : c.stores && c.otherStored
                  ? "Give each block a place of its own, or use atomicAdd or atomicExch."
                  : "Split the kernel in two, or hand over with __threadfence() and an atomic flag"
                      + " on both sides.");
    }
    return new Words(
        true,
        "two kernels access the same memory, and no stream or event orders them",
        "The kernels may run at the same time or in the other order, so " + outcome(c) + ".",
        "Launch both on one stream, or record an event behind the first and let the second's stream"
            + " wait for it (hipEventRecord, hipStreamWaitEvent).");
  }

  private static String between(String there, String here) {
    return there.equals(here)
        ? "one round's access and the next one's at " + here
        : there + " and " + here;
  }

  private static String outcome(Conflict c) {
    if (c.stores && c.otherStored) {
      return "either value may stay";
    }
    return c.stores
        ? "the load may already see the value that is stored later"
        : "the load may see the value from before the store";
  }
}
