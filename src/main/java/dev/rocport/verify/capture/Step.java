package dev.rocport.verify.capture;

import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** A call of a graph. */
public sealed interface Step {
  /**
   * A kernel launch.
   *
   * @param name that Inductor gave the kernel
   * @param candidates configurations among which autotuning would choose; the first is that of the
   *     recording, and whose results later calls read
   */
  record Launch(String name, List<Candidate> candidates) implements Step {
    public Launch {
      candidates = List.copyOf(candidates);
    }
  }

  /**
   * A call of an operator of PyTorch, such as {@code aten::mm.out}.
   *
   * @param arguments by position: tensors are objects with a {@code buffer}
   * @param options by name
   * @param results where its results are
   */
  record Call(String operator, JsonNode arguments, JsonNode options, List<View> results)
      implements Step {
    public Call {
      results = List.copyOf(results);
    }
  }

  /**
   * A value that the host reads, and by which it chooses the calls that follow.
   *
   * @param place of one element
   * @param bits that the recording read
   */
  record Read(View place, long bits) implements Step {}

  /**
   * A collective.
   *
   * @param operator of PyTorch
   * @param reduction {@code sum}, {@code avg}, {@code product}, {@code min} or {@code max}; empty
   *     if nothing is reduced
   * @param root number in the group of the rank whose operand is broadcast
   * @param group of ranks; all if it has none
   * @param operand of this rank
   * @param result of this rank
   */
  record Collective(
      Kind kind,
      String operator,
      String reduction,
      int root,
      Group group,
      View operand,
      View result)
      implements Step {
    /**
     * Ranks at equal distances.
     *
     * @param size 0 for the group of all ranks
     */
    public record Group(int start, int stride, int size) {
      static final Group ALL = new Group(0, 1, 0);

      boolean isAll() {
        return size == 0;
      }
    }

    /** What a collective does; the names of the constants are those of plans. */
    public enum Kind {
      ALL_REDUCE,
      ALL_GATHER,
      REDUCE_SCATTER,
      ALL_TO_ALL,
      BROADCAST;

      /** Its name in plans and scripts: {@code all_reduce}. */
      public String text() {
        return name().toLowerCase(Locale.ROOT);
      }
    }
  }

  /**
   * A kernel in one configuration.
   *
   * @param code path of its code object in the capture
   * @param source path of its source
   * @param kernel name of the kernel in the code object
   * @param shared bytes of dynamic LDS
   * @param threads of a block
   * @param grid blocks in each of three dimensions
   */
  record Candidate(
      String code,
      String source,
      String kernel,
      long shared,
      int threads,
      List<Long> grid,
      List<Argument> arguments) {
    public Candidate {
      grid = List.copyOf(grid);
      arguments = List.copyOf(arguments);
    }
  }
}
