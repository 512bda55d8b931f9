package dev.rocport.device.wave;

import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;

/** Nothing around a wave but memory. */
public record NoEnvironment(Target target, int lanes, AddressSpace memory) implements Environment {
  /** With no memory. */
  public NoEnvironment(Target target) {
    this(target, target.lanes(), new AddressSpace());
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
