package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows the values of lanes that did not participate through instructions, lane by lane. If the
 * flow is uncertain it ends, so that every report is correct.
 */
final class Flow {
  /** The inline constant 0. */
  private static final int ZERO = 128;

  private final Shadow shadow;

  Flow(Shadow shadow) {
    this.shadow = shadow;
  }

  /** Before an operation; of those on memory only exchanges between lanes are followed here. */
  void before(Wave wave, Instruction i) {
    switch (i.opcode().encoding()) {
      case VOP1, VOP2, VOPC, VOP3, VOP3P -> vector(wave, i);
      case VOPD -> dual(wave, i);
      case SOP1, SOP2, SOPK, SOPC -> ScalarFlow.before(shadow, wave, i);
      case SMEM -> scalarLoad(i);
      case DS -> exchange(wave, i);
      default -> {}
    }
  }

  private static List<Operand> operands(Instruction i, boolean destinations) {
    List<Operand> result = new ArrayList<>();
    for (int n = 0; n < i.operands().size(); n++) {
      if (i.opcode().slots().get(n).destination() == destinations) {
        result.add(i.operands().get(n));
      }
    }
    return result;
  }

  private @Nullable Origin origin(List<Operand> sources) {
    for (Operand o : sources) {
      Origin origin = shadow.origin(o);
      if (origin != null) {
        return origin;
      }
    }
    return shadow.scalarOrigin();
  }

  private void scalarLoad(Instruction i) {
    for (Operand o : operands(i, true)) {
      if (o instanceof Operand.Scalar(int code, int dwords)) {
        for (int d = 0; d < dwords; d++) {
          shadow.scalar(code + d, 0, null);
        }
      }
    }
  }

  /** Both halves read before either writes. */
  private void dual(Wave wave, Instruction i) {
    if (!(i.modifiers() instanceof Modifiers.Dual(Instruction x, Instruction y))) {
      return;
    }
    Operand target = x.operand("vdst");
    long lanes = shadow.lanes(target);
    Origin origin = shadow.origin(target);
    vector(wave, x);
    long results = shadow.lanes(target);
    Origin from = shadow.origin(target);
    shadow.vector(target, 0, -1L, lanes, origin);
    vector(wave, y);
    shadow.vector(target, 0, -1L, results, from);
  }

  private void vector(Wave wave, Instruction i) {
    List<Operand> sources = operands(i, false);
    List<Operand> targets = operands(i, true);
    Origin origin = origin(sources);
    long exec = wave.exec();
    switch (i.name()) {
      case "v_readfirstlane_b32" ->
          readLane(targets, sources, exec == 0 ? 0 : Long.numberOfTrailingZeros(exec), origin);
      case "v_readlane_b32" ->
          readLane(targets, sources, scalarValue(wave, sources.get(1)) & (wave.lanes - 1), origin);
      case "v_writelane_b32" -> {
        long lane = 1L << (scalarValue(wave, sources.get(1)) & (wave.lanes - 1));
        shadow.vector(targets.getFirst(), 0, lane, shadow.lanes(sources.getFirst()) & lane, origin);
      }
      case "v_swap_b32", "v_swap_b16" -> {
        Operand one = targets.getFirst();
        Operand other = sources.getFirst();
        long first = shadow.lanes(one);
        Origin firstOrigin = shadow.origin(one);
        shadow.vector(one, 0, exec, shadow.lanes(other), shadow.origin(other));
        shadow.vector(other, 0, exec, first, firstOrigin);
      }
      default -> lanewise(wave, i, sources, targets, origin, exec);
    }
  }

  private void readLane(
      List<Operand> targets, List<Operand> sources, int lane, @Nullable Origin origin) {
    if (targets.getFirst() instanceof Operand.Scalar(int code, _)) {
      boolean from = (shadow.lanes(sources.getFirst()) >>> lane & 1) != 0;
      shadow.scalar(code, from ? -1 : 0, origin);
    }
  }

  private static int scalarValue(Wave wave, Operand operand) {
    return switch (operand) {
      case Operand.Scalar(int code, _) -> wave.s[code];
      case Operand.Inline(int code) when code <= 192 -> code - ZERO;
      case Operand.Literal(int bits) -> bits;
      default -> 0;
    };
  }

