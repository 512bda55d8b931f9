package dev.rocport.device.check.race;

import dev.rocport.device.check.Finding;
import dev.rocport.device.check.Findings;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Target;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** One process that uses the device: its code, what was found in it, and what others know of it. */
final class Program {
  private final Findings findings;
  private final LongAdder pairs = new LongAdder();
  private final Releases releases = new Releases();
  private final Map<CodeObject, Reaches> reaches =
      Collections.synchronizedMap(new IdentityHashMap<>());

  Program(Findings findings) {
    this.findings = findings;
  }

  /** Pairs of accesses that were compared. */
  long pairs() {
    return pairs.sum();
  }

  void compared(long more) {
    pairs.add(more);
  }

  /** What its host has let other processes know. */
  Releases releases() {
    return releases;
  }

  /** Code was loaded, from what may have the same for other targets. */
  void loaded(CodeObject object, byte[] image) {
    if (!object.target().has(Feature.SCOPE_BITS)) {
      Optional<CodeObject> twin =
          Target.withLanes(64).stream()
              .filter(t -> t.has(Feature.SCOPE_BITS))
              .flatMap(t -> FatBinary.select(image, t).stream())
              .findFirst()
              .map(CodeObject::read);
      reaches.put(object, new Reaches(object, twin));
    }
  }

  Reaches reaches(CodeObject object) {
    return reaches.computeIfAbsent(object, o -> new Reaches(o, Optional.empty()));
  }

  /** Tells that lanes of one store do not agree. */
  void tellOfLanes(WaveClock wave, int pc, boolean inLds, long lanes) {
    add(Report.ofLanes(wave, pc, inLds, lanes));
  }

  /** Tells that the host does not wait for an access of a kernel, or of its own. */
  void tellOfHost(HostTouch touch, long other, int how, boolean stored) {
    add(Report.ofHost(touch, other, how, stored));
  }

  /** Reports a race. */
  void tell(Conflict conflict) {
    add(Report.of(conflict));
  }

  private void add(Finding finding) {
    if (!finding.isOfLibrary()) {
      findings.add(finding);
    }
  }
}
