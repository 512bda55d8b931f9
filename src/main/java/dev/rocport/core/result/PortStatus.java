package dev.rocport.core.result;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of a port.
 *
 * @param root the ported tree
 * @param input the original, as the port names it
 * @param figures numbers by name: files by status, edits, open findings by severity, decisions
 * @param kernels in order of their path and name
 * @param steps what was done with the ported tree, the last time for each subject
 * @param changes what differs from the last time that somebody asked
 * @param next what is worth doing next, the most important first
 */
public record PortStatus(
    String root,
    String input,
    SortedMap<String, Long> figures,
    List<Kernel> kernels,
    List<Step> steps,
    List<String> changes,
    List<String> next) {
  /**
   * A kernel of the ported tree.
   *
   * @param path of its source in the ported tree
   * @param ported whether its source was ported without errors
   * @param built whether a program or library contains it
   * @param run whether such a program ran and exited with 0
   * @param compared whether the last verification succeeded
   * @param checked whether a check of such a program found no defect
   */
  public record Kernel(
      String name,
      String path,
      boolean ported,
      boolean built,
      boolean run,
      boolean compared,
      boolean checked) {}

  /**
   * The last time that a command did something with a part of the tree.
   *
   * @param command {@code build}, {@code run} or {@code check}
   * @param subject a path in the ported tree
   * @param ok whether it succeeded
   * @param outcome what came out
   * @param kernels names of the kernels in the subject as the compiler writes them; only of builds
   * @param on the day, as {@code yyyy-mm-dd}
   */
  public record Step(
      String command, String subject, boolean ok, String outcome, List<String> kernels, String on) {
    public Step {
      kernels = List.copyOf(kernels);
    }
  }

  public PortStatus {
    figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
    kernels = List.copyOf(kernels);
    steps = List.copyOf(steps);
    changes = List.copyOf(changes);
    next = List.copyOf(next);
  }
}
