package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scalar operation with a result in registers or in SCC. */
final class ScalarWatch extends AroundOp {
  private static final int NONE = -1;

  private final ScalarRule rule;
  private final VectorSource[] sources;
  private final int target;
  private final int words;
  private final boolean readsTarget;
  private final boolean readsScc;
  private final boolean logic;
  private final long readsLow;
  private final long readsHigh;
  private final long writesLow;
  private final long writesHigh;
  private final boolean writesExec;

  ScalarWatch(Op plain) {
    super(plain);
    Instruction i = plain.instruction();
    String name = i.name();
    this.rule = ScalarRule.of(name);
    Registers read = new Registers();
    Registers write = new Registers();
    VectorSource[] found = new VectorSource[3];
    int n = 0;
    int to = NONE;
    int size = 0;
    for (int k = 0; k < i.operands().size(); k++) {
      DataType type = i.opcode().slots().get(k).type();
      Operand operand = i.operands().get(k);
      if (i.opcode().slots().get(k).destination()) {
        if (operand instanceof Operand.Scalar(int code, int _) && code != Operand.NULL) {
          to = code;
          size = type.dwords();
          write.scalar(code, size);
        }
        continue;
      }
      boolean signed = i.opcode().encoding() == Encoding.SOPK && type == DataType.I16;
      VectorSource source =
          operand instanceof Operand.Immediate(int value)
              ? VectorSource.number(signed ? (short) value & 0xffffffffL : value & 0xffffL)
              : VectorSource.of(operand, type);
      if (name.equals("s_cvt_hi_f32_f16")) {
        source.field(16, 16, false);
      }
      found[n++] = source;
      if (source.isScalar()) {
        read.scalar(source.code, source.words);
      }
    }
    this.sources = Arrays.copyOf(found, n);
    this.target = to;
    this.words = size;
    this.readsTarget =
        name.startsWith("s_cmov")
            || name.startsWith("s_bitset")
            || name.startsWith("s_addk")
            || name.startsWith("s_mulk")
            || name.startsWith("s_fmac");
    this.readsScc =
        name.startsWith("s_cmov")
            || name.startsWith("s_cselect")
            || name.startsWith("s_addc")
            || name.startsWith("s_subb");
    this.logic = rule.nonzero();
    if (readsTarget) {
      read.scalar(target, words);
    }
    this.readsLow = read.low();
    this.readsHigh = read.high();
    this.writesLow = write.low();
    this.writesHigh = write.high();
    this.writesExec = target == Wave.EXEC || target == Wave.EXEC + 1;
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    if (!shade.anyOf(readsLow, readsHigh) && !(readsScc && shade.scc)) {
      plain.execute(wave);
      if (shade.anyOf(writesLow, writesHigh)) {
        shade.define(writesLow, writesHigh);
      }
      if (logic || rule.scc() != null) {
        shade.scc = false;
      }
      return;
    }
    slow(wave, shade);
  }

  @Override
  public @Nullable List<Action> actions() {
    Action without = plainly();
    return without == null
        ? null
        : List.of(
            new Fast(
                this,
                without,
                readsLow,
                readsHigh,
                writesLow,
                writesHigh,
                readsScc,
                logic || rule.scc() != null));
  }

  /** What {@link #execute} does, as constants. */
  private record Fast(
      ScalarWatch watch,
      Action without,
      long readsLow,
      long readsHigh,
      long writesLow,
      long writesHigh,
      boolean readsScc,
      boolean writesScc)
      implements Action {
    @Override
    public void run(Wave wave, long exec) {
      Shade shade = Shade.of(wave);
      if (shade.anyOf(readsLow, readsHigh) || (readsScc && shade.scc)) {
        watch.slow(wave, shade);
        return;
      }
      without.run(wave, exec);
      if (shade.anyOf(writesLow, writesHigh)) {
        shade.define(writesLow, writesHigh);
      }
      if (writesScc) {
        shade.scc = false;
      }
    }
  }

  private void slow(Wave wave, Shade shade) {
    Lane x = shade.report.work().lane;
    x.clear();
    for (int i = 0; i < sources.length; i++) {
      x.set(i, sources[i].value(wave, 0), sources[i].undefined(shade, 0));
    }
    if (readsTarget) {
      x.c = words == 2 ? wave.s64(target) : wave.s[target] & 0xffffffffL;
      x.uc = shade.s[target] & 0xffffffffL;
      if (words == 2) {
        x.uc |= (long) shade.s[target + 1] << 32;
      }
    }
    x.bit = wave.scc != 0;
    x.ubit = readsScc && shade.scc;
    int origin = origin(shade, x);
    if (!rule.copies() || x.ubit) {
      origin |= Origins.COMPUTED;
    }
    long result = rule.result() == null ? 0 : rule.result().of(x);
    if (words < 2) {
      result &= 0xffffffffL;
    }
    boolean scc = rule.scc() != null && rule.scc().of(x);
    plain.execute(wave);
    if (target >= 0) {
      if (writesExec && result != 0) {
        long lanes = target == Wave.EXEC ? result : result << 32;
        shade.report.branch(wave, lanes, origin);
        result = 0;
      }
      shade.setScalar(target, (int) result, origin);
      if (words == 2) {
        shade.setScalar(target + 1, (int) (result >>> 32), origin);
      }
    }
    if (logic) {
      long value = words == 2 ? wave.s64(target) : wave.s[target] & 0xffffffffL;
      scc = result != 0 && (value & ~result) == 0;
    }
    if (logic || rule.scc() != null) {
      shade.scc = scc;
      shade.sccOrigin = origin;
    }
  }

  private int origin(Shade shade, Lane x) {
    if (x.ua != 0) {
      return sources[0].origin(shade, 0);
    }
    if (x.ub != 0) {
      return sources[1].origin(shade, 0);
    }
    if (x.uc != 0) {
      return shade.originOfScalar(shade.s[target] != 0 ? target : target + 1);
    }
    return x.ubit ? shade.sccOrigin : Origins.REGISTER;
  }
}
