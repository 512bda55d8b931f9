package dev.rocport.device.block;

import dev.rocport.device.wave.BlockCompiler;
import dev.rocport.device.wave.Code;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Compiles blocks of one code object that waves have reached often enough, on a separate thread.
 */
public final class Blocks implements BlockCompiler {
  /** Entries after which a block is worth its making; 1 makes it at once, 0 never. */
  private static final int HOT = Integer.getInteger("rocport.device.block", 1000);

  private static final BlockingQueue<Runnable> REQUESTS = new LinkedBlockingQueue<>();

  static {
    Thread.ofPlatform().daemon().name("block-compiler").start(Blocks::work);
  }

  /** Entries of each instruction. Threads may lose counts to each other. */
  private int @Nullable [] entries;

  private static void work() {
    try {
      while (true) {
        REQUESTS.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void entered(Code code, int pc) {
    int[] counts = entries;
    if (counts == null) {
      counts = new int[code.words()];
      entries = counts;
    }
    if (++counts[pc] == HOT) {
      if (HOT == 1) {
        compile(code, pc);
      } else {
        REQUESTS.add(() -> compile(code, pc));
      }
    }
  }

  private static void compile(Code code, int pc) {
    BasicBlock basic = BasicBlock.from(code, pc);
    if (basic.instructions() > 1) {
      code.put(pc, BlockWriter.write(basic));
    }
  }
}
