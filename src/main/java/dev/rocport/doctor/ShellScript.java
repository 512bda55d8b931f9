package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A script, to be sourced, that sets the shell variables that the observations recommend. */
public final class ShellScript {
  /** The first line, by which such a file is known again. */
  public static final String FIRST_LINE = "# Written by rocport doctor; source it, do not run it.";

  private ShellScript() {}

  /** The script; only its first line if there is nothing to set. */
  public static String of(List<Observation> observations) {
    // One line a variable: the first observation about it is the gravest of its rows.
    Map<String, Observation> byVariable = new LinkedHashMap<>();
    for (Observation o : observations) {
      if (!o.shell().isEmpty()) {
        byVariable.putIfAbsent(o.name(), o);
      }
    }
    List<String> lines = new ArrayList<>(List.of(FIRST_LINE));
    for (Observation o : byVariable.values()) {
      lines.add("# " + o.why());
      lines.add(o.shell());
    }
    return String.join("\n", lines) + "\n";
  }
}