  private void lanewise(
      Wave wave,
      Instruction i,
      List<Operand> sources,
      List<Operand> targets,
      @Nullable Origin origin,
      long exec) {
    long written = exec;
    Optional<Exchange> moved = Exchange.of(i);
    boolean matrix = i.name().startsWith("v_mfma") || i.opcode().isWaveMatrix();
    long lanes = matrix ? matrix(sources) : mixed(wave, i, sources, moved);
    if (moved.isPresent()) {
      Exchange exchange = moved.get();
      written = exchange.readers(exec);
      if (exchange.keeps()) {
        written &= exchange.moved(wave, exec);
      }
    }
    lanes |= shadow.pair(Wave.EXEC);
    boolean keeps = keepsOld(i);
    if (i.name().startsWith("v_cmpx")) {
      shadow.pair(Wave.EXEC, lanes & exec, origin);
    }
    for (Operand target : targets) {
      switch (target) {
        case Operand.Scalar(int code, int dwords) when dwords == words(wave) ->
            shadow.mask(code, dwords, lanes & exec, origin);
        case Operand.Vector(_, int dwords) -> to(target, dwords, written, lanes, keeps, origin);
        case Operand.Accumulator(_, int dwords) ->
            to(target, dwords, written, lanes, keeps, origin);
        default -> {}
      }
    }
  }

  private void to(
      Operand target, int dwords, long written, long lanes, boolean keeps, @Nullable Origin from) {
    for (int d = 0; d < dwords; d++) {
      long old = keeps ? shadow.lanes(target, d) : 0;
      Origin origin = lanes == 0 ? shadow.origin(target) : from;
      shadow.vector(target, d, written, lanes | old, origin);
    }
  }

  /** Rows and columns mix: only what is added keeps its lane. */
  private long matrix(List<Operand> sources) {
    return shadow.lanes(sources.get(2));
  }

  private long mixed(Wave wave, Instruction i, List<Operand> sources, Optional<Exchange> moved) {
    String name = i.name();
    if (name.equals("v_cndmask_b32") && sources.get(2) instanceof Operand.Scalar(int code, _)) {
      long mask = wave.mask(code);
      return (~mask & shadow.lanes(sources.get(0)))
          | (mask & shadow.lanes(sources.get(1)))
          | shadow.mask(code, words(wave));
    }
    if (name.equals("v_and_b32")
        || name.equals("v_mul_lo_u32")
        || name.equals("v_mul_u32_u24")
        || name.equals("v_mul_i32_i24")) {
      long a = shadow.lanes(sources.get(0));
      long b = shadow.lanes(sources.get(1));
      return (a & b) | (a & nonZero(wave, sources.get(1))) | (b & nonZero(wave, sources.get(0)));
    }
    long lanes = 0;
    for (int n = 0; n < sources.size(); n++) {
      Operand source = sources.get(n);
      long own =
          isMask(i, n) && source instanceof Operand.Scalar(int code, _)
              ? shadow.mask(code, words(wave))
              : shadow.lanes(source);
      lanes |= n == 0 && moved.isPresent() ? moved.get().moved(wave, own) : own;
    }
    return lanes;
  }

  /** Scalar registers of a mask of lanes. */
  private static int words(Wave wave) {
    return wave.lanes / Integer.SIZE;
  }

  /** Whether source {@code n} is a bit for each lane. */
  private static boolean isMask(Instruction i, int n) {
    List<Opcode.Slot> slots = i.opcode().slots().stream().filter(s -> !s.destination()).toList();
    return slots.get(n).name().equals("src2")
        && (i.name().startsWith("v_addc")
            || i.name().startsWith("v_subb")
            || i.name().startsWith("v_div_fmas"));
  }

  private static long nonZero(Wave wave, Operand operand) {
    return switch (operand) {
      case Operand.Vector(int r, _) -> {
        long lanes = 0;
        for (int l = 0; l < Wave.LANES; l++) {
          lanes |= wave.v[r * Wave.LANES + l] != 0 ? 1L << l : 0;
        }
        yield lanes;
      }
      case Operand.Scalar(int code, _) -> wave.s[code] != 0 ? -1L : 0;
      case Operand.Inline(int code) -> code == ZERO ? 0 : -1L;
      default -> -1L;
    };
  }

  /** Whether the result depends on what the destination held. */
  private static boolean keepsOld(Instruction i) {
    String name = i.name();
    return name.contains("fmac")
        || name.startsWith("v_mac_")
        || i.opcode().isSparseWaveMatrix()
        || name.startsWith("v_dot2c")
        || name.startsWith("v_dot4c")
        || name.startsWith("v_dot8c")
        || name.startsWith("v_fma_mixlo")
        || name.startsWith("v_fma_mixhi")
        || (i.modifiers() instanceof Modifiers.Sdwa sdwa && sdwa.dstUnused() == 2);
  }

  /** A use of such a value that cannot be taken back. */
  record Use(String what, long lanes, Origin origin) {}

  /** The branch that such a value decides for all lanes of the wave. */
  Optional<Use> branch(Wave wave, Instruction i) {
    boolean decides =
        switch (i.name()) {
          case "s_cbranch_scc0", "s_cbranch_scc1" -> shadow.scc();
          case "s_cbranch_vccz", "s_cbranch_vccnz" -> {
            long from = shadow.mask(Wave.VCC, words(wave));
            yield from != 0 && (wave.vcc() & ~from) == 0;
          }
          default -> false;
        };
    Origin origin = shadow.scalarOrigin();
    return decides && origin != null
        ? Optional.of(new Use("a branch of the wave depends on the value", wave.exec(), origin))
        : Optional.empty();
  }

