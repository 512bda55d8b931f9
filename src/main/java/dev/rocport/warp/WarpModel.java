package dev.rocport.warp;

import dev.rocport.rules.PortOptions;
import java.util.Collection;
import java.util.List;

/**
 * The decisions about the warp code of a project, until its files change, see {@link WarpProject}.
 * Thread-safe.
 */
public final class WarpModel {
  public static final WarpModel NONE = new WarpProject(PortOptions.Warp.AUTO).decide(List.of());

  private final WarpProject project;

  WarpModel(WarpProject project) {
    this.project = project;
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

  /** The plan for a file. */
  public WarpPlan plan(String path) {
    return project.plan(path);
  }

  /** Changes where the decisions do. */
  public String key() {
    StringBuilder b = new StringBuilder();
    project.files().forEach(path -> b.append(path).append(plan(path).key()));
    return b.toString();
  }
}
