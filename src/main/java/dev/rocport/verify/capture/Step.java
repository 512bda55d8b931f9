package dev.rocport.verify.capture;

import java.util.List;
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
