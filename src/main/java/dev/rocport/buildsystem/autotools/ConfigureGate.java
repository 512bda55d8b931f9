package dev.rocport.buildsystem.autotools;

import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildGate.Mark;
import dev.rocport.buildsystem.shared.GateLanguage;
import dev.rocport.core.source.SourceFile;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/** The gates of {@code configure.ac}; their lines may use ROCm only if it is enabled. */
final class ConfigureGate implements GateLanguage {
  static final BuildGate GATE = new BuildGate(new ConfigureGate());

  private static final Set<String> SOURCES = Set.of("configure.ac", "configure.in");

  private ConfigureGate() {}

  @Override
  public boolean serves(String path) {
    return SOURCES.contains(path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT));
  }

  @Override
  public String comment() {
    return "dnl";
  }

  @Override
  public Optional<String> leak(SourceFile file, IntFunction<Mark> marks) {
    return Optional.empty();
  }
}
