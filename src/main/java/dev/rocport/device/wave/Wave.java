package dev.rocport.device.wave;

import dev.rocport.device.isa.Operand;
import org.jspecify.annotations.Nullable;

/**
 * The registers of a wave. Fields are public because every operation works on them; only the thread
 * that runs the wave's workgroup may touch them.
 */
public final class Wave {
  /**
   * Lanes that registers have room for. A wave of 32 lanes uses the first 32: those above are never
   * in EXEC, and its masks are single scalar registers.
   */
  public static final int LANES = 64;

  /** Scalar registers that one instruction loads: where those go that it loads to null. */
  private static final int LONGEST_TUPLE = 16;

  /** The codes of scalar registers in {@link #s}. */
  public static final int FLAT_SCRATCH = 102;

  public static final int VCC = 106;
  public static final int M0 = 124;
  public static final int EXEC = 126;

  /** The high word of every address in LDS, seen as a flat address. */
  public static final int SHARED_APERTURE = 0x0001_0000;

  /** The high word of every address in scratch, seen as a flat address. */
  public static final int PRIVATE_APERTURE = 0x0002_0000;

  /** MODE as compilers set it: to nearest, all denormals kept. */
  public static final int USUAL_MODE = 0xf0;

  /** The bits of MODE on which results depend. */
  public static final int MODE_OF_ARITHMETIC = 1 << 23 | 0xff;

  /** Architected VGPRs: lane l of register r is {@code v[r * 64 + l]}. */
  public final int[] v;

  /** Accumulation VGPRs, in the same layout. */
  public final int[] a;

  /**
   * Scalar registers by their code, which holds VCC, M0 and EXEC too. EXEC lives here and nowhere
   * else: an operation that writes {@code s[126]} has changed it.
   */
  public final int[] s;

  /** The scalar condition code: 0 or 1. */
  public int scc;

  /** Whether a block may begin at the next instruction: not so in the middle of one. */
  private boolean atEntry = true;

  /** The next instruction: an index of 32-bit words in {@link #code}. */
  public int pc;

  /**
   * The MODE register: rounding in bits 3:0, denormals in 7:4, DX10_CLAMP 8, IEEE 9, FP16_OVFL 23.
   */
  public int mode;

  /**
   * Whether vector registers are moved by M0: bits 7:0 by how many, bits 12 to 15 for source 0, 1,
   * 2 and the destination. {@code s_set_gpr_idx_on} sets it.
   */
  public boolean indexed;

  public WaveState state = WaveState.READY;

  /** Where this wave's scratch begins in this process, and its bytes for each lane. */
  public final long scratch;

  public final int scratchPerLane;

  public final Group group;

  /** This wave's number in its workgroup. */
  public final int number;

  /** Instructions run so far, with the one that runs. */
  public long instructions;

  /** The counter of its accesses; null if they are not counted. */
  public @Nullable Traffic traffic;

  /** The observer of its accesses; null in a plain run. */
  public @Nullable AccessObserver observer;

  /** What {@link dev.rocport.device.check.Check#UNINIT} keeps of it. */
  public @Nullable Notes uninit;

  /** What {@link dev.rocport.device.check.Check#RACE} keeps of it. */
  public @Nullable Notes race;

  /** What {@link dev.rocport.device.check.Check#SYNC} keeps of it. */
  public @Nullable Notes sync;

  /** What {@link dev.rocport.device.check.Check#ORDER} keeps of it. */
  public @Nullable Notes order;

  /**
   * Runs instead of {@link #run}; null in a plain run. An operation that sets it also makes the
   * wave {@link WaveState#YIELDED}, unless it stops the wave for another reason: the wave continues
   * at once.
   */
  public @Nullable Stepper stepper;

  /** RDNA 4: how often it has signaled the barrier of its workgroup, and has come to wait at it. */
  public int barrierSignals;

  public int barrierWaits;

  /** Its lanes: 64, or 32 of them. */
  public final int lanes;

  public final Code code;

  /** The rows of the worker that runs this wave now. */
  public Temporaries temporaries;

