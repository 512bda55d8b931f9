package dev.rocport.device.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.CompiledKernels;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Target;
import dev.rocport.device.isa.UndefinedOpcodeException;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Heap;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Environment;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import dev.rocport.toolchain.TestToolchain;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Blocks from all over real kernels leave a wave as the operations one after the other do: its
 * registers, where it stands, what it has counted, memory, and the fault where there is one.
 */
@Tag("toolchain")
final class BlocksTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));

  /** Every so many instructions a block begins. */
  private static final int STEP = 5;

  private static final int VGPRS = 64;
  private static final int LDS = 4096;
  private static final int GLOBAL = 1 << 16;

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

  private static final long[] EXECS = {-1L, -1L, 0x0ff0_1234_5678_9abcL, 1L << 40, 0xffff_0000L, 0};

  /** Where a wave that has run is. */
  private record Outcome(String fault, Wave wave, byte[] lds, byte[] global) {}

  @ParameterizedTest
  @EnumSource(Target.class)
  void blocksDoWhatOperationsDo(Target target, @TempDir Path folder) throws Exception {
    TestToolchain.since("6.4");
    String source = Files.readString(HOME.resolve("hip-runtime/bench/kernels.hip"));
    byte[] bundle = CompiledKernels.compile(folder, source, "-O3");
    CodeObject object = CodeObject.read(FatBinary.select(bundle, target).orElseThrow());
    long text = Heap.take(object.loadedSize());
    Code code = code(object, text);
    long lds = Heap.take(LDS);
    long global = Heap.take(GLOBAL);
    try {
      AddressSpace memory = new AddressSpace();
      memory.add(new Allocation(global, GLOBAL, Allocation.Kind.DEVICE, "test"));
      Group group = new Group(new Alone(target, memory), lds, LDS, 1, 2, 3);
      int blocks = 0;
      for (int pc = 0; pc < code.words(); pc = next(code, pc)) {
        BasicBlock basic = BasicBlock.from(code, pc);
        if (basic.instructions() > 1) {
          blocks++;
          Block block = BlockWriter.write(basic);
          for (int i = 0; i < EXECS.length; i++) {
            check(code, group, global, basic, block, 100L * pc + i, EXECS[i]);
          }
        }
      }
      assertThat(blocks).isGreaterThan(100);
    } finally {
      Heap.give(text);
      Heap.give(lds);
      Heap.give(global);
    }
  }

  private static void check(
      Code code, Group group, long global, BasicBlock basic, Block block, long seed, long exec) {
    Outcome one =
        run(
            wave(code, group, global, basic.start(), seed, exec),
            global,
            w -> {
              block.run(w, 3L * basic.instructions());
            });
    int ran = (int) one.wave.instructions;
    Outcome other =
        run(wave(code, group, global, basic.start(), seed, exec), global, w -> w.run(ran));
    String where = "block at %d, exec %x".formatted(basic.start(), exec);
    assertThat(one.fault).as(where).isEqualTo(other.fault);
    assertThat(one.wave.pc).as(where).isEqualTo(other.wave.pc);
    assertThat(one.wave.state).as(where).isEqualTo(other.wave.state);
    assertThat(one.wave.scc).as(where).isEqualTo(other.wave.scc);
    assertThat(one.wave.mode).as(where).isEqualTo(other.wave.mode);
    assertThat(one.wave.s).as(where).isEqualTo(other.wave.s);
    assertThat(one.wave.v).as(where).isEqualTo(other.wave.v);
    assertThat(one.wave.a).as(where).isEqualTo(other.wave.a);
    assertThat(one.lds).as(where).isEqualTo(other.lds);
    assertThat(one.global).as(where).isEqualTo(other.global);
  }

  private interface Work {
    void run(Wave wave);
  }

  private static Outcome run(Wave wave, long global, Work work) {
    String fault = "";
    try {
      work.run(wave);
    } catch (RuntimeException e) {
      fault = String.valueOf(e);
    }
    return new Outcome(
        fault, wave, Memory.bytes(wave.group.lds(), LDS), Memory.bytes(global, GLOBAL));
  }

  /** A wave with registers, LDS and memory filled from a seed. */
  private static Wave wave(Code code, Group group, long global, int pc, long seed, long exec) {
    Wave wave = new Wave(code, group, 0, VGPRS, VGPRS, 0, 0, new Temporaries());
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[GLOBAL];
    random.nextBytes(bytes);
    Memory.copy(bytes, 0, global, GLOBAL);
    Memory.copy(bytes, 0, group.lds(), LDS);
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
    wave.mode = 0x3f0;
    wave.pc = pc;
    wave.s64(Wave.EXEC, exec);
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
    LoadedCode loaded = LoadedCode.load(object, base, List.of());
    Decoder decoder = Decoder.of(object.target());
    CodeObject.Range text = object.text();
    MemorySegment segment = Memory.ALL.asSlice(loaded.base() + text.address(), text.size());
    return new Code(
        0,
        text.size(),
        address -> {
          try {
            return decoder.decode(segment, address);
          } catch (UndefinedOpcodeException e) {
            throw new WaveTrap(String.valueOf(e.getMessage()));
          }
        },
        LoadedCode::translate);
  }

  /** Some instructions further on. */
  private static int next(Code code, int pc) {
    int at = pc;
    for (int i = 0; i < STEP; i++) {
      try {
        at += code.at(at).words();
      } catch (WaveTrap e) {
        at++;
      }
    }
    return at;
  }

  private record Alone(Target target, AddressSpace memory) implements Environment {
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
}
