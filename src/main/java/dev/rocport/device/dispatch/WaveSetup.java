package dev.rocport.device.dispatch;

import dev.rocport.device.codeobject.KernelDescriptor;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.ScratchDescriptor;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Wave;

/**
 * The registers that a wave starts with. Source: LLVM's AMDGPUUsage, "Initial Kernel Execution
 * State".
 *
 * <p>What the hardware leaves undefined is filled with {@link Poison}.
 */
final class WaveSetup {
  private static final int IEEE_AND_CLAMP = 0x300;

  /** Trap registers 7 and 9 of RDNA 4: places y and z of the workgroup, and its place x. */
  private static final int PLACE_Y_Z = 108 + 7;

  private static final int PLACE_X = 108 + 9;

  private final Launch launch;
  private final Poison poison;
  private final KernelDescriptor descriptor;

  WaveSetup(Launch launch, Poison poison) {
    this.poison = poison;
    this.launch = launch;
    this.descriptor = launch.kernel().descriptor();
  }

  /**
   * A wave of a workgroup.
   *
   * @param number its number in the workgroup
   * @param scratch its scratch, 64 times {@code perLane} bytes, or 0
   */
  Wave wave(Group group, int number, long scratch, int perLane, Temporaries temporaries) {
    int archVgprs =
        launch.gpu().target().generation() == Generation.CDNA
            ? Math.min(descriptor.accumOffset(), descriptor.vgprs(launch.target()))
            : descriptor.vgprs(launch.target());
    Wave wave =
        new Wave(
            launch.code().code(),
            group,
            number,
            archVgprs,
            descriptor.vgprs(launch.target()) - archVgprs,
            scratch,
            perLane,
            temporaries);
    poison.fill(wave.v);
    poison.fill(wave.a);
    poison.fill(wave.s);
    wave.mode = mode();
    vectors(wave);
    scalars(wave);
    return wave;
  }

  /** RDNA 4 has no bits for IEEE and DX10_CLAMP: it works as if they were set. */
  private int mode() {
    return inTrapRegisters() ? descriptor.mode() | IEEE_AND_CLAMP : descriptor.mode();
  }

  private boolean inTrapRegisters() {
    return launch.gpu().target().has(Feature.RDNA4_ENCODINGS);
  }

  private void vectors(Wave wave) {
    LaunchRequest.Dim3 block = launch.request().block();
    int threads = (int) block.count();
    int first = wave.number * wave.lanes;
    int lanes = Math.min(wave.lanes, threads - first);
    wave.s64(Wave.EXEC, lanes == Wave.LANES ? -1 : (1L << lanes) - 1);
    wave.s64(Wave.VCC, 0);
    int dimensions = descriptor.workItemDimensions();
    LaunchRequest.Dim3 id = block.place(first);
    int x = id.x();
    int y = id.y();
    int z = id.z();
    if (x + lanes <= block.x()) {
      int others = (dimensions > 1 ? y << 10 : 0) | (dimensions > 2 ? z << 20 : 0);
      for (int lane = 0; lane < lanes; lane++) {
        wave.v[lane] = x + lane | others;
      }
      return;
    }
    for (int lane = 0; lane < lanes; lane++) {
      wave.v[lane] = x | (dimensions > 1 ? y << 10 : 0) | (dimensions > 2 ? z << 20 : 0);
      if (++x == block.x()) {
        x = 0;
        if (++y == block.y()) {
          y = 0;
          z++;
        }
      }
    }
  }

  private void scalars(Wave wave) {
    KernelArguments arguments = launch.arguments();
    ScratchDescriptor scratch = new ScratchDescriptor(wave.scratch);
    int at = 0;
    if (descriptor.wantsPrivateSegmentBuffer()) {
      System.arraycopy(scratch.words(), 0, wave.s, at, 4);
      at += 4;
    }
    if (descriptor.wantsDispatchPointer()) {
      wave.s64(at, arguments.packet());
      at += 2;
    }
    if (descriptor.wantsQueuePointer()) {
      wave.s64(at, arguments.queue());
      at += 2;
    }
    if (descriptor.wantsKernargPointer()) {
      wave.s64(at, arguments.address());
      at += 2;
    }
    if (descriptor.wantsDispatchId()) {
      wave.s64(at, launch.id());
      at += 2;
    }
    if (descriptor.wantsFlatScratch()) {
      wave.s64(at, scratch.flatScratch());
      at += 2;
    }
    if (descriptor.wantsPrivateSegmentSize()) {
      wave.s[at++] = wave.scratchPerLane;
    }
    int preloaded = descriptor.preloadLength();
    for (int i = 0; i < preloaded; i++) {
      wave.s[at++] = Memory.loadInt(arguments.address() + 4L * (descriptor.preloadOffset() + i));
    }
    at = descriptor.userSgprs();
    if (inTrapRegisters()) {
      wave.s[PLACE_X] = wave.group.x();
      wave.s[PLACE_Y_Z] = (wave.group.y() & 0xffff) | wave.group.z() << 16;
    } else {
      places(wave, at);
    }
    // Code that can be loaded by old systems too begins with 256 bytes that do what preloading did
    // here.
    long entry = launch.code().base() + launch.kernel().entry();
    wave.pc = launch.code().code().index(preloaded > 0 ? entry + 256 : entry);
  }

  private void places(Wave wave, int first) {
    int at = first;
    if (descriptor.wantsGroupId(0)) {
      wave.s[at++] = wave.group.x();
    }
    if (descriptor.wantsGroupId(1)) {
      wave.s[at++] = wave.group.y();
    }
    if (descriptor.wantsGroupId(2)) {
      wave.s[at++] = wave.group.z();
    }
    if (descriptor.wantsGroupInfo()) {
      wave.s[at++] = 0;
    }
    boolean descriptorInRegisters = !launch.gpu().target().has(Feature.ARCHITECTED_FLAT_SCRATCH);
    if (descriptorInRegisters && descriptor.hasScratch()) {
      // The descriptor belongs to the wave, so its offset is 0.
      wave.s[at] = 0;
    }
  }
}
