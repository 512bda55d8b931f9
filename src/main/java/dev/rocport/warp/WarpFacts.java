package dev.rocport.warp;

import dev.rocport.warp.ir.Launch;
import java.util.List;

/**
 * What is known about the warps of one file.
 *
 * @param plan the decisions
 * @param launches the launches in the file
 * @param sizes all launches of the project
 */
public record WarpFacts(WarpPlan plan, List<Launch> launches, LaunchSizes sizes) {}
