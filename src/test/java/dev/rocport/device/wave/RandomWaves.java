package dev.rocport.device.wave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.dispatch.KnownCode;
import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.isa.UndefinedOpcodeException;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Heap;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.ScratchDescriptor;
import dev.rocport.device.nativecode.NativeEngine;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Waves with registers, LDS and global memory from a seed, to run anywhere in the code of an
 * object: for tests that compare two ways to run it.
 */
public final class RandomWaves implements AutoCloseable {
  private static final int VGPRS = 256;
  private static final int LDS = 4096;
  private static final int GLOBAL = 1 << 16;

  /** Bytes of scratch for each lane. */
  private static final int SCRATCH = 1024;

  private static final int[] ODD = {
    0,
    1,
    -1,
    4,
    63,
    64,
    0x7fc00000,
    0xffc00001,
    0x7f800001,
    0x7f800000,
    0xff800000,
    0x80000000,
    1 << 23,
    0x007fffff,
    0x80000001,
    0x3f800000,
    0x40490fdb,
    0x7f7fffff
  };

  /** Active lanes: all, some, one, half, none. Waves of 32 lanes have both halves together. */
  public static final List<Long> EXECS =
      List.of(-1L, -1L, 0x0ff0_1234_5678_9abcL, 1L << 40, 0xffff_0000L, 0L);

  /** Where a wave that has run is. */
  public record Outcome(String fault, Wave wave, byte[] lds, byte[] global, byte[] scratch) {
    /** Requires the same registers, place, counts and memory, and the same fault. */
    public void requireSame(Outcome other, String where) {
      assertThat(fault).as(where).isEqualTo(other.fault);
      assertThat(wave.pc).as(where).isEqualTo(other.wave.pc);
      assertThat(wave.state).as(where).isEqualTo(other.wave.state);
      assertThat(wave.instructions).as(where).isEqualTo(other.wave.instructions);
      assertThat(wave.scc).as(where).isEqualTo(other.wave.scc);
      assertThat(wave.mode).as(where).isEqualTo(other.wave.mode);
      assertThat(wave.barrierSignals).as(where).isEqualTo(other.wave.barrierSignals);
      assertThat(wave.barrierWaits).as(where).isEqualTo(other.wave.barrierWaits);
      // What is written to null is nowhere.
      assertThat(Arrays.copyOf(wave.s, Operand.NULL))
          .as(where)
          .isEqualTo(Arrays.copyOf(other.wave.s, Operand.NULL));
      assertThat(difference("v", wave.v, other.wave.v)).as(where).isEmpty();
      assertThat(difference("a", wave.a, other.wave.a)).as(where).isEmpty();
      assertThat(difference("LDS", words(lds), words(other.lds))).as(where).isEmpty();
      assertThat(difference("memory", words(global), words(other.global))).as(where).isEmpty();
      assertThat(difference("scratch", words(scratch), words(other.scratch))).as(where).isEmpty();
    }
  }

