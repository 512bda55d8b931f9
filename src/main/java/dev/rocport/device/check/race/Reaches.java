package dev.rocport.device.check.race;

import dev.rocport.device.check.WaitLoop;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.SourceLines;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
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
 * Which loads and stores of a code object are atomic. On gfx942 and gfx1201 bits say so. On gfx90a
 * only loads of the GPU's scope have one: an atomic store is a plain one there, as is all of the
 * workgroup's scope. On gfx1100 loads of both scopes have the same bit, and stores none. So what
 * the same lines of the program became for gfx942 is asked, where the program has code for both.
 * Sources: LLVM's AMDGPUUsage, "Memory Model gfx90a", "gfx942", "GFX10-GFX11" and "GFX12".
 */
final class Reaches {
  private final boolean told;
  private final CodeObject object;
  private final @Nullable CodeObject twin;
  private final SyncScope[] known;
  private final Places places;
  private @Nullable SourceLines lines;
  private @Nullable Map<String, Set<SyncScope>> twins;
  private boolean twinHasScopes;

  /**
   * @param twin the same program for gfx942, if there is one
   */
  Reaches(CodeObject object, Optional<CodeObject> twin) {
    this.object = object;
    this.told =
        object.target().has(Feature.SCOPE_BITS) || object.target().has(Feature.RDNA4_ENCODINGS);
    this.twin = told ? null : twin.orElse(null);
    this.known = new SyncScope[(int) (object.text().size() >> 2)];
    this.places = new Places(known.length);
  }

  /** The numbers of its instructions in {@link PackedAccess}. */
  Places places() {
    return places;
  }

  /** That of a load or store of global memory; updates are not asked for. */
  SyncScope of(int pc, Instruction instruction, boolean store, Code code) {
    SyncScope reach = known[pc];
    if (reach == null) {
      reach = find(pc, instruction, store, code);
      known[pc] = reach;
    }
    return reach;
  }

  /** Whether a load or store that was asked for may be atomic or not. */
  boolean isUnknown(int pc) {
    return known[pc] == SyncScope.UNKNOWN;
  }

  /** A load is the first guess of a compare and swap, and so no harm. */
  void isGuess(int pc, boolean inLds) {
    known[pc] = inLds ? SyncScope.GROUP : SyncScope.GPU;
  }

  /** Whether a load that was looked at is none. */
  boolean isPlain(int pc) {
    return known[pc] != SyncScope.GROUP && known[pc] != SyncScope.GPU;
  }

  /** That of a load of LDS, which has no bits: a loop that does nothing but wait for it. */
  SyncScope ofLocalLoad(int pc, Instruction instruction, Code code) {
    SyncScope reach = known[pc];
    if (reach == null) {
      reach =
          WaitLoop.around(code, pc, instruction) || WaitLoop.isGuess(code, pc, instruction)
              ? SyncScope.GROUP
              : SyncScope.PLAIN;
      known[pc] = reach;
    }
    return reach;
  }

  private SyncScope find(int pc, Instruction instruction, boolean store, Code code) {
    SyncScope byBits = SyncScope.ofBits(instruction);
    if (byBits == SyncScope.GROUP && !told) {
      // gfx1100 has that bit for both scopes
      boolean both = instruction.opcode().generation() != Generation.CDNA;
      return both && twin != null && byTwin(twin, pc, store) == SyncScope.GROUP
          ? SyncScope.GROUP
          : SyncScope.GPU;
    }
    if (byBits != SyncScope.PLAIN) {
      return byBits;
    }
    if (!store && WaitLoop.isGuess(code, pc, instruction)) {
      return SyncScope.GPU;
    }
    if (told) {
      return byBits;
    }
    SyncScope byTwin = twin == null ? SyncScope.UNKNOWN : byTwin(twin, pc, store);
    if (byTwin == SyncScope.UNKNOWN && !store) {
      return WaitLoop.around(code, pc, instruction) ? SyncScope.GROUP : SyncScope.PLAIN;
    }
    return byTwin;
  }

  private synchronized SyncScope byTwin(CodeObject other, int pc, boolean store) {
    if (lines == null) {
      lines = SourceLines.of(object);
    }
    if (twins == null) {
      twins = read(other);
    }
    if (!twinHasScopes) {
      return SyncScope.PLAIN;
    }
    String place = lines.describe(object.text().address() + 4L * pc);
    Set<SyncScope> all =
        place.isEmpty() ? Set.of() : twins.getOrDefault(key(place, store), Set.of());
    return all.size() == 1 ? all.iterator().next() : SyncScope.UNKNOWN;
  }

  private static String key(String place, boolean store) {
    return (store ? "store " : "load ") + place;
  }

  private Map<String, Set<SyncScope>> read(CodeObject other) {
    Map<String, Set<SyncScope>> all = new HashMap<>();
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
      Map<String, Set<SyncScope>> all, Instruction i, long address, SourceLines otherLines) {
    boolean store = i.name().contains("_store_");
    switch (i.opcode().encoding()) {
      case FLAT, GLOBAL -> {
        if (store || i.name().contains("_load_")) {
          SyncScope reach = SyncScope.ofBits(i);
          twinHasScopes |= reach != SyncScope.PLAIN;
          all.computeIfAbsent(
                  key(otherLines.describe(address), store), _ -> EnumSet.noneOf(SyncScope.class))
              .add(reach);
        }
      }
      default -> {}
    }
  }
}
