package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Branch;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Scalar operations that decide where the wave continues, and with which lanes. */
final class ControlWatch extends AroundOp {
  private enum Kind {
    SCC,
    VCC,
    JUMP,
    EXEC,
    /** Writes registers and reads nothing that could be undefined. */
    DEFINES,
    /** Chooses a register by number. */
    INDEX
  }

  private final Kind kind;
  private final int source;
  private final int sourceWords;
  private final int target;
  private final int targetWords;

  private ControlWatch(Op plain, Kind kind) {
    super(plain);
    this.kind = kind;
    int from = -1;
    int fromWords = 0;
    int to = -1;
    int toWords = 0;
    Instruction i = plain.instruction();
    for (int k = 0; k < i.operands().size(); k++) {
      if (i.operands().get(k) instanceof Operand.Scalar(int code, int dwords)
          && code != Operand.NULL) {
        if (i.opcode().slots().get(k).destination()) {
          to = code;
          toWords = dwords;
        } else {
          from = code;
          fromWords = dwords;
        }
      }
    }
    this.source = from;
    this.sourceWords = fromWords;
    this.target = to;
    this.targetWords = toWords;
  }

  /** The replacement for a scalar operation other than on data; the plain one if none is needed. */
  static Op of(Op plain) {
    String name = plain.instruction().name();
    return switch (name) {
      case "s_cbranch_scc0", "s_cbranch_scc1" -> branch(plain, Kind.SCC);
      case "s_cbranch_vccz", "s_cbranch_vccnz" -> branch(plain, Kind.VCC);
      case "s_setpc_b64", "s_swappc_b64" -> new ControlWatch(plain, Kind.JUMP);
      case "s_getpc_b64", "s_call_b64", "s_getreg_b32", "s_sendmsg_rtn_b32", "s_sendmsg_rtn_b64" ->
          new ControlWatch(plain, Kind.DEFINES);
      case "s_set_gpr_idx_on", "s_set_gpr_idx_idx" -> new ControlWatch(plain, Kind.INDEX);
      default -> {
        if (name.startsWith("s_movrel")) {
          yield new MoveWatch(plain);
        }
        yield name.contains("_saveexec_") || name.contains("_wrexec_")
            ? new ControlWatch(plain, Kind.EXEC)
            : plain;
      }
    };
  }

  /** A branch stays one, so that blocks may contain it. */
  private static Op branch(Op plain, Kind kind) {
    return plain instanceof Branch branch
        ? new Branch(branch.instruction(), branch.offset(), new Checked(branch.test(), kind))
        : new ControlWatch(plain, kind);
  }

  private record Checked(Branch.Test without, Kind kind) implements Branch.Test {
    @Override
    public boolean holds(Wave wave) {
      decides(wave, Shade.of(wave), kind);
      return without.holds(wave);
    }
  }

  /** SCC or VCC decides a branch. */
  private static void decides(Wave wave, Shade shade, Kind kind) {
    if (kind == Kind.SCC) {
      if (shade.scc) {
        shade.report.branch(wave, wave.exec(), shade.sccOrigin);
        shade.scc = false;
      }
      return;
    }
    int words = wave.lanes / Integer.SIZE;
    long u = shade.scalars(Wave.VCC, words);
    if (u != 0 && (wave.vcc() & ~u) == 0) {
      shade.report.branch(
          wave, u, shade.originOfScalar(shade.s[Wave.VCC] != 0 ? Wave.VCC : Wave.VCC + 1));
      shade.defineScalars(Wave.VCC, words);
    }
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    switch (kind) {
      case SCC, VCC -> decides(wave, shade, kind);
      case JUMP -> {
        if (source >= 0 && shade.scalars(source, 2) != 0) {
          shade.report.branch(wave, wave.exec(), shade.originOfScalar(source));
          shade.defineScalars(source, 2);
        }
        define(shade);
      }
      case EXEC -> exec(wave, shade);
      case DEFINES -> define(shade);
      case INDEX -> {
        if (source >= 0 && (shade.s[source] & 0xff) != 0) {
          shade.report.address(wave, wave.exec(), shade.originOfScalar(source));
          shade.defineScalars(source, sourceWords);
        }
        shade.setScalar(Wave.M0, shade.s[Wave.M0] & ~0xf0ff, shade.originOfScalar(Wave.M0));
      }
    }
    plain.execute(wave);
  }

  private void define(Shade shade) {
    if (target >= 0) {
      shade.defineScalars(target, targetWords);
    }
  }

  private void exec(Wave wave, Shade shade) {
    if (source >= 0) {
      long u = shade.scalars(source, sourceWords);
      if (u != 0) {
        long undecided = undecided(plain.instruction().name(), wave.exec(), u);
        if (undecided != 0) {
          int first = (int) u != 0 ? source : source + 1;
          shade.report.branch(wave, undecided, shade.originOfScalar(first));
        }
      }
    }
    define(shade);
    shade.scc = false;
  }

  /** The undefined bits of the new EXEC, which is made of the source s and the old one. */
  private static long undecided(String name, long exec, long u) {
    String how = name.substring(2, name.indexOf('_', 2));
    return switch (how) {
      // s & e, ~s & e, and their complements follow e; s | e and similar matter where e is not set
      case "and", "nand", "andn1" -> u & exec;
      case "or", "nor", "orn1" -> u & ~exec;
      // s & ~e; s | ~e
      case "andn2" -> u & ~exec;
      case "orn2" -> u & exec;
      default -> u;
    };
  }

  /** A scalar register that M0 chooses: what it moves is taken for defined where it went. */
  private static final class MoveWatch extends AroundOp {
    MoveWatch(Op plain) {
      super(plain);
    }

    @Override
    public void execute(Wave wave) {
      Shade shade = Shade.of(wave);
      int[] before = wave.s.clone();
      plain.execute(wave);
      for (int i = 0; i < before.length; i++) {
        if (before[i] != wave.s[i]) {
          shade.setScalar(i, 0, 0);
        }
      }
      if (instruction().operands().getFirst() instanceof Operand.Scalar(int code, int dwords)) {
        shade.defineScalars(code, dwords);
      }
    }
  }
}
