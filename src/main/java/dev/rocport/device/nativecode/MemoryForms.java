package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.memory.Width;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Loads and stores of vector registers, and atomics: global memory, flat addresses in it, and LDS.
 */
final class MemoryForms {
  /** Lanes of half a wave of 64. */
  private static final int HALF = 32;

  private MemoryForms() {}

  static @Nullable Form of(Instruction i) {
    if (!(i.modifiers() instanceof Modifiers.Memory m) || m.gds() || m.lds()) {
      return null;
    }
    if (i.opcode().encoding() == Encoding.DS) {
      return local(i, m);
    }
    Place place = global(i, m);
    String rest = i.name().substring(i.name().indexOf('_') + 1);
    if (place == null) {
      return null;
    }
    if (rest.startsWith("load_") && !rest.startsWith("load_lds_")) {
      Registers to = registers(i, "vdst");
      return width(rest.substring(5)).map(w -> to == null ? null : load(place, w, to)).orElse(null);
    }
    if (rest.startsWith("store_")) {
      Registers from = registers(i, "vdata");
      return Width.of(rest.substring(6))
          .map(w -> from == null ? null : store(place, w, from))
          .orElse(null);
    }
    if (rest.startsWith("atomic_")) {
      return AtomicForms.of(
          place,
          rest.substring(7),
          registers(i, "vdata"),
          null,
          m.sc0() ? registers(i, "vdst") : null);
    }
    return null;
  }

  static Optional<Width> width(String name) {
    // Halves of a register would need its other half.
    return name.contains("d16") ? Optional.empty() : Width.of(name);
  }

  private static @Nullable Place global(Instruction i, Modifiers.Memory m) {
    if (!(i.operand("vaddr") instanceof Operand.Vector(int register, int _))) {
      return null;
    }
    boolean hasBase = i.opcode().has("saddr");
    int base = hasBase && i.operand("saddr") instanceof Operand.Scalar(int code, int _) ? code : -1;
    return new Place(false, base, register, m.offset());
  }

  private static @Nullable Form local(Instruction i, Modifiers.Memory m) {
    String name = i.name().substring("ds_".length());
    if (name.equals("nop")) {
      return new Form.Nothing();
    }
    if (name.equals("bpermute_b32")) {
      return permute(i, m.offset(), i.opcode().generation() == Generation.RDNA3);
    }
    if (i.opcode().slots().stream().noneMatch(s -> s.name().equals("addr"))
        || !(i.operand("addr") instanceof Operand.Vector(int address, int _))) {
      return null;
    }
    int underscore = name.indexOf('_');
    String verb = name.substring(0, underscore);
    String rest = name.substring(underscore + 1);
    if (verb.startsWith("read2") || verb.startsWith("write2")) {
      boolean wide = rest.equals("b64");
      int element = (wide ? 8 : 4) * (verb.endsWith("st64") ? 64 : 1);
      Place one = new Place(true, -1, address, m.offset() * element);
      Place two = new Place(true, -1, address, m.offset1() * element);
      Width width = Width.of(rest).orElseThrow();
      if (verb.startsWith("read2")) {
        Registers to = registers(i, "vdst");
        return to == null ? null : loadTwo(one, two, width, to);
      }
      Registers first = registers(i, "data0");
      Registers second = registers(i, "data1");
      return first == null || second == null ? null : storeTwo(one, two, width, first, second);
    }
    Place place = new Place(true, -1, address, m.offset());
    if (verb.equals("read")) {
      Registers to = registers(i, "vdst");
      return width(rest).map(w -> to == null ? null : load(place, w, to)).orElse(null);
    }
    if (verb.equals("write")) {
      Registers from = registers(i, "data0");
      return Width.of(rest).map(w -> from == null ? null : store(place, w, from)).orElse(null);
    }
    boolean returns = name.contains("_rtn_");
    if (!i.opcode().has("data0")) {
      return null;
    }
    boolean hasSecond = i.opcode().has("data1");
    return AtomicForms.of(
        place,
        name.replace("_rtn_", "_"),
        registers(i, "data0"),
        hasSecond ? registers(i, "data1") : null,
        returns ? registers(i, "vdst") : null);
  }

