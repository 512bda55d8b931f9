package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.HotCode;
import java.util.Optional;

/** Makes native functions of what waves have entered often enough. */
final class NativeBlocks extends HotCode {
  private final RegionCompiler regions;

  /**
   * @param hot entries after which a region is compiled; 1: at once
   * @param compares whether the interpreter repeats what native code does
   */
  NativeBlocks(HostCompiler compiler, int hot, boolean compares) {
    super(hot, RegionCompiler.WORKER);
    this.regions = new RegionCompiler(compiler, Optional.empty(), hot == 1, compares);
  }

  @Override
  protected void compile(Code code, int pc) {
    regions.compile(code, pc);
  }
}
