package dev.rocport.buildsystem.autotools;

import dev.rocport.buildsystem.autotools.ConfigureScript.Statement;
import dev.rocport.commandline.NvccWords;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Writes what configure sets for ROCm in addition to the check for ROCm. */
final class RocmSettings {
  private final Autotools owner;
  private final SourceFile file;

  /** The statements that check for CUDA. */
  private final List<Statement> region;

  RocmSettings(Autotools owner, SourceFile file, List<Statement> region) {
    this.owner = owner;
    this.file = file;
    this.region = region;
  }

  /** Returns lines that set what the project needs in addition to AX_CHECK_ROCM. */
  List<String> lines(CudaCheck check, Set<String> needed, Set<String> paths) {
    List<String> lines = new ArrayList<>();
    Set<String> settings = new LinkedHashSet<>();
    for (String c : check.conditionals.keySet()) {
      if (!c.equals("HAVE_CUDA")) {
        lines.add("AM_CONDITIONAL([" + Names.twin(c) + "], [" + ConfigurePort.USED + "])");
      }
    }
    for (String d : check.defines) {
      if (!d.equals("HAVE_CUDA")) {
        settings.add("AC_DEFINE([" + Names.twin(d) + "], [1], [Define to 1 if ROCm is used.])");
      }
    }
    String flags = flags(check);
    if (!flags.isEmpty()) {
      settings.add("HIPCCFLAGS=\"$HIPCCFLAGS " + flags + "\"");
    }
    String libraries = libraries(check);
    if (!libraries.isEmpty()) {
      settings.add("ROCM_LIBS=\"$ROCM_LIBS " + libraries + "\"");
    }
    for (String name : needed) {
      Optional<Names.Variable> v = Names.variable(name);
      if (v.isPresent() && !v.get().value().isEmpty()) {
        String value = paths.contains(name) ? v.get().path() : v.get().value();
        lines.add("AC_SUBST([" + v.get().name() + "])");
        settings.add(v.get().name() + "=" + value);
      }
    }
    if (!settings.isEmpty()) {
      lines.add("AS_IF([" + ConfigurePort.USED + "], [");
      settings.forEach(t -> lines.add("  " + t));
      lines.add("])");
    }
    return lines;
  }

  private String flags(CudaCheck check) {
    List<String> words = new ArrayList<>(check.flags);
    words.removeIf(w -> w.contains("$") && !w.startsWith("-"));
    List<String> now = new ArrayList<>(words);
    for (NvccWords.Change c : NvccWords.changes(words).reversed()) {
      for (int i = 0; i < c.count(); i++) {
        now.remove(c.first());
      }
      now.addAll(c.first(), c.words());
      String message = c.problem().isEmpty() ? c.note() : c.problem();
      if (!message.isEmpty()) {
        Statement s = region.getFirst();
        owner
            .changes(file)
            .finding(
                Autotools.FLAG,
                Disposition.PORTED,
                file.lineStart(s.first()),
                file.lineEnd(s.first()),
                words.get(c.first()) + " is left out: " + message);
      }
    }
    now.removeIf(w -> w.contains("$") || w.equals("-fPIC"));
    return String.join(" ", new LinkedHashSet<>(now));
  }

  private static String libraries(CudaCheck check) {
    Set<String> now = new LinkedHashSet<>();
    for (String library : check.libraries) {
      List<String> word = List.of("-l" + library);
      for (NvccWords.Change c : NvccWords.changes(word)) {
        now.addAll(c.words());
      }
    }
    now.remove("-lamdhip64");
    return String.join(" ", now);
  }
}
