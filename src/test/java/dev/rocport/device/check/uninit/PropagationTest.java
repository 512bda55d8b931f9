package dev.rocport.device.check.uninit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every operation on registers against a trial of all values that its undefined bits can have. A
 * bit of the result that takes two values has to be undefined; for operations that do no more than
 * move and join bits, no other bit may be.
 */
final class PropagationTest {
  private static final Set<Encoding> VECTOR =
      EnumSet.of(Encoding.VOP1, Encoding.VOP2, Encoding.VOPC, Encoding.VOP3, Encoding.VOP3P);
  private static final Set<Encoding> SCALAR =
      EnumSet.of(Encoding.SOP1, Encoding.SOP2, Encoding.SOPC, Encoding.SOPK);
  private static final int ROUNDS = 2;

  /** Followed to the bit, with the sources that may be undefined for that. */
  private static final Map<String, int[]> EXACT =
      Map.ofEntries(
          Map.entry("v_mov_b32", new int[] {0}),
          Map.entry("v_mov_b64", new int[] {0}),
          Map.entry("v_not_b32", new int[] {0}),
          Map.entry("v_bfrev_b32", new int[] {0}),
          Map.entry("v_and_b32", new int[] {0, 1}),
          Map.entry("v_or_b32", new int[] {0, 1}),
          Map.entry("v_xor_b32", new int[] {0, 1}),
          Map.entry("v_xnor_b32", new int[] {0, 1}),
          Map.entry("v_or3_b32", new int[] {0, 1, 2}),
          Map.entry("v_and_or_b32", new int[] {0, 1, 2}),
          Map.entry("v_bfi_b32", new int[] {0, 1, 2}),
          Map.entry("v_lshlrev_b32", new int[] {1}),
          Map.entry("v_lshrrev_b32", new int[] {1}),
          Map.entry("v_ashrrev_i32", new int[] {1}),
          Map.entry("v_lshlrev_b64", new int[] {1}),
          Map.entry("v_lshrrev_b64", new int[] {1}),
          Map.entry("v_ashrrev_i64", new int[] {1}),
          Map.entry("v_lshl_or_b32", new int[] {0, 2}),
          Map.entry("v_alignbit_b32", new int[] {0, 1}),
          Map.entry("v_alignbyte_b32", new int[] {0, 1}),
          Map.entry("v_perm_b32", new int[] {0, 1}),
          Map.entry("v_bfe_u32", new int[] {0}),
          Map.entry("v_bfe_i32", new int[] {0}),
          Map.entry("v_cndmask_b32", new int[] {0, 1}),
          Map.entry("v_cmp_eq_u32", new int[] {0, 1}),
          Map.entry("v_cmp_lt_i32", new int[] {0, 1}),
          Map.entry("v_cmp_ge_u32", new int[] {0, 1}),
          Map.entry("v_cmp_gt_u64", new int[] {0, 1}),
          Map.entry("v_cmp_le_i16", new int[] {0, 1}),
          Map.entry("v_lshlrev_b16", new int[] {1}),
          Map.entry("v_pk_lshrrev_b16", new int[] {1}));

  private final SplittableRandom random = new SplittableRandom(7);

  /** Each operation of the targets once, as the first target has it. */
  private static List<Opcode> opcodes(Set<Encoding> encodings, int lanes) {
    Map<String, Opcode> all = new LinkedHashMap<>();
    for (Target target : Target.withLanes(lanes)) {
      Decoder.of(target).opcodes().stream()
          .filter(o -> encodings.contains(o.encoding()) && !o.slots().isEmpty())
          .forEach(o -> all.putIfAbsent(o.encoding() + " " + o.name(), o));
    }
    return List.copyOf(all.values());
  }

  private static Target target(Opcode opcode) {
    return switch (opcode.generation()) {
      case CDNA -> Target.GFX942;
      case RDNA3 -> Target.GFX1100;
      case RDNA4 -> Target.GFX1201;
    };
  }

  /** Has no form that selects parts of registers. */
  private static boolean wide(Opcode opcode) {
    return opcode.slots().stream().anyMatch(s -> s.type().dwords() > 1 && !s.name().equals("sdst"))
        || opcode.name().contains("mac")
        || opcode.name().contains("_dot");
  }

