package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A vector memory instruction. The operation itself tells where its accesses go; here is known what
 * registers they move.
 */
final class MemoryWatch extends AroundOp {
  private static final int NONE = -1;
  private static final int UPPER_HALF = 0xffff0000;

  private final int[] addresses;
  private final long addressesLow;
  private final long addressesHigh;

  /** Registers that are loaded or returned, or NONE. */
  private final int target;

  private final int targetWords;

  /** Registers that are stored, the second for instructions with two places. */
  private final int data;

  private final int dataWords;
  private final int second;
  private final boolean two;
  private final boolean signed;
  private final boolean high;

  /** Bits of the target that a load of the other half of a register leaves alone. */
  private final int kept;

  private final boolean toLocal;

  /** Whether it converts formats: what it stores is not examined, and what it loads is defined. */
  private final boolean converts;

  private final boolean swaps;
  private final boolean compares;
  private final int[] origins = new int[3];

  MemoryWatch(Op plain, Origins all) {
    super(plain);
    Instruction i = plain.instruction();
    String name = i.name();
    Registers address = new Registers();
    int to = NONE;
    int toWords = 0;
    int from = NONE;
    int fromWords = 0;
    int other = NONE;
    for (int k = 0; k < i.operands().size(); k++) {
      Opcode.Slot slot = i.opcode().slots().get(k);
      Operand operand = i.operands().get(k);
      boolean vector = Registers.isVector(operand);
      switch (slot.name()) {
        case "vdst" -> {
          to = vector ? Registers.number(operand) : NONE;
          toWords = slot.type().dwords();
        }
        case "vdata" -> {
          if (!vector) {
            continue;
          }
          if (slot.destination()) {
            to = Registers.number(operand);
            toWords = words(slot, operand);
          } else {
            from = Registers.number(operand);
            fromWords = slot.type().dwords();
          }
        }
        case "data0" -> {
          from = vector ? Registers.number(operand) : NONE;
          fromWords = slot.type().dwords();
        }
        case "data1" -> other = vector ? Registers.number(operand) : NONE;
        default -> {
          if (operand instanceof Operand.Vector(int register, int dwords)) {
            address.vector(register, dwords);
          } else if (operand instanceof Operand.Scalar(int code, int dwords)) {
            address.scalar(code, dwords);
          }
        }
      }
    }
    boolean atomic = name.contains("atomic") || isLocalAtomic(name);
    boolean returns =
        !atomic
            || name.contains("_rtn_")
            || name.equals("ds_append")
            || name.equals("ds_consume")
            || (i.modifiers() instanceof Modifiers.Memory m && m.sc0());
    if (atomic && returns && to == NONE && name.startsWith("buffer_")) {
      to = from;
      toWords = name.contains("cmpswap") ? fromWords / 2 : fromWords;
    }
    this.target = returns ? to : NONE;
    this.targetWords = toWords;
    this.data = from;
    this.dataWords = fromWords;
    this.second = other;
    this.two =
        name.startsWith("ds_read2")
            || name.startsWith("ds_write2")
            || name.startsWith("ds_wrxchg2");
    this.signed =
        name.contains("sbyte")
            || name.contains("sshort")
            || name.contains("_i8")
            || name.contains("_i16");
    this.high = name.endsWith("_hi");
    boolean half =
        name.contains("d16")
            && !name.contains("format_xy")
            && i.opcode().generation() != Generation.CDNA;
    this.kept = half ? high ? 0xffff : UPPER_HALF : 0;
    this.toLocal =
        name.contains("_load_lds_") || (i.modifiers() instanceof Modifiers.Memory m && m.lds());
    this.converts = name.contains("format_") || name.startsWith("image_");
    this.swaps = name.contains("_swap") || name.contains("wrxchg");
    this.compares = name.contains("cmpswap") || name.contains("cmpst");
    this.addresses = address.vectors();
    this.addressesLow = address.low();
    this.addressesHigh = address.high();
    this.origins[0] = all.add(Origins.Kind.GLOBAL);
    this.origins[1] = all.add(Origins.Kind.LDS);
    this.origins[2] = all.add(Origins.Kind.SCRATCH);
  }

  /** Registers of data: image instructions may have fewer than their opcode. */
  private static int words(Opcode.Slot slot, Operand operand) {
    return operand instanceof Operand.Vector(int _, int dwords)
        ? Math.min(dwords, slot.type().dwords())
        : slot.type().dwords();
  }

  private static boolean isLocalAtomic(String name) {
    return name.startsWith("ds_") && !name.contains("read") && !name.contains("write");
  }

  @Override
  public void execute(Wave wave) {
    long exec = wave.exec();
    if (exec == 0) {
      plain.execute(wave);
      return;
    }
    Shade shade = Shade.of(wave);
    begin(wave, shade, exec);
    plain.execute(wave);
    end(wave, shade, exec);
  }

