package dev.rocport.device.codeobject;

import dev.rocport.device.isa.Target;
import java.nio.ByteBuffer;

/**
 * The 64-byte kernel descriptor, which specifies how to start a kernel. Source: LLVM's AMDGPUUsage,
 * "Kernel Descriptor".
 *
 * @param ldsSize bytes of static LDS
 * @param scratchPerLane bytes
 * @param kernargSize bytes of arguments; the metadata may state more
 * @param entryOffset from the descriptor to the first instruction
 * @param preload length in bits 6:0 and offset in 15:7 of the preloaded arguments, in dwords
 */
public record KernelDescriptor(
    int ldsSize,
    int scratchPerLane,
    int kernargSize,
    long entryOffset,
    int rsrc1,
    int rsrc2,
    int rsrc3,
    int properties,
    int preload) {
  static final int SIZE = 64;

  static KernelDescriptor read(ByteBuffer image, int at) {
    return new KernelDescriptor(
        image.getInt(at),
        image.getInt(at + 4),
        image.getInt(at + 8),
        image.getLong(at + 16),
        image.getInt(at + 48),
        image.getInt(at + 52),
        image.getInt(at + 44),
        image.getShort(at + 56) & 0xffff,
        image.getShort(at + 58) & 0xffff);
  }

  /** Registers of the unified vector file that a wave gets on a GPU. */
  public int vgprs(Target target) {
    boolean twice = target.lanes() == 32 && !isWave32();
    return ((rsrc1 & 0x3f) + 1) * (twice ? 4 : 8);
  }

  /** Index in the unified file of the first accumulation register. */
  public int accumOffset() {
    return ((rsrc3 & 0x3f) + 1) * 4;
  }

  /**
   * The value that the MODE register starts with: rounding, denormals, DX10_CLAMP, IEEE, FP16_OVFL.
   */
  public int mode() {
    return (rsrc1 >>> 12 & 0xff)
        | ((rsrc1 >>> 21 & 1) << 8)
        | ((rsrc1 >>> 23 & 1) << 9)
        | ((rsrc1 >>> 26 & 1) << 23);
  }

  public boolean hasScratch() {
    return (rsrc2 & 1) != 0;
  }

  public int userSgprs() {
    return rsrc2 >>> 1 & 31;
  }

  /** Whether the workgroup's place in dimension {@code d} (0 to 2) is asked for. */
  public boolean wantsGroupId(int d) {
    return (rsrc2 >>> (7 + d) & 1) != 0;
  }

  public boolean wantsGroupInfo() {
    return (rsrc2 >>> 10 & 1) != 0;
  }

  /** Dimensions of the work-item's place in v0: 1 to 3. */
  public int workItemDimensions() {
    return (rsrc2 >>> 11 & 3) + 1;
  }

  public boolean wantsPrivateSegmentBuffer() {
    return (properties & 1) != 0;
  }

  public boolean wantsDispatchPointer() {
    return (properties & 2) != 0;
  }

  public boolean wantsQueuePointer() {
    return (properties & 4) != 0;
  }

  public boolean wantsKernargPointer() {
    return (properties & 8) != 0;
  }

  public boolean wantsDispatchId() {
    return (properties & 16) != 0;
  }

  public boolean wantsFlatScratch() {
    return (properties & 32) != 0;
  }

  public boolean wantsPrivateSegmentSize() {
    return (properties & 64) != 0;
  }

  /** Whether its waves have 32 lanes; else 64. */
  public boolean isWave32() {
    return (properties & 1 << 10) != 0;
  }

  /** RDNA: whether its workgroups run on both compute units of a pair. */
  public boolean usesPairs() {
    return (rsrc1 >>> 29 & 1) != 0;
  }

  public boolean usesDynamicStack() {
    return (properties & 1 << 11) != 0;
  }

  public int preloadLength() {
    return preload & 127;
  }

  public int preloadOffset() {
    return preload >>> 7;
  }
}
