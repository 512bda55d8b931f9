package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Prints the nanoseconds of processor time that memory instructions take, for the usual patterns of
 * addresses.
 */
final class MemoryBenchmark {
  private static final int ROUNDS = 200_000;

  private MemoryBenchmark() {}

  public static void main(String[] args) {
    Map<String, Op> ops = new LinkedHashMap<>();
    Machine m = new Machine(1);
    m.wave.s64(4, m.buffer.address());
    Map<String, IntUnaryOperator> patterns = new LinkedHashMap<>();
    patterns.put("adjacent", l -> 4 * l);
    patterns.put("by 8", l -> 8 * l);
    patterns.put("by 16", l -> 16 * l);
    patterns.put("uniform", _ -> 64);
    patterns.put("random", l -> (l * 2654435761L >>> 7 & 1020) == 0 ? 4 : (l * 37 & 127) * 4);
    int register = 2;
    Map<String, Integer> offsets = new LinkedHashMap<>();
    for (var p : patterns.entrySet()) {
      for (int lane = 0; lane < Wave.LANES; lane++) {
        int offset = p.getValue().applyAsInt(lane);
        m.v(register, lane, offset);
        m.v64(register + 2, lane, m.buffer.address() + offset);
        m.v(register + 4, lane, offset & 127);
      }
      offsets.put(p.getKey(), register);
      register += 6;
    }
    for (String p : patterns.keySet()) {
      int v = offsets.get(p);
      for (String width : new String[] {"dword", "dwordx2", "dwordx4", "ubyte"}) {
        if (width.equals("dword") || p.equals("by 8") || p.equals("by 16") || p.equals("random")) {
          ops.put("global_load_" + width + " saddr, " + p, access("load_" + width, v, true));
        }
      }
      ops.put("global_load_dword vaddr, " + p, access("load_dword", v + 2, false));
      ops.put("global_store_dword saddr, " + p, access("store_dword", v, true));
      ops.put("ds_read_b32 " + p, lds("ds_read_b32", v, "vdst"));
      ops.put("ds_write_b32 " + p, lds("ds_write_b32", v, "data0"));
      ops.put("scratch_load_dword " + p, scratch(v + 4));
    }
    int v = offsets.get("adjacent");
    ops.put("global_store_dwordx4 by 16", access("store_dwordx4", offsets.get("by 16"), true));
    ops.put("ds_read_b128 by 16", lds("ds_read_b128", offsets.get("by 16"), "vdst"));
    ops.put("global_atomic_add adjacent", access("atomic_add", v, true));
    ops.put("global_atomic_add uniform", access("atomic_add", offsets.get("uniform"), true));
    ops.put("ds_add_u32 random", lds("ds_add_u32", offsets.get("random"), "data0"));
    for (boolean partial : new boolean[] {false, true}) {
      m.wave.s64(Wave.EXEC, partial ? 0x0000ffffffffffffL : -1);
      System.out.println(partial ? "48 lanes" : "64 lanes");
      // all of them first, so that none is alone in its compiled form
      ops.values().forEach(op -> time(op, m.wave));
      ops.forEach((name, op) -> System.out.printf("%7.1f ns  %s%n", time(op, m.wave), name));
    }
  }

  private static double time(Op op, Wave wave) {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    long start = clock.getCurrentThreadCpuTime();
    for (int i = 0; i < ROUNDS; i++) {
      op.execute(wave);
    }
    return (clock.getCurrentThreadCpuTime() - start) / (double) ROUNDS;
  }

  private static Op op(Instruction instruction) {
    return new MemoryTranslator().translate(instruction).orElseThrow();
  }

  private static Op access(String verb, int vaddr, boolean scalar) {
    return op(
        Machine.instruction(
            Encoding.GLOBAL,
            "global_" + verb,
            Machine.at(0, false),
            verb.startsWith("load") ? "vdst" : "vdata",
            Machine.vector(56, 4),
            "vaddr",
            Machine.vector(vaddr, scalar ? 1 : 2),
            "saddr",
            scalar ? Machine.scalar(4, 2) : new Operand.Off()));
  }

  private static Op lds(String name, int address, String data) {
    return op(
        Machine.instruction(
            Encoding.DS,
            name,
            Machine.at(0, false),
            data,
            Machine.vector(56, 4),
            "addr",
            Machine.vector(address, 1)));
  }

  private static Op scratch(int address) {
    return op(
        Machine.instruction(
            Encoding.SCRATCH,
            "scratch_load_dword",
            Machine.at(0, false),
            "vdst",
            Machine.vector(56, 1),
            "vaddr",
            Machine.vector(address, 1),
            "saddr",
            Machine.off()));
  }
}
