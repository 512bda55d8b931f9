package dev.rocport.device.check.race;

import dev.rocport.device.check.WaitLoop;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.SourceLines;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Target;
import dev.rocport.device.isa.UndefinedOpcodeException;
import dev.rocport.device.wave.Code;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which loads and stores of a code object are atomic. On gfx942 bits say so. On gfx90a only loads
 * of the GPU's scope have one: an atomic store is a plain one there, as is all of the workgroup's
 * scope. So what the same lines of the program became for gfx942 is asked, where the program has
 * code for both. Source: LLVM's AMDGPUUsage, "Memory Model gfx90a" and "gfx942".
 */
final class Reaches {
  private final boolean told;
  private final CodeObject object;
  private final @Nullable CodeObject twin;
  private final Reach[] known;
  private @Nullable SourceLines lines;
  private @Nullable Map<String, Set<Reach>> twins;
  private boolean twinHasScopes;

  /**
   * @param twin the same program for gfx942, if there is one
   */
  Reaches(CodeObject object, Optional<CodeObject> twin) {
    this.object = object;
    this.told = object.target() == Target.GFX942;
    this.twin = told ? null : twin.orElse(null);
    this.known = new Reach[(int) (object.text().size() >> 2)];
  }

  /** That of a load or store of global memory; updates are not asked for. */
  Reach of(int pc, Instruction instruction, boolean store, Code code) {
    Reach reach = known[pc];
    if (reach == null) {
      reach = find(pc, instruction, store, code);
      known[pc] = reach;
    }
    return reach;
  }

  /** Whether a load or store that was asked for may be atomic or not. */
  boolean isUnknown(int pc) {
    return known[pc] == Reach.UNKNOWN;
  }

  /** A load is the first guess of a compare and swap, and so no harm. */
  void isGuess(int pc, boolean inLds) {
    known[pc] = inLds ? Reach.GROUP : Reach.GPU;
  }

  /** Whether a load that was looked at is none. */
  boolean isPlain(int pc) {
    return known[pc] != Reach.GROUP && known[pc] != Reach.GPU;
  }

  /** That of a load of LDS, which has no bits: a loop that does nothing but wait for it. */
  Reach ofLocalLoad(int pc, Instruction instruction, Code code) {
    Reach reach = known[pc];
    if (reach == null) {
      reach =
          WaitLoop.around(code, pc, instruction) || WaitLoop.isGuess(code, pc, instruction)
              ? Reach.GROUP
              : Reach.PLAIN;
      known[pc] = reach;
    }
    return reach;
  }

  private Reach find(int pc, Instruction instruction, boolean store, Code code) {
    Reach byBits = byBits(instruction);
    if (byBits != Reach.PLAIN) {
      return byBits == Reach.GROUP && !told ? Reach.GPU : byBits;
    }
    if (!store && WaitLoop.isGuess(code, pc, instruction)) {
      return Reach.GPU;
    }
    if (told) {
      return byBits;
    }
    Reach byTwin = twin == null ? Reach.UNKNOWN : byTwin(twin, pc, store);
    if (byTwin == Reach.UNKNOWN && !store) {
      return WaitLoop.around(code, pc, instruction) ? Reach.GROUP : Reach.PLAIN;
    }
    return byTwin;
  }

  private static Reach byBits(Instruction instruction) {
    if (!(instruction.modifiers() instanceof Modifiers.Memory m)) {
      return Reach.PLAIN;
    }
    return m.sc1() ? Reach.GPU : m.sc0() ? Reach.GROUP : Reach.PLAIN;
  }

  private synchronized Reach byTwin(CodeObject other, int pc, boolean store) {
    if (lines == null) {
      lines = SourceLines.of(object);
    }
    if (twins == null) {
      twins = read(other);
    }
    if (!twinHasScopes) {
      return Reach.PLAIN;
    }
    String place = lines.describe(object.text().address() + 4L * pc);
    Set<Reach> all = place.isEmpty() ? Set.of() : twins.getOrDefault(key(place, store), Set.of());
    return all.size() == 1 ? all.iterator().next() : Reach.UNKNOWN;
  }

  private static String key(String place, boolean store) {
    return (store ? "store " : "load ") + place;
  }

  private Map<String, Set<Reach>> read(CodeObject other) {
    Map<String, Set<Reach>> all = new HashMap<>();
    SourceLines otherLines = SourceLines.of(other);
    Decoder decoder = Decoder.of(other.target());
    MemorySegment image = MemorySegment.ofArray(other.image());
    for (CodeObject.Segment s : other.segments()) {
      long from = Math.max(s.address(), other.text().address());
      long to = Math.min(s.address() + s.fileSize(), other.text().address() + other.text().size());
      long at = from;
      while (at < to) {
        int size = 4;
        try {
          Instruction i = decoder.decode(image, s.offset() + (at - s.address()));
          size = i.size();
          note(all, i, at, otherLines);
        } catch (UndefinedOpcodeException | IndexOutOfBoundsException e) {
          // The bytes between functions are not code.
        }
        at += size;
      }
    }
    return all;
  }

  private void note(
      Map<String, Set<Reach>> all, Instruction i, long address, SourceLines otherLines) {
    boolean store = i.name().contains("_store_");
    switch (i.opcode().encoding()) {
      case FLAT, GLOBAL -> {
        if (store || i.name().contains("_load_")) {
          Reach reach = byBits(i);
          twinHasScopes |= reach != Reach.PLAIN;
          all.computeIfAbsent(
                  key(otherLines.describe(address), store), _ -> EnumSet.noneOf(Reach.class))
              .add(reach);
        }
      }
      default -> {}
    }
  }
}
