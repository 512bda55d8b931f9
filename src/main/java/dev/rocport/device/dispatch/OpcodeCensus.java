package dev.rocport.device.dispatch;

import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Target;
import dev.rocport.device.isa.UndefinedOpcodeException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which opcodes code objects have, and which of them this device runs. */
public final class OpcodeCensus {
  /** So many distinct instructions are known to run; more are translated each time. */
  private static final int KNOWN = 1 << 22;

  private static final int WORD = 4;
  private static final String FILLER = "s_code_end";
  private static final String UNKNOWN = "unknown bits";

  /**
   * An opcode, or bits that the device does not know.
   *
   * @param count instructions
   * @param refused those of them that the device does not run
   * @param first where the first of those is; empty if there is none
   */
  public record Row(String name, long count, long refused, String first) {}

  private final Target target;
  private final Map<String, Row> rows = new TreeMap<>();
  private final Set<Long> runs = new HashSet<>();
  private int objects;

  /** Of code for a target. */
  public OpcodeCensus(Target target) {
    this.target = target;
  }

  /**
   * Counts a code object. All of its text is taken for instructions, but for what fills the space
   * between functions: {@code s_code_end} and zeros.
   *
   * @param place what it is from
   */
  public void add(CodeObject object, String place) {
    objects++;
    runs.clear(); // masks of waves of 64 lanes have other bits
    Decoder decoder = Decoder.of(target, object.lanes());
    MemorySegment words = text(object);
    long at = 0;
    while (at + WORD <= words.byteSize()) {
      long address = object.text().address() + at;
      try {
        Instruction instruction = decoder.decode(words, at);
        if (!instruction.name().equals(FILLER)) {
          boolean runs = runs(instruction, words, at, object.lanes());
          count(instruction, runs ? "" : where(object, address, place));
        }
        at += instruction.size();
      } catch (UndefinedOpcodeException e) {
        if (words.get(ValueLayout.JAVA_INT_UNALIGNED, at) != 0) {
          count(UNKNOWN, where(object, address, place) + ": " + e.getMessage());
        }
        at += WORD;
      }
    }
  }

  private static MemorySegment text(CodeObject object) {
    CodeObject.Range text = object.text();
    CodeObject.Segment segment =
        object.segments().stream()
            .filter(s -> s.address() <= text.address())
            .max(Comparator.comparingLong(CodeObject.Segment::address))
            .orElseThrow();
    long skipped = text.address() - segment.address();
    return MemorySegment.ofArray(object.image())
        .asSlice(segment.offset() + skipped, Math.min(text.size(), segment.fileSize() - skipped));
  }

  private boolean runs(Instruction instruction, MemorySegment words, long at, int lanes) {
    long bits = 0;
    if (instruction.size() == WORD) {
      bits = words.get(ValueLayout.JAVA_INT_UNALIGNED, at) & 0xffffffffL;
    } else if (instruction.size() == 2 * WORD) {
      bits = words.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    }
    if (bits != 0 && runs.contains(bits)) {
      return true;
    }
    boolean runs = LoadedCode.translate(instruction, lanes).isPresent();
    if (runs && bits != 0 && this.runs.size() < KNOWN) {
      this.runs.add(bits);
    }
    return runs;
  }

  private void count(Instruction instruction, String refusedAt) {
    if (instruction.modifiers() instanceof Modifiers.Dual(Instruction x, Instruction y)) {
      count(x.opcode().mnemonic(), refusedAt);
      count(y.opcode().mnemonic(), refusedAt);
    } else {
      count(instruction.opcode().mnemonic(), refusedAt);
    }
  }

  private void count(String name, String refusedAt) {
    Row one = new Row(name, 1, refusedAt.isEmpty() ? 0 : 1, refusedAt);
    rows.merge(
        name,
        one,
        (all, more) ->
            new Row(
                name,
                all.count + more.count,
                all.refused + more.refused,
                all.first.isEmpty() ? more.first : all.first));
  }

  /** The last kernel that begins before an address. */
  private static String where(CodeObject object, long address, String place) {
    return object.kernels().stream()
        .filter(k -> k.entry() <= address)
        .max(Comparator.comparingLong(KernelInfo::entry))
        .map(k -> "%s, %s + 0x%x".formatted(place, k.name(), address - k.entry()))
        .orElseGet(() -> "%s, 0x%x".formatted(place, address));
  }

  public Target target() {
    return target;
  }

  /** How many code objects were counted. */
  public int objects() {
    return objects;
  }

  /** All instructions, without unknown bits. */
  public long instructions() {
    return opcodes().stream().mapToLong(Row::count).sum();
  }

  /** The opcodes by name, without unknown bits. */
  public List<Row> opcodes() {
    List<Row> all = new ArrayList<>(rows.values());
    all.removeIf(r -> r.name.equals(UNKNOWN));
    return all;
  }

  /** What the device does not run: opcodes, at times only with some operands, and unknown bits. */
  public List<Row> refused() {
    return rows.values().stream().filter(r -> r.refused > 0).toList();
  }

  /** Of 100 opcodes, those of which the device runs every instruction; 100 if there are none. */
  public double percent() {
    List<Row> all = opcodes();
    long run = all.stream().filter(r -> r.refused == 0).count();
    return all.isEmpty() ? 100 : 100.0 * run / all.size();
  }
}
