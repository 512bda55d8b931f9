package dev.rocport.singlesource;

import dev.rocport.buildsystem.BuildFiles;
import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.core.source.SourceFile;
import java.util.Arrays;
import java.util.Optional;

/** Proves that a build file of a single-source port without its gates is the original. */
public final class BuildProof {
  private BuildProof() {}

  /**
   * Returns the obstacle; empty if removing the gates gives the original byte for byte and nothing
   * in the gates takes effect with ROCm off.
   *
   * @param original the original file; may have gates of its own
   */
  public static String failure(SourceFile original, SourceFile ported) {
    Optional<BuildGate> gate = BuildFiles.gate(ported);
    byte[] before = gate.map(g -> g.strip(original)).orElseGet(original::bytes);
    byte[] after = gate.map(g -> g.strip(ported)).orElseGet(ported::bytes);
    int at = Arrays.mismatch(before, after);
    if (at >= 0) {
      int line = new SourceFile(ported.path(), after).line(Math.min(at, after.length));
      return "without the rocport gates, line " + line + " differs from the original";
    }
    return gate.flatMap(g -> g.leak(ported)).orElse("");
  }
}
