package dev.rocport.device.dispatch;

import dev.rocport.device.block.Blocks;
import dev.rocport.device.check.Checker;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.UndefinedOpcodeException;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.op.matrix.MatrixTranslator;
import dev.rocport.device.op.memory.MemoryTranslator;
import dev.rocport.device.op.scalar.ScalarTranslator;
import dev.rocport.device.op.vector.ScalarFloats;
import dev.rocport.device.op.vector.VectorTranslator;
import dev.rocport.device.wave.BlockCompiler;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Translator;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A code object in memory, ready to run.
 *
 * @param base what was added to its addresses
 */
public record LoadedCode(CodeObject object, long base, Code code) {
  private static final List<Translator> TRANSLATORS =
      List.of(
          new ScalarTranslator(),
          new VectorTranslator(),
          new ScalarFloats(),
          new MemoryTranslator(),
          new MatrixTranslator());

  /**
   * Copies a code object to {@code base}, where {@link CodeObject#loadedSize} bytes are free, zero,
   * and aligned to a page.
   *
   * @param checkers what looks at its operations; the first goes around the plain one
   * @param known has the code of earlier loads, which serves this one unless there are checkers
   */
  public static LoadedCode load(
      CodeObject object, long base, List<Checker> checkers, KnownCode known) {
    for (CodeObject.Segment s : object.segments()) {
      Memory.copy(object.image(), s.offset(), base + s.address(), s.fileSize());
      Memory.fill(base + s.address() + s.fileSize(), s.memorySize() - s.fileSize(), (byte) 0);
    }
    for (CodeObject.Relocation r : object.relocations()) {
      Memory.storeLong(base + r.address(), base + r.target());
    }
    Code code =
        checkers.isEmpty()
            ? known.code(
                object.target(),
                object.image(),
                base + object.text().address(),
                compiler -> code(object, base, checkers, compiler))
            : code(object, base, checkers, new Blocks());
    return new LoadedCode(object, base, code);
  }

  /**
   * What kernels may only read of a code object at {@code base}: segments that are not writable,
   * and what lies between segments.
   *
   * @param size bytes of the memory that it has
   */
  public static List<Allocation.ReadOnly> readOnly(CodeObject object, long base, long size) {
    List<Allocation.ReadOnly> parts = new ArrayList<>();
    List<CodeObject.Segment> inOrder =
        object.segments().stream()
            .sorted(Comparator.comparingLong(CodeObject.Segment::address))
            .toList();
    long at = 0;
    for (CodeObject.Segment s : inOrder) {
      long end = s.address() + s.memorySize();
      gap(parts, base, at, s.address());
      if (!s.writable()) {
        boolean code = s.address() == object.text().address();
        parts.add(
            new Allocation.ReadOnly(base + s.address(), base + end, code ? "code" : "constants"));
      }
      // A last word that is begun counts whole.
      at = Math.max(at, s.writable() ? end + 3 & -4 : end);
    }
    gap(parts, base, at, size);
    return parts;
  }

  private static void gap(List<Allocation.ReadOnly> parts, long base, long from, long to) {
    if (from < to) {
      parts.add(new Allocation.ReadOnly(base + from, base + to, "padding"));
    }
  }

  private static Code code(
      CodeObject object, long base, List<Checker> checkers, BlockCompiler compiler) {
    Decoder decoder = Decoder.of(object.target(), object.lanes());
    MemorySegment words = text(object, base);
    return new Code(
        base + object.text().address(),
        words.byteSize(),
        object.lanes(),
        offset -> decode(decoder, words, offset),
        instruction -> translate(instruction, object.lanes()).map(op -> watched(op, checkers)),
        compiler);
  }

  /**
   * The text as it was loaded, in the Java heap: compilers may decode it after its program has
   * ended and others use its memory.
   */
  private static MemorySegment text(CodeObject object, long base) {
    CodeObject.Range text = object.text();
    for (CodeObject.Segment s : object.segments()) {
      if (s.address() == text.address() && s.fileSize() == text.size()) {
        return MemorySegment.ofArray(object.image()).asSlice(s.offset(), s.fileSize());
      }
    }
    return MemorySegment.ofArray(Memory.bytes(base + text.address(), Math.toIntExact(text.size())));
  }

  private static Instruction decode(Decoder decoder, MemorySegment words, long offset) {
    try {
      return decoder.decode(words, offset);
    } catch (UndefinedOpcodeException e) {
      throw new WaveTrap(String.valueOf(e.getMessage()));
    }
  }

  private static Op watched(Op plain, List<Checker> checkers) {
    Op op = plain;
    for (Checker checker : checkers) {
      op = checker.around(op);
    }
    return op;
  }

  /** Whether it writes EXEC of lanes that waves of 32 do not have. */
  private static boolean writesUpperLanes(Instruction instruction) {
    for (int i = 0; i < instruction.operands().size(); i++) {
      if (instruction.opcode().slots().get(i).destination()
          && instruction.operands().get(i) instanceof Operand.Scalar(int code, int dwords)
          && code <= Wave.EXEC + 1
          && code + dwords > Wave.EXEC + 1) {
        return true;
      }
    }
    return false;
  }

  /** The operation of an instruction of the usual waves of its target. */
  public static Optional<Op> translate(Instruction instruction) {
    boolean cdna = instruction.opcode().generation() == Generation.CDNA;
    return translate(instruction, cdna ? Wave.LANES : Wave.LANES / 2);
  }

  /** The operation for waves of so many lanes; empty where this device does not have it. */
  public static Optional<Op> translate(Instruction instruction, int lanes) {
    if (lanes < Wave.LANES && writesUpperLanes(instruction)) {
      return Optional.empty();
    }
    for (Translator t : TRANSLATORS) {
      Optional<Op> op = t.translate(instruction);
      if (op.isPresent()) {
        return op;
      }
    }
    return Optional.empty();
  }
}