  /** After an operation on memory. */
  Optional<Use> after(Instruction i, List<Accesses.One> accesses) {
    Operand address = find(i, "addr", "vaddr");
    Optional<Use> use = Optional.empty();
    for (Accesses.One one : accesses) {
      long lanes = one.lanes();
      long where = address == null ? 0 : shadow.lanes(address);
      Origin whereOrigin = address == null ? null : shadow.origin(address);
      if (one.access() != Access.STORE) {
        loaded(i, one, lanes, where, whereOrigin);
      }
      if (one.access() == Access.LOAD) {
        continue;
      }
      if (one.kind() == Kind.SCRATCH) {
        stored(i, one, lanes);
      } else if (use.isEmpty()) {
        use = use(i, one, lanes, where, whereOrigin);
      }
    }
    return use;
  }

  private Optional<Use> use(
      Instruction i, Accesses.One one, long lanes, long where, @Nullable Origin whereOrigin) {
    String kind = one.access() == Access.ATOMIC ? "atomic" : "store";
    for (int n = 0; n < i.operands().size(); n++) {
      Opcode.Slot slot = i.opcode().slots().get(n);
      if (!slot.destination() && (slot.name().startsWith("data") || slot.name().equals("vdata"))) {
        Operand data = i.operands().get(n);
        long from = shadow.lanes(data) & lanes;
        Origin origin = shadow.origin(data);
        if (from != 0 && origin != null) {
          return Optional.of(
              new Use(kind + " of %d bytes of the value".formatted(one.bytes()), from, origin));
        }
      }
    }
    if ((where & lanes) != 0 && whereOrigin != null) {
      return Optional.of(
          new Use(kind + " at an address that the value determines", where & lanes, whereOrigin));
    }
    long chosen = shadow.pair(Wave.EXEC) & lanes;
    Origin chooser = shadow.scalarOrigin();
    return chosen != 0 && chooser != null
        ? Optional.of(new Use(kind + " in a branch that depends on the value", chosen, chooser))
        : Optional.empty();
  }

  private static @Nullable Operand find(Instruction i, String... names) {
    for (int n = 0; n < i.operands().size(); n++) {
      for (String name : names) {
        if (i.opcode().slots().get(n).name().equals(name)) {
          return i.operands().get(n);
        }
      }
    }
    return null;
  }

  private void stored(Instruction i, Accesses.One one, long lanes) {
    Operand data = find(i, "vdata", "data0");
    if (data == null || one.stride() == 0) {
      return;
    }
    Origin origin = shadow.origin(data);
    for (int d = 0; d < Math.max(1, one.bytes() / 4); d++) {
      long from = shadow.lanes(data, d);
      for (long m = lanes; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        shadow.scratch(
            one.addresses()[lane] + (long) d * one.stride(),
            (from >>> lane & 1) != 0 ? origin : null);
      }
    }
  }

  private void loaded(
      Instruction i, Accesses.One one, long lanes, long where, @Nullable Origin whereOrigin) {
    if (i.operands().isEmpty() || !i.opcode().slots().getFirst().destination()) {
      return;
    }
    Operand target = i.operands().getFirst();
    int dwords =
        switch (target) {
          case Operand.Vector(_, int n) -> n;
          case Operand.Accumulator(_, int n) -> n;
          default -> 0;
        };
    for (int d = 0; d < dwords; d++) {
      long from = where & lanes;
      Origin origin = whereOrigin;
      if (one.kind() == Kind.SCRATCH && one.stride() != 0) {
        for (long m = lanes; m != 0; m &= m - 1) {
          int lane = Long.numberOfTrailingZeros(m);
          Origin in = shadow.scratch(one.addresses()[lane] + (long) d * one.stride());
          if (in != null) {
            from |= 1L << lane;
            origin = in;
          }
        }
      }
      shadow.vector(target, d, lanes, from, origin);
    }
  }

  private void exchange(Wave wave, Instruction i) {
    Optional<Exchange> exchange = Exchange.of(i);
    Operand address = find(i, "addr");
    if (exchange.isEmpty() || address == null) {
      if (i.name().equals("ds_permute_b32")) {
        shadow.vector(i.operands().getFirst(), 0, wave.exec(), 0, null);
      }
      return;
    }
    Operand named = find(i, "data0");
    Operand data = named == null ? address : named;
    long exec = wave.exec();
    long from = exchange.get().moved(wave, shadow.lanes(data) & exec);
    from |= named == null ? 0 : shadow.lanes(address);
    Origin origin = shadow.origin(data);
    shadow.vector(
        i.operands().getFirst(), 0, exec, from, origin == null ? shadow.origin(address) : origin);
  }
}
