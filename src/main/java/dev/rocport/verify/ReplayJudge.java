package dev.rocport.verify;

import dev.rocport.verify.capture.Known;
import dev.rocport.verify.capture.Plan;
import dev.rocport.verify.capture.Script;
import dev.rocport.verify.capture.Step;
import dev.rocport.verify.compare.FileComparer;
import dev.rocport.verify.compare.Profile;
import dev.rocport.verify.compare.Profiles;
import dev.rocport.verify.compare.TensorComparison;
import dev.rocport.verify.tensor.Tensor;
import dev.rocport.verify.tensor.TensorFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Compares the results of a replayed graph with those of the recording. */
final class ReplayJudge {
  private static final String PROFILE = "graph";

  /** Tolerances against the graph without compilation, which rounds after each operator. */
  private static final String UNCOMPILED = "uncompiled";

  /** The end of the name of a result of the graph without compilation. */
  private static final String EAGER = " eager";

  private final Profile profile;
  private final Profile uncompiled;
  private long compared;

  /**
   * A judge.
   *
   * @param forced the profile to use for all tensors
   */
  ReplayJudge(Profiles profiles, Optional<String> forced) {
    this.profile = profiles.get(forced.orElse(PROFILE));
    this.uncompiled = profiles.get(forced.orElse(UNCOMPILED));
  }

  /** How many tensors it has compared. */
  long compared() {
    return compared;
  }

  /**
   * Compares.
   *
   * @param rank whose results they are, as a suffix of names: {@code " of rank 1"}; empty if there
   *     is one rank
   * @param golden the recorded results
   * @param known the differences that have a known reason
   * @param tensors the results of the replay
   * @param replayed receives what is found
   */
  void judge(
      Plan plan,
      String rank,
      Script script,
      TensorFile golden,
      Optional<Known.Difference> known,
      SortedMap<String, Tensor> tensors,
      Replayed replayed) {
    List<TensorComparison> all = comparisons(golden, tensors);
    List<TensorComparison> wrong = all.stream().filter(t -> !t.outcome().ok()).toList();
    long sampled = all.stream().filter(t -> t.message().contains("samples")).count();
    compared += all.size();
    replayed
        .checks()
        .put(
            "tensors" + rank,
            "%d of %d within tolerance%s"
                .formatted(
                    all.size() - wrong.size(),
                    all.size(),
                    sampled == 0 ? "" : " (%d by samples)".formatted(sampled)));
    if (all.stream().noneMatch(t -> t.name().endsWith(EAGER))) {
      replayed
          .checks()
          .put(
              "without compilation" + rank,
              plan.random() ? "not compared, since it draws random numbers" : "not recorded");
    }
    if (all.stream().noneMatch(t -> plan.step(t.name()).isEmpty())) {
      replayed.notRun(Problem.NO_GOLDEN, "its results were not recorded");
    }
    unmatched(plan, golden, tensors, script.taken())
        .forEach(text -> replayed.fail(Problem.TENSOR, text + rank));
    all.stream()
        .filter(t -> plan.step(t.name()).isEmpty() || !t.outcome().ok())
        .forEach(t -> replayed.add(t.named(t.name() + rank, t.type(), t.message())));
    differences(plan, rank, wrong, known, replayed);
  }

  private static void differences(
      Plan plan,
      String rank,
      List<TensorComparison> wrong,
      Optional<Known.Difference> known,
      Replayed replayed) {
    if (wrong.isEmpty()) {
      if (known.isPresent()) {
        replayed.note(
            Problem.CAPTURE,
            Known.FILE + " lists a difference of this graph, which no longer differs");
      }
      return;
    }
    String first = first(plan, rank, wrong.getFirst(), wrong.size());
    Set<String> names = Set.copyOf(wrong.stream().map(TensorComparison::name).toList());
    if (known.filter(k -> k.tensors().equals(names)).isPresent()) {
      replayed.checks().put("known", known.get().reason());
      replayed.note(Problem.KNOWN, first + ": " + known.get().reason());
    } else {
      replayed.fail(Problem.TENSOR, first);
    }
  }