  static @Nullable Registers registers(Instruction i, String slot) {
    return switch (i.operand(slot)) {
      case Operand.Vector(int r, int words) -> new Registers(false, r, words);
      case Operand.Accumulator(int r, int words) -> new Registers(true, r, words);
      default -> null;
    };
  }

  private static Form load(Place place, Width width, Registers to) {
    return (Form.Moves)
        f -> {
          Access access = place.check(f, width.bytes(), false);
          to.changed(f);
          f.run().load(List.of(new Loads.Load(access, width, to)));
        };
  }

  static void set(Chunk c, Registers to, List<String> words) {
    for (int d = 0; d < words.size(); d++) {
      c.register(to.accumulator(), to.first() + d, words.get(d));
    }
  }

  private static Form store(Place place, Width width, Registers from) {
    return (Form.Moves)
        f -> {
          from.used(f);
          Access access = place.check(f, width.bytes(), true);
          f.run().step(c -> access.store(c, width, words(c, width, from)));
        };
  }

  /** The words that a store takes of its registers. */
  static List<String> words(Chunk c, Width width, Registers from) {
    List<String> words = new ArrayList<>();
    for (int d = 0; d < width.dwords(); d++) {
      String word = c.register(from.accumulator(), from.first() + d);
      words.add(width.high() ? c.i32("lshr", word, LaneWork.n(16)) : word);
    }
    return words;
  }

  private static Form loadTwo(Place one, Place two, Width width, Registers to) {
    return (Form.Moves)
        f -> {
          Access first = one.check(f, width.bytes(), false);
          Access second = two.check(f, width.bytes(), false);
          to.changed(f);
          int half = width.dwords();
          Registers low = new Registers(to.accumulator(), to.first(), half);
          Registers high = new Registers(to.accumulator(), to.first() + half, half);
          f.run()
              .load(
                  List.of(new Loads.Load(first, width, low), new Loads.Load(second, width, high)));
        };
  }

  private static Form storeTwo(Place one, Place two, Width width, Registers from, Registers other) {
    return (Form.Whole)
        (f, stop) -> {
          from.used(f);
          other.used(f);
          Access first = one.check(f, width.bytes(), true, stop);
          Access second = two.check(f, width.bytes(), true, stop);
          // All lanes store the first before any stores the second.
          store(f, first, width, from);
          f.flush();
          store(f, second, width, other);
        };
  }

  private static void store(WaveFunction f, Access access, Width width, Registers from) {
    Run run = f.run();
    run.takes(access.place().local(), true);
    run.step(c -> access.store(c, width, words(c, width, from)));
  }

  /**
   * ds_bpermute_b32: each lane takes the value of the lane it names; of an inactive one, 0.
   *
   * @param inHalves whether a lane names one of its own 32 lanes, in waves of 64 lanes too
   */
  private static @Nullable Form permute(Instruction i, int offset, boolean inHalves) {
    Registers address = registers(i, "addr");
    Registers data = registers(i, "data0");
    Registers to = registers(i, "vdst");
    if (address == null || data == null || to == null) {
      return null;
    }
    return (Form.Whole)
        (f, stop) -> {
          address.used(f);
          LaneGather gather =
              new LaneGather(
                  data,
                  c -> {
                    String named =
                        c.i32(
                            "add",
                            c.register(address.accumulator(), address.first()),
                            LaneWork.n(offset));
                    int most = (inHalves ? HALF : f.size) - 1;
                    String lane =
                        c.i32("and", c.i32("lshr", named, LaneWork.n(2)), LaneWork.n(most));
                    return inHalves && f.size > HALF
                        ? c.i32("or", lane, c.i32("and", c.lanes(), LaneWork.n(HALF)))
                        : lane;
                  },
                  false);
          gather.emit(f, to, true);
        };
  }
}
