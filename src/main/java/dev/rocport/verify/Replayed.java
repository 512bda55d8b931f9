package dev.rocport.verify;

import dev.rocport.core.result.VerifyInfo;
import dev.rocport.toolchain.runtime.LoadedLibraries;
import dev.rocport.verify.compare.TensorComparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The replay of one graph of a capture on one target, as reports have it. */
final class Replayed {
  private final String capture;
  private final String graph;
  private final String target;
  private final Map<String, String> checks = new LinkedHashMap<>();
  private final SortedMap<String, VerifyInfo.Tensor> tensors = new TreeMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private LoadedLibraries libraries = LoadedLibraries.NONE;
  private int ranks;
  private String status = "ok";
  private String message = "";

  /**
   * A replay that has not begun.
   *
   * @param graph its name; empty for all graphs of the capture
   */
  Replayed(String capture, String graph, String target) {
    this.capture = capture;
    this.graph = graph;
    this.target = target;
  }

  String capture() {
    return capture;
  }

  /** The graph and the target. */
  String where() {
    return graph.isEmpty() ? target : graph + " " + target;
  }

  Map<String, String> checks() {
    return checks;
  }

  /**
   * It runs on several ranks.
   *
   * @param count at least two
   */
  void ranks(int count) {
    ranks = count;
  }

  void libraries(LoadedLibraries loaded) {
    libraries = loaded;
  }

  /** A compared tensor; a later run replaces it. */
  void add(TensorComparison t) {
    tensors.put(t.name(), TensorRow.of(capture + " " + where(), t));
  }

  /** Something that is worth saying, and does not make the replay fail. */
  void note(String rule, String text) {
    problems.add(new Problem(rule, text));
  }

  void fail(String rule, String text) {
    note(rule, text);
    status = "failed";
  }

  boolean ok() {
    return status.equals("ok");
  }

  /**
   * It proves nothing.
   *
   * @param rule of the problem
   * @param why it was not run, or not compared
   */
  Replayed notRun(String rule, String why) {
    note(rule, why);
    if (!status.equals("failed")) {
      status = "not-run";
      message = why;
    }
    return this;
  }

  List<Problem> problems() {
    return problems;
  }

  List<VerifyInfo.Tensor> tensors() {
    return new ArrayList<>(tensors.values());
  }

  VerifyInfo.Case row() {
    return new VerifyInfo.Case(
        capture,
        graph,
        target,
        ranks,
        status,
        checks,
        libraries.standIns(),
        libraries.rocm(),
        message);
  }
}