  private List<TensorComparison> comparisons(TensorFile golden, SortedMap<String, Tensor> tensors) {
    List<TensorComparison> all = new ArrayList<>();
    for (String recorded : names(golden)) {
      for (int candidate = 0; ; candidate++) {
        String own = Script.ofCandidate(recorded.replace(EAGER, ""), candidate);
        Tensor tensor = tensors.get(own);
        if (tensor == null) {
          break;
        }
        all.add(compare(recorded, Script.ofCandidate(recorded, candidate), golden, tensor));
      }
    }
    return all;
  }

  /** Results that only one side has: the replay, or the recording on a GPU. */
  private static List<String> unmatched(
      Plan plan, TensorFile golden, SortedMap<String, Tensor> tensors, Set<String> taken) {
    List<String> recorded = names(golden);
    List<String> texts = new ArrayList<>();
    if (recorded.isEmpty()) {
      return texts; // which is said elsewhere
    }
    // Without a GPU, and of several ranks, only results of graphs are recorded.
    boolean calls = recorded.stream().anyMatch(n -> !n.endsWith(EAGER));
    for (String n : recorded) {
      boolean given =
          plan.step(n)
              .filter(s -> s instanceof Step.Call c && taken.contains(c.operator()))
              .isPresent();
      if (!given && !tensors.containsKey(n.replace(EAGER, ""))) {
        texts.add(n + " was recorded and not computed");
      }
    }
    for (String n : tensors.keySet()) {
      String name = n.replaceFirst(" #.*", "");
      boolean expected = calls || plan.step(name).isEmpty();
      if (expected && !recorded.contains(name) && !recorded.contains(name + EAGER)) {
        texts.add(n + " was computed and not recorded");
      }
    }
    return texts;
  }

  /** The first call whose result differs: later ones may differ because they read it. */
  private static String first(Plan plan, String rank, TensorComparison t, int wrong) {
    String what =
        switch (plan.step(t.name()).orElse(null)) {
          case Step.Launch l ->
              "the kernel %s, %s (%s)"
                  .formatted(l.name(), t.name(), l.candidates().getFirst().source());
          case Step.Call c -> "the operator " + c.operator() + ", " + t.name();
          case Step.Collective c -> "the collective " + c.operator() + ", " + t.name();
          case Step.Read _ -> t.name();
          case null -> "a result of the graph, " + t.name();
        };
    return "first difference%s at %s: %s, by up to %.3g at %s; %d tensors differ in all"
        .formatted(
            rank,
            what,
            t.message().isEmpty()
                ? "%d of %d elements beyond %s".formatted(t.wrong(), t.count(), t.rule())
                : t.message(),
            t.maxAbs(),
            t.maxAbsAt(),
            wrong);
  }

  private TensorComparison compare(String recorded, String name, TensorFile golden, Tensor tensor) {
    SortedMap<String, Tensor> expected = new TreeMap<>();
    golden
        .tensors()
        .forEach(
            (n, t) -> {
              if (n.equals(recorded) || n.startsWith(recorded + "@")) {
                expected.put(n, t);
              }
            });
    SortedMap<String, String> metadata = new TreeMap<>(golden.metadata());
    metadata.keySet().retainAll(Set.of("tensor." + recorded));
    SortedMap<String, Tensor> own = new TreeMap<>();
    own.put(recorded, tensor);
    TensorComparison t =
        new FileComparer(n -> recorded.endsWith(EAGER) ? uncompiled : profile, n -> 1)
            .compare(new TensorFile(metadata, expected), new TensorFile(new TreeMap<>(), own))
            .getFirst();
    return t.named(name, t.type(), t.message());
  }

  private static List<String> names(TensorFile golden) {
    return golden.tensors().keySet().stream()
        .map(n -> n.replaceFirst("@.*", ""))
        .distinct()
        // Results of calls are s000 ..., those of the graph come after them.
        .sorted(
            Comparator.<String, Boolean>comparing(n -> !n.startsWith("s"))
                .thenComparing(n -> n.startsWith("s") ? n.indexOf(' ') : 0)
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }
}
