package dev.rocport.warp;

import dev.rocport.rules.PortOptions;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;

/** The decisions about the warp code of a project, until its files change. Thread-safe. */
public final class WarpModel {
  public static final WarpModel NONE = new WarpProject(PortOptions.Warp.AUTO).decide(List.of());

  private final WarpPlans plans;

  WarpModel(WarpPlans plans) {
    this.plans = plans;
  }

  /**
   * Decides for a project whose files do not change.
   *
   * @param mode the mode that the user selected
   */
  public static WarpModel of(Collection<WarpScan> scans, PortOptions.Warp mode) {
    return scans.stream().allMatch(s -> s.unit().isEmpty())
        ? NONE
        : new WarpProject(mode).decide(scans);
  }

  /**
   * Decides for a project that differs in some files from an earlier state. What decides about the
   * files that are asked for is looked at, and what the changes concern.
   *
   * @param kept evidence about the earlier state
   * @param files the facts of its files
   * @param changed files that were added, changed or removed, as they are now
   */
  public static WarpModel after(
      WarpEvidence kept,
      KeptScans files,
      SortedMap<String, WarpScan> changed,
      PortOptions.Warp mode) {
    return new WarpModel(new KeptProject(kept, files, changed, mode));
  }

  /** The plan for a file. */
  public WarpPlan plan(String path) {
    return plans.plan(path);
  }

  /** Changes where the decisions do. */
  public String key() {
    StringBuilder b = new StringBuilder();
    for (String path : new TreeSet<>(plans.files())) {
      WarpPlan plan = plan(path);
      if (!plan.sites().isEmpty()) {
        b.append(path).append(plan.key());
      }
    }
    return b.toString();
  }
}
