package dev.rocport.device.check.uninit;

import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.wave.Environment;
import dev.rocport.device.wave.Wave;

/** Nothing around a wave. */
final class NoEnvironment implements Environment {
  @Override
  public Target target() {
    return Target.GFX942;
  }

  @Override
  public AddressSpace memory() {
    return new AddressSpace();
  }

  @Override
  public void message(Wave wave, int message) {}

  @Override
  public long realTime() {
    return 0;
  }

  @Override
  public int workgroups() {
    return 1;
  }
}
