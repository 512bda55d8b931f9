package dev.rocport.verify;

import java.util.List;
import java.util.stream.Stream;

/**
 * One run of a fixture on one target.
 *
 * @param ranks MPI processes; 0 for a run without MPI
 */
record RunCase(Fixture fixture, RunSpec run, String target, int ranks) {

  /** The cases of a fixture on a target that the user's choice leaves. */
  static List<RunCase> of(Fixture fixture, String target, VerifyOptions options) {
    return fixture.runs().stream()
        .filter(r -> r.targets().isEmpty() || r.targets().contains(target))
        .filter(
            r ->
                options.only().isEmpty()
                    ? options.full() || !r.full()
                    : options.only().contains(r.name()))
        .flatMap(
            r ->
                (r.ranks().isEmpty() ? List.of(0) : r.ranks())
                    .stream().map(ranks -> new RunCase(fixture, r, target, ranks)))
        .toList();
  }

  /** For messages about the fixture: {@code matrix gfx90a np 4}. */
  String where() {
    return where(run.name(), target, ranks);
  }

  static String where(String run, String target, int ranks) {
    return String.join(
        " ",
        Stream.of(run, target, ranks == 0 ? "" : "np " + ranks).filter(s -> !s.isEmpty()).toList());
  }
}
