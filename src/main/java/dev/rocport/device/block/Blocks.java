package dev.rocport.device.block;

import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.HotCode;
import java.util.concurrent.Executor;

/**
 * Compiles blocks of one code object that waves have reached often enough, on a separate thread.
 */
public final class Blocks extends HotCode {
  /** Entries after which a block is worth its making; 1 makes it at once, 0 never. */
  private static final int HOT = Integer.getInteger("rocport.device.block", 1000);

  private static final Executor WORKER = worker("block-compiler");

  public Blocks() {
    super(HOT, WORKER);
  }

  @Override
  protected void compile(Code code, int pc) {
    BasicBlock basic = BasicBlock.from(code, pc);
    if (basic.instructions() > 1 && !code.hasBlock(pc)) {
      code.put(pc, BlockWriter.write(basic));
    }
  }
}
