package dev.rocport.verify.capture;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The calls of a compiled graph for one GPU target.
 *
 * @param graph its name: {@code 000-forward}
 * @param target GPU target: {@code gfx942}
 * @param choices how many plans the graph has: one, or one for each of several templates; on the
 *     first of them only
 * @param failed why the graph was not lowered or not recorded; empty if it was
 * @param random whether the graph draws random numbers
 * @param notes of the capture
 * @param buffers sizes in bytes, by number
 * @param symmetric numbers of the buffers in symmetric memory
 * @param inputs where the graph expects its inputs
 * @param steps in order
 * @param outputs where its results are, by position; empty for one that is no tensor
 * @param mutated inputs that the graph changes, by position
 * @param golden path of the recorded results of calls and of the graph, in the capture; empty if
 *     none were recorded
 * @param given path of the recorded results of operators without a counterpart
 */
public record Plan(
    String graph,
    String target,
    int choices,
    Optional<String> failed,
    boolean random,
    List<String> notes,
    List<Long> buffers,
    SortedSet<Integer> symmetric,
    List<Input> inputs,
    List<Step> steps,
    List<Optional<View>> outputs,
    SortedMap<Integer, View> mutated,
    Optional<String> golden,
    Optional<String> given) {

  /**
   * An input of a graph.
   *
   * @param data name of its elements in {@code data.safetensors}
   */
  public record Input(View view, String data) {}

  public Plan {
    notes = List.copyOf(notes);
    buffers = List.copyOf(buffers);
    symmetric = Collections.unmodifiableSortedSet(new TreeSet<>(symmetric));
    inputs = List.copyOf(inputs);
    steps = List.copyOf(steps);
    outputs = List.copyOf(outputs);
    mutated = Collections.unmodifiableSortedMap(new TreeMap<>(mutated));
  }

  /**
   * Whether a name means this plan: that of the graph, also for its further choices and calls.
   *
   * @param name such as {@code 000-inference}
   */
  public boolean is(String name) {
    return graph.equals(name) || graph.startsWith(name + ".");
  }

  /** Kernel launches. */
  public long launches() {
    return steps.stream().filter(Step.Launch.class::isInstance).count();
  }

  /** Groups of some of the ranks, in which collectives are. */
  public List<Step.Collective.Group> groups() {
    return steps.stream()
        .filter(s -> s instanceof Step.Collective c && !c.group().isAll())
        .map(s -> ((Step.Collective) s).group())
        .distinct()
        .toList();
  }

  /** Name under which a recording has a result of a step: {@code s003 out_ptr0}. */
  static String result(int step, String what) {
    return "s%03d %s".formatted(step, what);
  }

  /** Name under which a recording has a result of the graph: {@code out000}. */
  static String output(int position) {
    return "out%03d".formatted(position);
  }

  /** Name under which a recording has an input that the graph changes: {@code in000}. */
  static String input(int position) {
    return "in%03d".formatted(position);
  }

  /**
   * The step whose result has a name; empty for a result of the graph.
   *
   * @param name such as {@code s003 out_ptr0} or {@code out000}
   */
  public Optional<Step> step(String name) {
    return name.startsWith("s")
        ? Optional.of(steps.get(Integer.parseInt(name.substring(1, name.indexOf(' ')))))
        : Optional.empty();
  }
}
