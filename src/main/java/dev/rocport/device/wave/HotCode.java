package dev.rocport.device.wave;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the code of one code object where waves have entered it often enough, on a thread that
 * all code objects share.
 */
public abstract class HotCode implements BlockCompiler {
  private final int hot;
  private final Executor worker;

  /** Entries of each instruction. Threads may lose counts to each other. */
  private int @Nullable [] entries;

  /**
   * Creates the compiler of a code object.
   *
   * @param hot entries after which code is compiled; 1 compiles it at once, 0 never
   * @param worker compiles later entries
   */
  protected HotCode(int hot, Executor worker) {
    this.hot = hot;
    this.worker = worker;
  }

  /** A worker with a thread that does not keep the process alive. */
  protected static Executor worker(String name) {
    return Executors.newSingleThreadExecutor(
        work -> Thread.ofPlatform().daemon().name(name).unstarted(work));
  }

  /** Compiles what begins at an index. */
  protected abstract void compile(Code code, int pc);

  @Override
  public final void entered(Code code, int pc) {
    count(code, pc);
  }

  /** Does what {@link #entered} does, and returns how many entries there have been. */
  public final int count(Code code, int pc) {
    int[] counts = entries;
    if (counts == null) {
      counts = new int[code.words()];
      entries = counts;
    }
    int count = ++counts[pc];
    if (count == hot) {
      if (hot == 1) {
        compile(code, pc);
      } else {
        worker.execute(() -> compile(code, pc));
      }
    }
    return count;
  }
}