  /**
   * Registers hold anything at first.
   *
   * @param vgprs architected registers
   * @param agprs accumulation registers
   */
  public Wave(
      Code code,
      Group group,
      int number,
      int vgprs,
      int agprs,
      long scratch,
      int scratchPerLane,
      Temporaries temporaries) {
    this.code = code;
    this.group = group;
    this.number = number;
    this.lanes = group == null ? LANES : group.environment().lanes();
    this.s = temporaries.registers(Operand.NULL + LONGEST_TUPLE);
    this.v = temporaries.registers(vgprs * LANES);
    this.a = temporaries.registers(agprs * LANES);
    this.scratch = scratch;
    this.scratchPerLane = scratchPerLane;
    this.temporaries = temporaries;
  }

  /** Adds an observer of accesses, after the existing ones. */
  public void observe(AccessObserver more) {
    observer = observer == null ? more : observer.and(more);
  }

  /** A pair of scalar registers. */
  public long s64(int code) {
    return (s[code] & 0xffffffffL) | (long) s[code + 1] << 32;
  }

  /** Sets a pair of scalar registers. */
  public void s64(int code, long value) {
    s[code] = (int) value;
    s[code + 1] = (int) (value >>> 32);
  }

  /**
   * What hardware supplies under a source's code: 235 to 238 the apertures, which are in the high
   * word so that reading 32 bits gives 0, 251 vccz, 252 execz, 253 SCC.
   */
  public long special(int code) {
    return switch (code) {
      case 235 -> (long) SHARED_APERTURE << 32;
      case 236 -> (long) SHARED_APERTURE << 32 | 0xffffffffL;
      case 237 -> (long) PRIVATE_APERTURE << 32;
      case 238 -> (long) PRIVATE_APERTURE << 32 | 0xffffffffL;
      case 251 -> vcc() == 0 ? 1 : 0;
      case 252 -> exec() == 0 ? 1 : 0;
      case 253 -> scc;
      default -> throw new IllegalStateException("no such special operand " + code);
    };
  }

  /** The active lanes: bit l is lane l. The high word of a wave of 32 lanes stays 0. */
  public long exec() {
    return s64(EXEC);
  }

  public long vcc() {
    return mask(VCC);
  }

  /** A bit for each lane: a pair of scalar registers, or one of a wave of 32 lanes. */
  public long mask(int code) {
    return lanes == LANES ? s64(code) : s[code] & 0xffffffffL;
  }

  /**
   * Runs until the wave stops, or has run {@code budget} instructions.
   *
   * @throws dev.rocport.device.memory.MemoryFault with {@link #pc} after the instruction that did
   *     it
   * @throws WaveTrap likewise
   */
  public void run(int budget) {
    Code text = code;
    long end = instructions + budget;
    while (instructions < end && state == WaveState.READY) {
      if (atEntry) {
        Block block = mayRunBlocks() ? text.enter(pc) : null;
        if (block != null && block.length() <= end - instructions && block.serves(this)) {
          long before = instructions;
          int entry = pc;
          block.run(this, end);
          text.ran(entry, block, instructions - before);
          // A native block may stop before its first instruction, which is run here then.
          if (instructions != before) {
            continue;
          }
        }
        atEntry = false;
      }
      Op op = indexed ? text.indexedAt(pc, s[M0]) : text.at(pc);
      int next = pc + op.words;
      pc = next;
      instructions++;
      op.execute(this);
      atEntry = pc != next || op instanceof Branch || state != WaveState.READY || text.hasBlock(pc);
    }
  }

  /** The block that may run this wave from its next instruction, or null. */
  public @Nullable Block entry() {
    Block block =
        atEntry && stepper == null && state == WaveState.READY && mayRunBlocks()
            ? code.block(pc)
            : null;
    return block != null && block.serves(this) ? block : null;
  }

  private boolean mayRunBlocks() {
    return !indexed && (mode & MODE_OF_ARITHMETIC) == USUAL_MODE;
  }
}