  @Override
  public @Nullable List<Action> actions() {
    Action without = plainly();
    return without == null ? null : List.of(new Fast(this, without));
  }

  /** What {@link #execute} does. */
  private record Fast(MemoryWatch watch, Action without) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      if (exec == 0) {
        without.run(wave, exec);
        return;
      }
      Shade shade = Shade.of(wave);
      watch.begin(wave, shade, exec);
      without.run(wave, exec);
      watch.end(wave, shade, exec);
    }
  }

  private void begin(Wave wave, Shade shade, long exec) {
    long suspects = 0;
    for (int r : addresses) {
      suspects |= shade.any[r];
    }
    suspects &= exec;
    if (suspects != 0 || shade.anyOf(addressesLow, addressesHigh)) {
      badAddress(wave, shade, suspects);
    }
    if (target >= 0 && data < 0) {
      // bits that are not reported are defined
      for (int w = 0; w < targetWords; w++) {
        if (kept == 0) {
          shade.any[target + w] &= ~exec;
        } else {
          keep(shade, exec & shade.any[target + w]);
        }
      }
    }
    shade.current = this;
    shade.part = 0;
  }

  /** Of a register of which a half is loaded, the other half stays. */
  private void keep(Shade shade, long lanes) {
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      shade.set(target, lane, shade.bits(target, lane) & kept, shade.origin(target, lane));
    }
  }

  private void end(Wave wave, Shade shade, long exec) {
    shade.current = null;
    if (shade.doubtful != 0) {
      Lanes.lookAgain(
          shade, wave, shade.doubtful, shade.doubtfulBytes, shade.doubtfulAt, target, kept);
      shade.doubtful = 0;
    }
    if (target >= 0 && data >= 0) {
      for (int w = 0; w < targetWords; w++) {
        shade.any[target + w] &= ~exec;
      }
    }
  }

  private void badAddress(Wave wave, Shade shade, long suspects) {
    int origin = Origins.REGISTER;
    long lanes = suspects;
    if (suspects != 0) {
      int lane = Long.numberOfTrailingZeros(suspects);
      for (int r : addresses) {
        if (shade.bits(r, lane) != 0) {
          origin = shade.origin(r, lane);
        }
      }
    } else {
      lanes = wave.exec();
      for (int code = 0; code < 128; code++) {
        long mask = code < 64 ? addressesLow : addressesHigh;
        if ((mask >>> code & 1) != 0 && shade.s[code] != 0) {
          origin = shade.originOfScalar(code);
        }
      }
    }
    shade.report.address(wave, lanes, origin);
    for (int r : addresses) {
      shade.any[r] &= ~suspects;
    }
    shade.define(addressesLow, addressesHigh);
  }

  private int origin(Shade shade, Wave wave, Kind kind, long address) {
    int number = origins[kind == Kind.GLOBAL ? 0 : kind == Kind.LDS ? 1 : 2];
    Origins.Origin origin = shade.report.origins().of(number);
    origin.pc = wave.pc - 1;
    origin.address = address;
    return number;
  }

  /** An access, reported before it happens. */
  void access(Wave wave, Shade shade, MemoryAccess memory) {
    Kind kind = memory.kind();
    Access access = memory.access();
    long lanes = memory.lanes();
    int bytes = memory.bytes();
    long[] at = memory.addresses();
    int stride = memory.stride();
    int part = shade.part++;
    if (toLocal || converts) {
      if (access == Access.STORE) {
        // what was loaded is taken for defined
        Lanes.store(shade, wave, kind, lanes, bytes, at, stride, NONE, false);
      }
      return;
    }
    switch (access) {
      case LOAD -> {
        int to = two ? target + part * targetWords / 2 : target;
        if (to >= 0 && !isDefined(shade, wave, kind, lanes, bytes, at, stride)) {
          load(wave, shade, kind, lanes, bytes, at, stride, to);
          if (kind == Kind.GLOBAL && stride != 0) {
            shade.doubt(lanes, bytes, at);
          }
        }
      }
      case STORE ->
          store(wave, shade, kind, lanes, bytes, at, stride, two && part > 0 ? second : data);
      case ATOMIC -> atomic(wave, shade, kind, lanes, bytes, at, stride);
    }
  }

  private static boolean isDefined(
      Shade shade, Wave wave, Kind kind, long lanes, int bytes, long[] at, int stride) {
    return Lanes.isDefined(shade, wave, kind, lanes, bytes, at, stride);
  }

  private void load(
      Wave wave, Shade shade, Kind kind, long lanes, int bytes, long[] at, int stride, int to) {
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      for (int w = 0; w < (bytes + 3) >> 2; w++) {
        int bits = Lanes.bits(shade, wave, kind, lane, at[lane], w, bytes, stride);
        if (bits == 0) {
          continue;
        }
        int origin = Lanes.origin(shade, wave, kind, lane, at[lane], w, stride);
        if (origin < 0) {
          origin = origin(shade, wave, kind, Lanes.place(shade, wave, kind, at[lane] + 4L * w));
        }
        int loaded = bytes < 4 ? extended(bits, bytes) : bits;
        shade.set(to + w, lane, loaded | (shade.bits(to + w, lane) & kept), origin);
      }
    }
  }

  private int extended(int bits, int bytes) {
    int value = bits;
    if (signed) {
      value = bytes == 1 ? (byte) bits : (short) bits;
    }
    return high ? value << 16 : instruction().name().contains("d16") ? value & 0xffff : value;
  }

  private void store(
      Wave wave, Shade shade, Kind kind, long lanes, int bytes, long[] at, int stride, int from) {
    if (from < 0) {
      return;
    }
    long suspects = 0;
    for (int w = 0; w < (bytes + 3) >> 2; w++) {
      suspects |= shade.any[from + w];
    }
    suspects &= lanes;
    if (suspects != 0 && kind == Kind.GLOBAL) {
      findings(wave, shade, suspects, bytes, from);
    }
    Lanes.store(shade, wave, kind, lanes, bytes, at, stride, from, high);
  }

  /**
   * Global memory gets a value that was computed from undefined bits, or one from LDS that has no
   * defined bit. Other copies are none: of memory, of a variable that is there or not, as a flag
   * beside it says. Nor is the last of four numbers or the upper one of two halves, which often are
   * only there to fill a vector.
   */
  private void findings(Wave wave, Shade shade, long suspects, int bytes, int from) {
    int count = (bytes + 3) >> 2;
    int stored = bytes >= 4 ? -1 : (bytes == 1 ? 0xff : 0xffff) << (high ? 16 : 0);
    long wrong = 0;
    int origin = 0;
    for (long m = suspects; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int whole = 0;
      int computed = 0;
      for (int w = 0; w < count; w++) {
        int bits = shade.bits(from + w, lane) & stored;
        if (bits == 0) {
          continue;
        }
        whole += bits == stored ? 1 : 0;
        boolean fills =
            (count == 4 && w == 3 && whole <= 1) || (bits == UPPER_HALF && stored == -1);
        if (Origins.isComputed(shade.origin(from + w, lane)) && !fills) {
          computed++;
        }
      }
      boolean made =
          whole == count
              && shade.report.origins().of(shade.origin(from, lane)).kind == Origins.Kind.LDS;
      if (computed > 0 || made) {
        wrong |= 1L << lane;
        for (int w = 0; w < count; w++) {
          if (shade.bits(from + w, lane) != 0) {
            origin = shade.origin(from + w, lane);
          }
        }
      }
    }
    if (wrong != 0) {
      shade.report.store(wave, wrong, origin);
      for (int w = 0; w < count; w++) {
        shade.any[from + w] &= ~wrong;
      }
    }
  }

  private void atomic(
      Wave wave, Shade shade, Kind kind, long lanes, int bytes, long[] at, int stride) {
    if (!swaps && !isDefined(shade, wave, kind, lanes, bytes, at, stride)) {
      long wrong = 0;
      long address = 0;
      for (long m = lanes; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        for (int w = 0; w < bytes >> 2; w++) {
          int bits = Lanes.bits(shade, wave, kind, lane, at[lane], w, bytes, stride);
          if (compares && bits != 0 && data >= 0) {
            // a word of which only a part was ever written is compared with a copy of itself
            int wanted = bytes / 4 + w;
            bits &= ~expected(shade, lane, wanted, w);
          }
          if (bits != 0) {
            wrong |= 1L << lane;
            address = at[lane] + 4L * w;
          }
        }
      }
      if (wrong != 0) {
        shade.report.atomic(
            wave, wrong, origin(shade, wave, kind, Lanes.place(shade, wave, kind, address)));
      }
    }
    if (data >= 0) {
      long suspects = 0;
      for (int w = 0; w < bytes >> 2; w++) {
        suspects |= shade.any[data + w];
      }
      if ((suspects & lanes) != 0 && kind == Kind.GLOBAL) {
        findings(wave, shade, suspects & lanes, bytes, data);
      }
    }
    // Whatever it was, it is reported only once.
    Lanes.store(shade, wave, kind, lanes, bytes, at, stride, NONE, false);
  }

  private int expected(Shade shade, int lane, int behind, int word) {
    return second >= 0
        ? shade.bits(data + word, lane)
        : behind < dataWords ? shade.bits(data + behind, lane) : 0;
  }
}
