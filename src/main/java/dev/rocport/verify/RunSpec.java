package dev.rocport.verify;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One program run and what to compare.
 *
 * @param name within its fixture; empty for the only one
 * @param program path of the program in the build, or its name
 * @param args its arguments
 * @param ranks numbers of MPI processes, each a run of its own; empty for a run without MPI
 * @param gpus that each process sees; 0 for as many as there are ranks
 * @param environment further variables
 * @param preload a library of the build that goes before the program's own
 * @param exit the expected exit code
 * @param stdout the file with the expected output, below the fixture; empty where it is not
 *     compared
 * @param files that the program writes, relative to the tree, each recorded below the run's golden
 *     folder
 * @param tensors whether it writes tensors that are compared
 * @param checks whether it must report rows of checks of its own
 * @param profile name of the tolerance profile
 * @param profiles others, by the name of a tensor
 * @param terms how many terms were summed for an element, by the name of a tensor
 * @param limit the most time that it may take
 * @param targets GPU targets that it runs on; empty for all
 * @param full only in a full verification
 */
public record RunSpec(
    String name,
    String program,
    List<String> args,
    List<Integer> ranks,
    int gpus,
    SortedMap<String, String> environment,
    Optional<String> preload,
    int exit,
    Optional<String> stdout,
    List<String> files,
    boolean tensors,
    boolean checks,
    String profile,
    Map<String, String> profiles,
    Map<String, Long> terms,
    Duration limit,
    List<String> targets,
    boolean full) {

  public RunSpec {
    args = List.copyOf(args);
    ranks = List.copyOf(ranks);
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    files = List.copyOf(files);
    profiles = Map.copyOf(profiles);
    terms = Map.copyOf(terms);
    targets = List.copyOf(targets);
  }

  /**
   * The folder of its recordings below the fixture's {@code golden}: {@code default} if unnamed.
   */
  String folder(int ranksNow) {
    String base = name.isEmpty() ? "default" : name;
    return ranksNow == 0 ? base : base + "-np" + ranksNow;
  }
}