  private static int[] words(byte[] bytes) {
    int[] words = new int[bytes.length / Integer.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
    return words;
  }

  /** The first word that differs; empty if none does. */
  private static String difference(String file, int[] one, int[] other) {
    for (int i = 0; i < one.length; i++) {
      if (one[i] != other[i]) {
        return "%s row %d word %d: %08x, expected %08x"
            .formatted(file, i / Wave.LANES, i % Wave.LANES, one[i], other[i]);
      }
    }
    return "";
  }

  /** A way to run a wave. */
  @FunctionalInterface
  public interface Work {
    void run(Wave wave);
  }

  private final long text;
  private final long scratch = Heap.take((long) SCRATCH * Wave.LANES);
  private final long lds = Heap.take(LDS);
  private final long global = Heap.take(GLOBAL);
  private final Code code;
  private final Group group;

  public RandomWaves(CodeObject object, Target target) {
    this.text = Heap.take(object.loadedSize());
    this.code = code(object, text);
    this.group = group(target, object.lanes());
  }

  /** Waves of the usual width that run these words. */
  public RandomWaves(int[] words, Target target) {
    this(words, target, target.lanes());
  }

  /** Waves of so many lanes that run these words. */
  public RandomWaves(int[] words, Target target, int lanes) {
    this.text = Heap.take(4L * words.length);
    for (int i = 0; i < words.length; i++) {
      Memory.storeInt(text + 4L * i, words[i]);
    }
    this.code = code(Memory.ALL.asSlice(text, 4L * words.length), Decoder.of(target, lanes), lanes);
    this.group = group(target, lanes);
  }

  private Group group(Target target, int lanes) {
    AddressSpace memory = new AddressSpace();
    memory.add(new Allocation(global, GLOBAL, Allocation.Kind.DEVICE, "test"));
    return new Group(new NoEnvironment(target, lanes, memory), lds, LDS, 1, 2, 3);
  }

  /** The code, without blocks. */
  public Code code() {
    return code;
  }

  /** Runs a wave from an index of its code. */
  public Outcome run(int pc, long seed, long exec, Work work) {
    Wave wave = wave(pc, seed, exec);
    String fault = "";
    try {
      work.run(wave);
    } catch (RuntimeException e) {
      fault = String.valueOf(e);
    }
    return new Outcome(
        fault,
        wave,
        Memory.bytes(lds, LDS),
        Memory.bytes(global, GLOBAL),
        Memory.bytes(scratch, SCRATCH * Wave.LANES));
  }

  @Override
  public void close() {
    Heap.give(text);
    Heap.give(lds);
    Heap.give(global);
    Heap.give(scratch);
  }

  /** A wave with registers, LDS and memory filled from a seed. */
  private Wave wave(int pc, long seed, long exec) {
    Wave wave = new Wave(code, group, 0, VGPRS, VGPRS, scratch, SCRATCH, new Temporaries());
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[GLOBAL];
    random.nextBytes(bytes);
    Memory.copy(bytes, 0, global, GLOBAL);
    Memory.copy(bytes, 0, group.lds(), LDS);
    Memory.copy(bytes, 0, scratch, SCRATCH * Wave.LANES);
    Arrays.setAll(wave.s, _ -> word(random));
    Arrays.setAll(wave.a, _ -> word(random));
    for (int r = 0; r < VGPRS; r++) {
      row(wave, r, random, global);
    }
    for (int r = 0; r < 100; r += 2) {
      if (random.nextInt(3) > 0) {
        wave.s64(r, global + 4 * random.nextInt(1024));
      }
    }
    if (random.nextBoolean()) {
      // As kernels begin, with a stack pointer in s32.
      System.arraycopy(new ScratchDescriptor(scratch).words(), 0, wave.s, 0, 4);
      wave.s[32] = 64 * random.nextInt(8);
    }
    wave.mode = 0x3f0;
    wave.pc = pc;
    wave.s64(Wave.EXEC, wave.lanes == Wave.LANES ? exec : (exec | exec >>> 32) & 0xffffffffL);
    return wave;
  }

  /** A register that may be data, an offset in the LDS or, with the next, an address. */
  private static void row(Wave wave, int r, SplittableRandom random, long global) {
    int kind = random.nextInt(5);
    int start = 4 * random.nextInt(256);
    int step = 4 << random.nextInt(3);
    boolean address = (r & 1) != 0 && random.nextBoolean();
    for (int l = 0; l < Wave.LANES; l++) {
      int offset =
          switch (kind) {
            case 0 -> start;
            case 1 -> start + step * l;
            case 2 -> start + l / 16 * 64;
            case 3 -> random.nextInt(1000);
            default -> word(random);
          };
      wave.v[r * Wave.LANES + l] = offset;
      if (address) {
        int low = (r - 1) * Wave.LANES + l;
        long place = global + (wave.v[low] & 0xfff8);
        wave.v[low] = (int) place;
        wave.v[low + Wave.LANES] = (int) (place >>> 32);
      }
    }
  }

  private static int word(SplittableRandom random) {
    return random.nextInt(3) == 0 ? ODD[random.nextInt(ODD.length)] : random.nextInt();
  }

  /** The code of an object at {@code base}, without its own blocks. */
  private static Code code(CodeObject object, long base) {
    LoadedCode loaded = LoadedCode.load(object, base, List.of(), new KnownCode(NativeEngine.NONE));
    Decoder decoder = Decoder.of(object.target(), object.lanes());
    CodeObject.Range text = object.text();
    return code(
        Memory.ALL.asSlice(loaded.base() + text.address(), text.size()), decoder, object.lanes());
  }

  private static Code code(MemorySegment text, Decoder decoder, int lanes) {
    return new Code(
        0,
        text.byteSize(),
        lanes,
        offset -> {
          try {
            return decoder.decode(text, offset);
          } catch (UndefinedOpcodeException e) {
            throw new WaveTrap(String.valueOf(e.getMessage()));
          }
        },
        instruction -> LoadedCode.translate(instruction, lanes),
        BlockCompiler.NONE);
  }
}
