package dev.rocport.verify;

import dev.rocport.verify.compare.Profiles;
import java.nio.file.Path;
import java.util.List;

/** What options and fixtures must fulfil before anything takes its time. */
final class Requirements {
  private Requirements() {}

  /**
   * Checks the options and fixtures of a verification.
   *
   * @param folders all that are verified
   * @param fixtures those with a description
   * @throws VerifyException if nothing would run, or not what was asked for
   */
  static void check(
      List<Path> folders, List<Fixture> fixtures, VerifyOptions options, Profiles profiles)
      throws VerifyException {
    options.profile().ifPresent(profiles::get);
    fixtures.forEach(f -> f.runs().forEach(r -> requireProfiles(r, profiles)));
    requireRuns(folders, fixtures, options);
  }

  private static void requireProfiles(RunSpec run, Profiles profiles) {
    profiles.get(run.profile());
    run.profiles().values().forEach(profiles::get);
  }

  /** A verification that runs nothing, or not what was asked for, must not end well. */
  private static void requireRuns(List<Path> folders, List<Fixture> fixtures, VerifyOptions options)
      throws VerifyException {
    if (folders.stream().anyMatch(CaptureTrial::is)) {
      return; // the graphs of a capture are known when it is read
    }
    for (String name : options.only()) {
      if (fixtures.stream().flatMap(f -> f.runs().stream()).noneMatch(r -> r.name().equals(name))) {
        throw new VerifyException("--run: no fixture has a run '" + name + "'");
      }
    }
    boolean none =
        fixtures.size() == folders.size()
            && fixtures.stream()
                .noneMatch(
                    f ->
                        options.gpus().stream()
                            .anyMatch(t -> !RunCase.of(f, t, options).isEmpty()));
    if (none) {
      throw new VerifyException(
          "nothing to run: the fixtures define no run for %s%s"
              .formatted(
                  String.join(", ", options.gpus()),
                  options.full() ? "" : " that needs no --full"));
    }
  }
}
