package dev.rocport.warp.schedule;

import dev.rocport.rules.Changes;
import dev.rocport.tree.SyntaxTree;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import org.eclipse.cdt.core.dom.ast.IASTNode;

/**
 * What of a file needs lanes of one wave to be scheduled one by one: locks, hand-overs, warp
 * functions and barriers in different branches. Restructures what provably means the same then;
 * reports the rest.
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

  /**
   * Looks at one file.
   *
   * @param changes edits and findings go there
   * @param headers headers of rocport's that the edits need are added
   */
  public static void run(SyntaxTree tree, Changes changes, SortedSet<String> headers) {
    File file = new File(changes.file(), tree.unit());
    if (!file.functions.isEmpty()) {
      Set<IASTNode> locks = new Locks(file, changes, headers).run();
      new Branches(file, changes).run();
      new Waits(file, changes, locks).run();
      new Rounds(file, changes).run();
      new Ladders(file, changes, headers).run();
    }
  }
}