  private Modifiers modifiers(Opcode opcode) {
    int abs = random.nextInt(8);
    int neg = random.nextInt(8);
    int choice = random.nextInt(4);
    if (opcode.generation() != Generation.CDNA) {
      return rdna(opcode, choice, abs, neg);
    }
    return switch (opcode.encoding()) {
      case VOP3P -> new Modifiers.Packed(random.nextInt(8), random.nextInt(8), 0, 0, false);
      case VOP3 ->
          choice == 0
              ? new Modifiers.Vop3(abs, neg, 0, choice == 3, 0)
              : new Modifiers.Vop3(0, 0, 0, false, random.nextInt(16));
      case VOP1, VOP2, VOPC ->
          switch (wide(opcode) && choice == 0 ? 2 : choice) {
            case 0 ->
                new Modifiers.Sdwa(
                    random.nextInt(7),
                    random.nextInt(3),
                    random.nextInt(7),
                    random.nextInt(7),
                    opcode.slots().getFirst().type().isFloat() ? 0 : random.nextInt(4),
                    0,
                    0,
                    0,
                    false);
            case 1 ->
                new Modifiers.Dpp(
                    new int[] {0x1b, 0x111, 0x104, 0x142, 0x143, 0x140, 0x138}[random.nextInt(7)],
                    random.nextInt(16),
                    random.nextInt(16),
                    random.nextBoolean(),
                    0,
                    0);
            default -> new Modifiers.None();
          };
      default -> new Modifiers.None();
    };
  }

  private Modifiers rdna(Opcode opcode, int choice, int abs, int neg) {
    Modifiers with =
        switch (opcode.encoding()) {
          case VOP3P -> new Modifiers.Packed(random.nextInt(8), random.nextInt(8), 0, 0, false);
          case VOP3 ->
              choice < 2
                  ? new Modifiers.Vop3(abs, neg, 0, false, 0)
                  : new Modifiers.Vop3(0, 0, 0, false, random.nextInt(16));
          default -> new Modifiers.None();
        };
    if (random.nextInt(3) != 0
        || opcode.encoding() == Encoding.SOP1
        || opcode.name().startsWith("v_s_")) {
      return with;
    }
    boolean eight = random.nextBoolean();
    int control =
        eight
            ? random.nextInt(1 << 24)
            : new int[] {0x1b, 0x111, 0x104, 0x125, 0x140, 0x141, 0x153, 0x16a}[random.nextInt(8)];
    return new Modifiers.Moved(
        eight,
        control,
        eight ? 15 : random.nextInt(16),
        eight ? 15 : random.nextInt(16),
        eight || random.nextBoolean(),
        random.nextBoolean(),
        with);
  }

  /** Sources from v8 on, four registers each; the result in v0, or over the first source. */
  private Instruction vector(Opcode opcode, Modifiers modifiers) {
    List<Operand> operands = new ArrayList<>();
    int source = 0;
    boolean over = random.nextInt(4) == 0;
    for (Opcode.Slot slot : opcode.slots()) {
      int dwords = slot.type().dwords();
      boolean mask =
          slot.name().equals("src2")
              && (opcode.name().contains("_cndmask_") || opcode.name().contains("_co_u32"));
      if (slot.name().equals("sdst") || mask) {
        operands.add(new Operand.Scalar(mask ? Wave.VCC : dwords == 1 ? 20 : 22, dwords));
      } else if (slot.destination()) {
        operands.add(new Operand.Vector(over ? 8 : 0, dwords));
      } else if (slot.name().equals("simm32")) {
        operands.add(new Operand.Literal(random.nextInt()));
        source++;
      } else if (opcode.name().equals("v_readlane_b32") && source == 1
          || opcode.name().matches("v_permlanex?16_b32") && source > 0
          || opcode.name().startsWith("v_s_")
          || opcode.name().equals("v_writelane_b32")) {
        operands.add(new Operand.Scalar(30 + source++ % 2, 1));
      } else {
        operands.add(new Operand.Vector(8 + 4 * source++, dwords));
      }
    }
    return new Instruction(opcode, 8, operands, modifiers);
  }

