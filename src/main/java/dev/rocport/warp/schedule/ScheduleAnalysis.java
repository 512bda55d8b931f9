package dev.rocport.warp.schedule;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.ast.SyntaxTree;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.uniformity.UniformityAnalysis;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.IASTNode;

/**
 * Finds code that requires independent scheduling of the lanes of a wave: locks, hand-overs, and
 * warp functions and barriers in different branches. Restructures code that is provably equivalent,
 * and reports the rest.
 */
public final class ScheduleAnalysis {
  /** A file with one of these may hold something to look for; barriers count in branches. */
  private static final List<String> WORDS =
      List.of(
          "atomicCAS",
          "atomicExch",
          "test_and_set",
          "compare_exchange_strong",
          "compare_exchange_weak",
          "__syncwarp",
          "__shfl_sync",
          "__shfl_up_sync",
          "__shfl_down_sync",
          "__shfl_xor_sync",
          "__ballot_sync",
          "__any_sync",
          "__all_sync",
          "volatile");

  private static final List<String> RULES =
      List.of("W64-LOCK", "W64-HANDOVER", "W64-BRANCH", "W64-BARRIER", "W64-LOOP", "W64-LADDER");

  private ScheduleAnalysis() {}

  /** The rules that the analysis works for. */
  public static List<String> rules() {
    return RULES;
  }

  /** Words of which one makes a file worth parsing. */
  public static List<String> words() {
    return WORDS;
  }

  /** Returns false if a file has no function that is marked as device code: nothing is found. */
  public static boolean mayHoldDeviceCode(SourceFile file) {
    return file.holds("__global__") || file.holds("__device__");
  }

  /**
   * Looks at one file.
   *
   * @param file the file of the tree
   * @param allowed tests whether a rule is in force
   */
  public static Schedule of(SyntaxTree tree, SourceFile file, Predicate<String> allowed) {
    Schedule schedule = new Schedule(allowed);
    UniformityAnalysis known = new UniformityAnalysis(new DeviceCode(file, tree.unit()));
    if (!known.code().functions().isEmpty()) {
      Set<IASTNode> locks = new Locks(known, schedule).run();
      new Branches(known, schedule).run();
      new Waits(known, schedule, locks).run();
      new Rounds(known, schedule).run();
      new TreeReductions(known, schedule).run();
    }
    return schedule;
  }
}
