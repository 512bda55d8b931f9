package dev.rocport.verify;

import dev.rocport.device.check.Checks;
import dev.rocport.device.isa.GenericTarget;
import dev.rocport.toolchain.runtime.LibsRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The options of a verification.
 *
 * @param targets GPU targets that programs are built for
 * @param device what programs run on
 * @param libraries whose libraries programs load on rocport's device
 * @param checks what rocport's device looks for in every run
 * @param runs how often each program runs: first in the device's fixed order, then in random ones
 * @param full whether runs that are for a full verification only are run, too
 * @param only names of the runs to make; empty for all
 * @param profile a tolerance profile for all tensors, whatever the fixtures say
 * @param limit the most time for a run, over what the fixtures say
 * @param jobs threads and compilers at once
 * @param cache the object cache; empty for none
 * @param work where ports, builds and outputs go
 * @param java the command that starts rocport, without its arguments
 */
public record VerifyOptions(
    List<String> targets,
    Mode device,
    LibsRuntime libraries,
    Checks checks,
    int runs,
    boolean full,
    List<String> only,
    Optional<String> profile,
    Optional<Duration> limit,
    int jobs,
    Optional<Path> cache,
    Path work,
    List<String> java) {

  /** What programs run on. */
  public enum Mode {
    /** The machine's GPUs where it has some and a ROCm, else rocport's device. */
    AUTO,
    EMULATED,
    HARDWARE
  }

  public VerifyOptions {
    targets = List.copyOf(targets);
    only = List.copyOf(only);
    java = List.copyOf(java);
  }

  /**
   * Programs that are tried on rocport's device, each once, with no limits but their own.
   *
   * @param full what else there is for a full verification
   */
  public static VerifyOptions emulated(
      List<String> targets,
      boolean full,
      int jobs,
      Optional<Path> cache,
      Path work,
      List<String> java) {
    return new VerifyOptions(
        targets,
        Mode.EMULATED,
        LibsRuntime.STANDIN,
        Checks.NONE,
        1,
        full,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        jobs,
        cache,
        work,
        java);
  }

  VerifyOptions with(Mode other) {
    return new VerifyOptions(
        targets, other, libraries, checks, runs, full, only, profile, limit, jobs, cache, work,
        java);
  }

  VerifyOptions with(List<String> others) {
    return new VerifyOptions(
        others, device, libraries, checks, runs, full, only, profile, limit, jobs, cache, work,
        java);
  }

  /** The GPUs that run what is built for the targets. */
  List<String> gpus() {
    return GenericTarget.gpus(targets);
  }

  /** The same with one run of each program. */
  VerifyOptions once() {
    return new VerifyOptions(
        targets, device, libraries, checks, 1, full, only, profile, limit, jobs, cache, work, java);
  }

  /** The same for one of several that are done at once. */
  VerifyOptions alone() {
    return new VerifyOptions(
        targets, device, libraries, checks, runs, full, only, profile, limit, 1, cache, work, java);
  }
}