  private static int[] registers(Opcode opcode, int[] sources) {
    List<Integer> all = new ArrayList<>();
    int source = 0;
    for (Opcode.Slot slot : opcode.slots()) {
      if (slot.destination()) {
        continue;
      }
      for (int wanted : sources) {
        for (int w = 0; wanted == source && w < slot.type().dwords(); w++) {
          all.add(8 + 4 * source + w);
        }
      }
      source++;
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }

  private static boolean translates(Instruction instruction) {
    try {
      return LoadedCode.translate(instruction).isPresent();
    } catch (RuntimeException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 32})
  void varyingBitsAreUndefined(int lanes) {
    Set<String> wrong = new TreeSet<>();
    int tried = 0;
    for (Opcode opcode : opcodes(VECTOR, lanes)) {
      if (opcode.name().matches("v_(mfma|smfmac|wmma|swmmac|movrel).*")) {
        continue;
      }
      for (int round = 0; round < ROUNDS; round++) {
        Instruction instruction = vector(opcode, modifiers(opcode));
        if (!translates(instruction)) {
          continue;
        }
        Trial trial = new Trial(random, target(opcode));
        int[] sources = registers(opcode, new int[] {0, 1, 2});
        int[] all = Arrays.copyOf(sources, sources.length + 1);
        if (all.length == 1) {
          continue;
        }
        trial.spoil(all);
        if (random.nextInt(3) == 0) {
          trial.spoilScalars(3, Wave.VCC, Wave.VCC + 1, 30, 31);
        }
        trial.run(instruction);
        tried++;
        compare(trial, instruction, false, wrong);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(tried).isGreaterThan(800);
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 32})
  void nothingElseIsForOperationsOnBits(int lanes) {
    Set<String> wrong = new TreeSet<>();
    Set<String> tried = new TreeSet<>();
    List<Opcode> opcodes = opcodes(VECTOR, lanes);
    for (Opcode opcode : opcodes) {
      int[] sources = EXACT.get(opcode.name());
      if (sources == null) {
        continue;
      }
      Modifiers modifiers =
          opcode.encoding() == Encoding.VOP3P
              ? new Modifiers.Packed(0, 7, 0, 0, false)
              : new Modifiers.None();
      for (int round = 0; round < ROUNDS; round++) {
        Instruction instruction = vector(opcode, modifiers);
        Trial trial = new Trial(random, target(opcode));
        trial.spoil(registers(opcode, sources));
        trial.run(instruction);
        compare(trial, instruction, true, wrong);
        tried.add(opcode.name());
      }
    }
    assertThat(wrong).isEmpty();
    Set<String> expected = new TreeSet<>(EXACT.keySet());
    expected.retainAll(opcodes.stream().map(Opcode::name).toList());
    assertThat(tried).isEqualTo(expected).hasSizeGreaterThan(25);
  }

  private static String text(Instruction instruction) {
    return instruction.name() + " " + instruction.operands() + " " + instruction.modifiers();
  }

  private static void compare(
      Trial trial, Instruction instruction, boolean exactly, Set<String> wrong) {
    boolean writesExec = instruction.name().startsWith("v_cmpx_");
    for (int r = 0; r < 48; r++) {
      for (int lane = 0; lane < Wave.LANES; lane++) {
        int varied = trial.varied[r * Wave.LANES + lane];
        int said = trial.shade.bits(r, lane);
        boolean result = r < 2 && (trial.wave.exec() >>> lane & 1) != 0;
        if ((varied & ~said) != 0 || (exactly && result && varied != said)) {
          wrong.add(
              "%s: v%d lane %d varies %08x, undefined %08x"
                  .formatted(text(instruction), r, lane, varied, said));
          return;
        }
      }
    }
    for (int s = 0; s < 126 && !writesExec; s++) {
      int said = trial.shade.s[s];
      boolean result = s == 20 || s == 22 || s == 23;
      if ((trial.variedScalars[s] & ~said) != 0
          || (exactly && result && trial.variedScalars[s] != said)) {
        wrong.add(
            "%s: s%d varies %08x, undefined %08x"
                .formatted(text(instruction), s, trial.variedScalars[s], said));
        return;
      }
    }
    if (writesExec
        && (trial.variedScalars[Wave.EXEC] | trial.variedScalars[Wave.EXEC + 1]) != 0
        && trial.branches == 0) {
      wrong.add(instruction + ": EXEC varies, and nothing is found");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 32})
  void scalarsTheSame(int lanes) {
    Set<String> wrong = new TreeSet<>();
    int tried = 0;
    for (Opcode opcode : opcodes(SCALAR, lanes)) {
      String name = opcode.name();
      if (name.contains("pc_b64")
          || name.contains("call")
          || name.contains("getreg")
          || name.contains("setreg")
          || name.contains("movrel")
          || name.matches("s_(barrier|sendmsg|sleep|waitcnt|get_barrier|wakeup|alloc)_.*")
          || lanes == 32 && name.matches(".*_(saveexec|wrexec)_b64")
          || name.contains("gpr_idx")) {
        continue;
      }
      for (int round = 0; round < 12; round++) {
        List<Operand> operands = new ArrayList<>();
        int source = 0;
        for (Opcode.Slot slot : opcode.slots()) {
          int dwords = slot.type().dwords();
          if (slot.name().startsWith("simm")) {
            operands.add(new Operand.Immediate(random.nextInt(0x10000)));
          } else if (slot.destination()) {
            operands.add(new Operand.Scalar(20, dwords));
          } else {
            operands.add(new Operand.Scalar(8 + 2 * source++, dwords));
          }
        }
        Instruction instruction = new Instruction(opcode, 4, operands, new Modifiers.None());
        if (!translates(instruction)) {
          continue;
        }
        Trial trial = new Trial(random, target(opcode));
        trial.spoilScalars(random.nextInt(Trial.BITS), 8, 9, 10, 11, 20);
        if (random.nextInt(4) == 0) {
          trial.spoilScc();
        }
        trial.run(instruction);
        tried++;
        scalar(trial, instruction, wrong);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(tried).isGreaterThan(1000);
  }

  private static void scalar(Trial trial, Instruction instruction, Set<String> wrong) {
    int exec = trial.variedScalars[Wave.EXEC] | trial.variedScalars[Wave.EXEC + 1];
    boolean found = trial.branches != 0;
    if ((exec != 0) != found) {
      wrong.add("%s: EXEC varies %08x, found: %s".formatted(instruction, exec, trial.branches));
      return;
    }
    if (exec != 0) {
      return;
    }
    for (int s = 0; s < 126; s++) {
      if ((trial.variedScalars[s] & ~trial.shade.s[s]) != 0) {
        wrong.add(
            "%s: s%d varies %08x, undefined %08x"
                .formatted(text(instruction), s, trial.variedScalars[s], trial.shade.s[s]));
      }
    }
    if (trial.variedScc && !trial.shade.scc) {
      wrong.add(instruction + ": SCC varies");
    }
  }

  /** Halves of dual instructions, some of which read what the other half writes. */
  @Test
  void halvesOfDualInstructionsReadBeforeEitherWrites() {
    Opcode dual = new Opcode("v_dual", Encoding.VOPD, 0, List.of(), "v_dual", Generation.RDNA3);
    List<Opcode> first = opcodes(EnumSet.of(Encoding.VOPDX), 32);
    List<Opcode> second = opcodes(EnumSet.of(Encoding.VOPDY), 32);
    Set<String> wrong = new TreeSet<>();
    int tried = 0;
    for (Opcode x : first) {
      for (Opcode y : second) {
        Modifiers halves = new Modifiers.Dual(half(x, 0), half(y, 1));
        Instruction instruction = new Instruction(dual, 8, List.of(), halves);
        if (!translates(instruction)) {
          continue;
        }
        Trial trial = new Trial(random, Target.GFX1100);
        trial.spoil(0, 1, 8, 9, 10);
        trial.run(instruction);
        tried++;
        compare(trial, instruction, false, wrong);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(tried).isGreaterThan(100);
  }

  private Instruction half(Opcode opcode, int to) {
    int[] registers = {0, 1, 8, 9, 10};
    List<Operand> operands = new ArrayList<>();
    for (Opcode.Slot slot : opcode.slots()) {
      operands.add(
          slot.destination()
              ? new Operand.Vector(to, 1)
              : switch (slot.name()) {
                case "simm32" -> new Operand.Literal(random.nextInt());
                case "src2" -> new Operand.Scalar(Wave.VCC, 1);
                default -> new Operand.Vector(registers[random.nextInt(registers.length)], 1);
              });
    }
    return new Instruction(opcode, 8, operands, new Modifiers.None());
  }
}
