package dev.rocport.device.check;

import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Wave;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A launch as checks see it. */
public interface LaunchView {
  /** Unlike that of all other launches of the device. */
  long id();

  KernelInfo kernel();

  /** Where that comes from. */
  CodeObject codeObject();

  /** The number of its GPU. */
  int gpuIndex();

  /** Threads of a workgroup. */
  int threads();

  long groups();

  /** Workgroups of the grid in x. */
  int gridX();

  /** Workgroups of the grid in y. */
  int gridY();

  /** Workgroups that the GPU can hold at once. */
  int residentGroups();

  boolean isCooperative();

  /** The address of the 4 bytes by which a grid's barrier made of memory counts, or 0. */
  long gridBarrier();

  /** When it happens in the order of the program, or null if the program has not reported it. */
  @Nullable VectorClock clock();

  /** Copies that may happen while it runs; only where {@link Check#ORDER} is on. */
  List<ConcurrentCopy> concurrent();

  /**
   * Stops it, because its waves wait for what cannot come.
   *
   * @param why a clause: {@code lanes of a wave wait for others of it}
   */
  void stall(String why);

  /** Whether it was stopped because its waves wait for what cannot come. */
  boolean isStalled();

  /**
   * A place in this kernel.
   *
   * @param role what happened there
   * @param pc index in the wave's {@link dev.rocport.device.wave.Code} of the instruction
   * @param group whose workgroup
   * @param wave number in the workgroup
   * @param lanes bit l is lane l
   */
  Site site(String role, int pc, Group group, int wave, long lanes);

  /** The location of the instruction that a wave is running: {@code wave.pc} is after it. */
  default Site site(String role, Wave wave, long lanes) {
    return site(role, wave.pc - 1, wave.group, wave.number, lanes);
  }
}
